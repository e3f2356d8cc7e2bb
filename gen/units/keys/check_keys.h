// Keys of checks of what the neighbours of a unit do (docs/contracts/protocol-checks.md).
#pragma once
#include <vector>

#include "gen/config/key.h"

namespace gen {

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

}  // namespace gen
