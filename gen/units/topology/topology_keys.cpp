#include "gen/units/topology/topology_keys.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "gen/units/l1d/l1d_unit.h"
#include "gen/units/noc/flit_keys.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/noc/noc_ranges.h"
#include "hw/shared/shared_ranges.h"
#include "hw/topology/topology_params.h"
#include "hw/topology/topology_ranges.h"

namespace gen {
namespace {

using hw::ButterflySize, hw::MeshParams, hw::TopologyParams;
using Keys = std::vector<Key>;
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
       .meaning =
           "NoC#1 moves twice as often: on clk_noc1, twice as fast as clk and edge-aligned with it; with "
           "noc.clock_ratio 2 or 4 in half as many cycles of clk.",
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
  add_topology_key<TopologyParams>(
      keys,
      {.key = "noc.clock_ratio",
       .range = hw::CrossbarRanges::clock_ratio,
       .unit = "cycles",
       .meaning = "Cycles of clk to one in which the crossbars move; with boost half as many of NoC#1.",
       .suffix = "noc_ratio",
       .only_with = {"topology.kind", crossbar_kinds()}},
      &TopologyParams::clock_ratio);
}

// Of shared L1s, but for what joins them.
void add_shared(Keys& keys, const std::vector<std::string>& kinds) {
  const auto add_key = [&](KeyInfo info, auto access) {
    if (info.source.empty()) info.source = "DC-L1 thesis, chapter 4";
    info.only_with = {"topology.kind", kinds};
    keys.push_back(field<TopologyParams>(info, access));
  };
  const auto of_shared = [](auto member) {
    return [member](auto& p) -> auto& { return p.shared.*member; };
  };
  using hw::SharedParams;
  add_key(
      {.key = "shared.organisation",
       .type = KeyType::choice,
       .choices = {"private", "shared", "dyneb"},
       .meaning = "Each core caches lines for itself, or a line's home for all, or as a controller of each "
                  "core finds.",
       .suffix = "lines_"},
      of_shared(&SharedParams::organisation));
  add_key(home_key(), of_shared(&SharedParams::home));
  add_key({.key = "shared.chunk",
           .type = KeyType::boolean,
           .meaning = "Replies to cores have the requested flits; else all flits of the line.",
           .suffix = "in_chunks"},
          of_shared(&SharedParams::chunk));
  add_key(min_home_l2_key(), of_shared(&SharedParams::min_home_l2));
  add_key({.key = "shared.queue_entries",
           .range = hw::SharedRanges::queue_entries,
           .unit = "messages",
           .meaning = "Entries of each of a core's six queues.",
           .suffix = "queues"},
          of_shared(&SharedParams::queue_entries));
  add_key(remote_wait_limit_key(), of_shared(&SharedParams::remote_wait_limit));
  add_key(
      {.key = "shared.own_store_guard",
       .type = KeyType::boolean,
       .meaning = "With controllers, loads of a core see its stores: copies in its L1 are invalidated, and a "
                  "filter remembers lines that were stored to past their homes. The thesis has neither.",
       .source = "private-store rule beside DC-L1 thesis, chapter 4",
       .suffix = "guard"},
      of_shared(&SharedParams::own_store_guard));
  add_key(filter_bits_key(), of_shared(&SharedParams::filter_bits));
}

std::vector<Key> shared_keys(const std::vector<std::string>& kinds) {
  Keys keys;
  add_shared(keys, kinds);
  for (Key& key : keys)
    if (key.key == "shared.own_store_guard" || key.key == "shared.filter_bits")
      key.only_with = {"shared.organisation", {"dyneb"}};
  return keys;
}

std::vector<Key> controller_keys() {
  Keys keys;
  for (Key key : dyneb_family().keys) {
    key.get = [get = key.get](const Params& params) {
      return get(Params(params.get<TopologyParams>().shared.dyneb));
    };
    key.set = [set = key.set](Params& params, const Value& value) {
      Params controller = params.get<TopologyParams>().shared.dyneb;
      set(controller, value);
      params.get<TopologyParams>().shared.dyneb = controller.get<hw::DynebParams>();
    };
    if (key.only_with.second.empty()) key.only_with = {"shared.organisation", {"dyneb"}};
    keys.push_back(key);
  }
  KeyInfo stale_lines{
      .key = "dyneb.prefer_leftover_victims",
      .type = KeyType::boolean,
      .meaning = "Lines of shared sets that have another home are replaced before the LRU line.",
      .source = "DC-L1 thesis, section 4.4",
      .suffix = "stale_lines_first",
      .only_with = {"shared.organisation", {"dyneb"}}};
  keys.push_back(field<TopologyParams>(
      stale_lines, [](auto& p) -> auto& { return p.shared.prefer_leftover_victims; }));
  return keys;
}

// What joins cores with L1s that others reach: meshes or butterflies (DC-L1 thesis, chapter 4). `meshed`:
// kinds of topology with a mesh; `shared`: the kinds that may have butterflies instead.
KeyInfo fabric_key() {
  return {.key = "shared.fabric",
          .type = KeyType::choice,
          .choices = {"mesh", "butterfly"},
          .meaning =
              "What joins the cores: meshes, in which slices stand too; or butterflies, with crossbars "
              "to and from the slices.",
          .suffix = ""};
}

KeyInfo clock_ratio_key() {
  return {.key = "mesh.clock_ratio",
          .range = hw::MeshRanges::clock_ratio,
          .unit = "cycles",
          .meaning = "Cycles of clk to one in which the networks move.",
          .suffix = "ratio"};
}

void add_fabrics(std::vector<Key>& keys, const std::vector<std::string>& meshed,
                 const std::vector<std::string>& shared) {
  const auto add = [&](Key key, const std::vector<std::string>& kinds, const char* named_with = nullptr) {
    if (key.source.empty()) key.source = "DC-L1 thesis, chapter 4";
    key.only_with = {"topology.kind", kinds};
    if (named_with) key.named_with = {"shared.fabric", {named_with}};
    keys.push_back(key);
  };
  const auto of_mesh = [](auto member) {
    return [member](auto& p) -> auto& { return p.mesh.*member; };
  };
  const auto of_butterfly = [](auto member) {
    return [member](auto& p) -> auto& { return p.butterfly.*member; };
  };
  const auto fabric = [](auto& p) -> auto& { return p.shared.fabric; };
  KeyInfo vcs = mesh_vcs_key();
  vcs.range = hw::MeshRanges::router_vcs;
  vcs.meaning += " With remote-core probing 1.";
  add(field<TopologyParams>(fabric_key(), fabric), shared);
  add(field<TopologyParams>(mesh_width_key(), of_mesh(&MeshParams::width)), meshed, "mesh");
  add(field<TopologyParams>(mesh_height_key(), of_mesh(&MeshParams::height)), meshed, "mesh");
  add(integers<TopologyParams>(memory_nodes_key(), of_mesh(&MeshParams::memory_nodes)), meshed, "mesh");
  add(field<TopologyParams>(vcs, of_mesh(&MeshParams::vcs)), meshed);
  add(field<TopologyParams>(mesh_vc_flits_key(), of_mesh(&MeshParams::vc_flits)), meshed);
  add(field<TopologyParams>(clock_ratio_key(), of_mesh(&MeshParams::clock_ratio)), meshed);
  add(field<TopologyParams>(mesh_link_stages_key(), of_mesh(&MeshParams::link_stages)), meshed);
  add(field<TopologyParams>(butterfly_radix_key(), of_butterfly(&ButterflySize::radix)), shared, "butterfly");
  add(field<TopologyParams>(butterfly_stages_key(), of_butterfly(&ButterflySize::stages)), shared,
      "butterfly");
}

}  // namespace

bool is_of_one_core(const Key& key) {
  static constexpr std::array keys{"limit.linear_from",    "core.drops",     "core.peeks",
                                   "core.pc_bits",         "core.warp_bits", "core.hit_latency",
                                   "tags.store_on_pending"};
  return key.key.starts_with("iacm.") || std::ranges::count(keys, key.key) > 0;
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
