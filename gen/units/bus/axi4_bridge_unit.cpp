// The AXI4 bridge: geometry.*, axi4.*
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "hw/bus/axi4_bridge.h"
#include "hw/bus/axi4_ranges.h"

namespace gen {
namespace {
Unit elaborated(const hw::Axi4BridgeParams& p, const std::string& top) {
  return {.top = hw::axi4_bridge(p, top),
          .latency = 1,
          .facts = {{"axi_data_bits", 8 * hw::beat_bytes(p)},
                    {"axi_id_bits", hw::axi_id_bits(p)},
                    {"order", "requests of one line take effect in the order in which they were accepted"}}};
}

CosimMain cosim(const hw::Axi4BridgeParams& p) {
  return cycle_bench("bus/axi4_cosim.h", "Axi4Bench", "Axi4BridgeParams", p, 300'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::Axi4BridgeParams>(
      elaborated, cosim, "stands below a cache: recorded traffic enters above one; use --random");
  return table;
}

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
       .range = hw::Axi4Ranges::id_bits,
       .unit = "bits",
       .meaning = "Width of a request's number on the cache's side; AXI IDs are entries of the table.",
       .source = "this generator's memory side",
       .suffix = "i"},
      &Axi4BridgeParams::id_bits);
  add({.key = "axi4.requests",
       .range = hw::Axi4Ranges::requests,
       .unit = "requests",
       .meaning = "Requests that may be on their way at a time.",
       .source = "AMBA AXI4: the manager keeps the order of reads and writes",
       .suffix = "r"},
      &Axi4BridgeParams::requests);
  add_check_keys<Axi4BridgeParams>(keys);
  return keys;
}

const Family& family() {
  static const Family family{.name = "AXI4 bridge",
                             .doc = "carries a cache's memory side over AXI4",
                             .defaults = Axi4BridgeParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> axi4_bridge_unit() {
  return {{.place = 500,
           .name = "axi4_bridge",
           .family = &family(),
           .doc = "a cache's memory side over AXI4, the requests of each line in order",
           .source = "AMBA AXI4 (ARM IHI 0022)"}};
}

}  // namespace gen
