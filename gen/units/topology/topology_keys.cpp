#include "gen/units/topology/topology_keys.h"
#include "gen/units/l1d/cache_inside.h"

#include <algorithm>
#include <iterator>

#include "gen/units/l1d/l1d_unit.h"
#include "gen/units/topology/fabric_keys.h"
#include "gen/units/topology/remote_topology_keys.h"
#include "gen/units/topology/shape_keys.h"
#include "gen/units/topology/shared_topology_keys.h"
#include "hw/noc/noc_ranges.h"
#include "hw/topology/topology_ranges.h"

namespace gen {
namespace {

using hw::TopologyParams;
using OnlyWith = decltype(KeyInfo::only_with);

void add_networks(std::vector<Key>& keys) {
  using hw::NodeParams;
  const auto of_node = [](auto member) {
    return [member](auto& p) -> auto& { return p.node.*member; };
  };
  const std::vector<std::string> with_nodes = kinds_with(&hw::KindRow::nodes);
  add_topology_key<TopologyParams>(
      keys,
      {.key = "topology.boost",
       .type = KeyType::boolean,
       .meaning = "NoC#1 runs on clk_noc1, twice as fast as clk and edge-aligned with it.",
       .suffix = "boost",
       .only_with = {"topology.kind", with_nodes}},
      &TopologyParams::boost);
  add_topology_key<TopologyParams>(
      keys,
      {.key = "topology.vc_select",
       .type = KeyType::choice,
       .choices = {"destination", "line"},
       .meaning = "The VC of a packet follows its output, or its line (of a reply: its id) alone.",
       .suffix = "by_",
       .only_with = {"topology.kind", crossbar_kinds()}},
      &TopologyParams::vc_select);
  KeyInfo queue = queue_key();
  queue.only_with = {"topology.kind", with_nodes};
  add_topology_key<TopologyParams>(keys, queue, of_node(&NodeParams::queue));
  add_topology_key<TopologyParams>(
      keys,
      {.key = "node.sectoring",
       .type = KeyType::boolean,
       .meaning = "Replies have the flits of their mask; else all flits of the line.",
       .suffix = "sectoring",
       .only_with = {"topology.kind", kinds_with(&hw::KindRow::caches_in_nodes)}},
      of_node(&NodeParams::sectoring));
  add_topology_key<TopologyParams>(keys, squeeze_key(), of_node(&NodeParams::squeeze));
  const auto crossbar = [&](const char* name, const hw::Range& range, const char* unit, const char* meaning,
                            const char* suffix, int TopologyParams::*member) {
    add_topology_key<TopologyParams>(
        keys,
        {.key = std::string("crossbar.") + name,
         .range = range,
         .depends = range.power_of_two,
         .unit = unit,
         .meaning = meaning,
         .suffix = suffix,
         .only_with = range.power_of_two ? OnlyWith{} : OnlyWith{"topology.kind", crossbar_kinds()}},
        member);
  };
  crossbar("flit_bytes", hw::TopologyRanges::flit_bytes, "bytes", "Data of a flit.", "flit",
           &TopologyParams::flit_bytes);
  crossbar("vcs", hw::CrossbarRanges::vcs, "channels", "Virtual channels of each input and of each output.",
           "vcs", &TopologyParams::vcs);
  crossbar("vc_depth", hw::CrossbarRanges::vc_depth, "flits",
           "Flits of an input VC and of a receiver's; 4 keep one at full rate.", "vc_depth",
           &TopologyParams::vc_depth);
  crossbar("iterations", hw::CrossbarRanges::iterations, "iterations",
           "Rounds of offer and acceptance in a cycle; only the first moves pointers.", "iterations",
           &TopologyParams::iterations);
}

}  // namespace

std::vector<Key> topology_keys() {
  std::vector<Key> keys;
  add_shape<TopologyParams>(keys, kinds_with([](const hw::KindRow*) { return true; }));
  add_networks(keys);
  const std::vector<std::string> shared_kinds = kinds_with(&hw::KindRow::shares);
  std::ranges::move(shared_keys(shared_kinds), std::back_inserter(keys));
  add_fabrics(keys, kinds_with(&hw::KindRow::meshed), shared_kinds);
  std::ranges::move(controller_keys(), std::back_inserter(keys));
  std::ranges::move(remote_keys(), std::back_inserter(keys));
  for (const Key& key : l1d_family().keys) {
    if (is_of_one_core(key)) continue;
    keys.push_back(of_cache<TopologyParams>(key));
    keys.back().depends |= key.key == "geometry.chunk_bytes";  // flits are no smaller
  }
  return keys;
}

}  // namespace gen
