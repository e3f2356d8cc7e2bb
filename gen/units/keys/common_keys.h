// Keys that several families of units have: the geometry of lines and sets, checks of what the neighbours of
// a unit do (docs/contracts/protocol-checks.md), and protected RAMs (docs/contracts/l1d-ecc.md).
#pragma once
#include <vector>

#include "gen/config/key.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

KeyInfo address_bits_key();
KeyInfo line_bytes_key();
KeyInfo chunk_bytes_key();
KeyInfo sets_key(const hw::Range& range);

// Whether the geometry makes a number of sets that a cache can have.
bool sound_geometry(const hw::L1dParams& p);

KeyInfo check_ports_key();
KeyInfo check_timeout_key();

// Of a parameter struct that holds them as `check`.
template <class P>
void add_check_keys(std::vector<Key>& keys) {
  keys.push_back(field<P>(
      check_ports_key(), [](auto& p) -> auto& { return p.check.ports; }));
  keys.push_back(field<P>(
      check_timeout_key(), [](auto& p) -> auto& { return p.check.timeout; }));
}

KeyInfo ecc_data_key();
KeyInfo ecc_data_bits_key();
KeyInfo ecc_tags_key();
KeyInfo ecc_mshr_key();

// Of a parameter struct that holds them as `ecc`.
template <class P>
void add_ecc_keys(std::vector<Key>& keys) {
  keys.push_back(field<P>(
      ecc_data_key(), [](auto& p) -> auto& { return p.ecc.data; }));
  keys.push_back(field<P>(
      ecc_data_bits_key(), [](auto& p) -> auto& { return p.ecc.data_bits; }));
  keys.push_back(field<P>(
      ecc_tags_key(), [](auto& p) -> auto& { return p.ecc.tags; }));
  keys.push_back(field<P>(
      ecc_mshr_key(), [](auto& p) -> auto& { return p.ecc.mshr; }));
}

}  // namespace gen
