#include "gen/units/topology/shape_keys.h"

#include "hw/topology/topology_ranges.h"

#include <algorithm>
#include <array>

namespace gen {

bool is_of_one_core(const Key& key) {
  static constexpr std::array keys{"limit.linear_from", "core.drops",     "core.peeks",
                                   "core.pc_bits",      "core.warp_bits", "tags.store_on_pending"};
  return key.key.starts_with("iacm.") || key.key.starts_with("check.") || key.key.starts_with("ecc.") ||
         std::ranges::count(keys, key.key) > 0;
}

std::vector<std::string> crossbar_kinds() {
  return kinds_with([](const hw::KindRow* kind) { return !kind->meshed; });
}

KeyInfo queue_key() {
  return {.key = "node.queue",
          .range = hw::TopologyRanges::queue,
          .unit = "messages",
          .meaning = "Entries of each of a node's four queues, and of a relay's two.",
          .suffix = "queue"};
}

KeyInfo squeeze_key() {
  return {.key = "node.squeeze",
          .type = KeyType::boolean,
          .meaning =
              "A home that is a bit field is cut from the addresses that a node's cache sees, so that "
              "every index reaches all of its sets.",
          .suffix = "squeeze",
          .only_with = {"topology.kind", kinds_with(&hw::KindRow::caches_in_nodes)}};
}

}  // namespace gen
