#include "gen/units/axi4/axi4_keys.h"

#include "gen/units/axi4/axi4.h"
#include "gen/units/l1d/check_keys.h"
#include "gen/units/l1d/geometry_keys.h"

namespace gen {
namespace {

using hw::Axi4BridgeParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int Axi4BridgeParams::*member) {
    keys.push_back(field<Axi4BridgeParams>(std::move(info), member));
  };
  add(address_bits_key(), &Axi4BridgeParams::address_bits);
  add(line_bytes_key(), &Axi4BridgeParams::line_bytes);
  add(chunk_bytes_key(), &Axi4BridgeParams::chunk_bytes);
  add({.key = "axi4.id_bits",
       .min = 1,
       .max = 40,
       .unit = "bits",
       .meaning = "Width of a request's number on the cache's side; AXI IDs are places of the table.",
       .source = "this generator's memory side",
       .suffix = "i"},
      &Axi4BridgeParams::id_bits);
  add({.key = "axi4.requests",
       .min = 2,
       .max = 64,
       .power_of_two = true,
       .unit = "requests",
       .meaning = "Requests that may be on their way at a time.",
       .source = "AMBA AXI4: the manager keeps the order of reads and writes",
       .suffix = "r"},
      &Axi4BridgeParams::requests);
  add_check_keys<Axi4BridgeParams>(keys);
  return keys;
}

}  // namespace

const Family& axi4_bridge_family() {
  static const Family family{.name = "AXI4 bridge",
                             .doc = "carries a cache's memory side over AXI4",
                             .defaults = Axi4BridgeParams{},
                             .unit = axi4_bridge_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
