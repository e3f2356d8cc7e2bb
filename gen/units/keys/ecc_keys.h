// Keys of protected RAMs (docs/contracts/l1d-ecc.md).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

KeyInfo ecc_data_key();
KeyInfo ecc_data_bits_key();
KeyInfo ecc_tags_key();

// Of a parameter struct that holds them as `ecc`.
template <class P>
void add_ecc_keys(std::vector<Key>& keys) {
  keys.push_back(field<P>(
      ecc_data_key(), [](auto& p) -> auto& { return p.ecc.data; }));
  keys.push_back(field<P>(
      ecc_data_bits_key(), [](auto& p) -> auto& { return p.ecc.data_bits; }));
  keys.push_back(field<P>(
      ecc_tags_key(), [](auto& p) -> auto& { return p.ecc.tags; }));
}

}  // namespace gen
