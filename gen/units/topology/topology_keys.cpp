#include "gen/units/topology/topology_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "gen/units/l1d/geometry_keys.h"
#include "gen/units/l1d/l1d_keys.h"
#include "gen/units/topology/fabric_keys.h"
#include "gen/units/topology/remote_topology_keys.h"
#include "gen/units/topology/shared_topology_keys.h"
#include "gen/units/topology/topology.h"
#include "hw/require.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

using hw::TopologyParams;

const char* const thesis = "DC-L1 thesis, chapter 5";

using Keys = std::vector<Key>;
using OnlyWith = decltype(KeyInfo::only_with);

template <class P, class Access>
void add(Keys& keys, KeyInfo info, Access access) {
  info.source = thesis;
  keys.push_back(field<P>(std::move(info), access));
}

// A key of a cache, for a struct that holds its parameters as `l1d`.
template <class P>
Key of_cache(const Key& inner) {
  Key key = inner;
  key.get = [get = inner.get](const Params& params) { return get(Params(std::get<P>(params).l1d)); };
  key.set = [set = inner.set](Params& params, const Value& value) {
    Params cache = std::get<P>(params).l1d;
    set(cache, value);
    std::get<P>(params).l1d = std::get<hw::L1dParams>(cache);
  };
  return key;
}

// It is of a controller of one core's warps, or of a cache whose requests come from nowhere else, or of a
// memory right below it.
bool is_of_one_core(const Key& key) {
  static constexpr std::array keys{"limit.linear_from", "core.drops", "core.peeks", "core.pc_bits"};
  return key.key.starts_with("iacm.") || key.key.starts_with("check.") ||
         std::ranges::count(keys, key.key) > 0;
}

// Names of the kinds of topology of which `claim` is true.
template <class Claim>
std::vector<std::string> kinds_with(Claim claim) {
  std::vector<std::string> names;
  for (const hw::KindRow* kind : hw::topology_kinds())
    if (std::invoke(claim, kind)) names.emplace_back(kind->name);
  return names;
}

// Those whose parts crossbars join.
std::vector<std::string> crossbar_kinds() {
  return kinds_with([](const hw::KindRow* kind) { return !kind->meshed; });
}

// The sizes of a topology, in a struct that holds them as `shape`.
template <class P>
void add_shape(Keys& keys, const std::vector<std::string>& kinds) {
  using hw::TopologyShape;
  const auto of = [](auto member) {
    return [member](auto& p) -> auto& { return p.shape.*member; };
  };
  add<P>(keys,
         {.key = "topology.kind",
          .type = KeyType::choice,
          .choices = kinds,
          .meaning = "Private caches behind one crossbar; nodes private to some cores (PrY), shared by all "
                     "(ShY) or by those of a cluster (ShY+CZ); private caches behind the crossbars of the "
                     "latter; caches at cores that share their lines over a mesh, or that search each "
                     "other for them.",
          .suffix = ""},
         of(&TopologyShape::kind));
  add<P>(keys,
         {.key = "topology.cores",
          .min = 1,
          .max = 128,
          .depends = true,
          .unit = "cores",
          .meaning = "Number X of cores.",
          .suffix = "cores"},
         of(&TopologyShape::cores));
  add<P>(keys,
         {.key = "topology.nodes",
          .min = 1,
          .max = 128,
          .depends = true,
          .unit = "nodes",
          .meaning = "Number Y of nodes; it divides the cores, and their quotient is a power of two.",
          .suffix = "nodes",
          .only_with = {"topology.kind", kinds_with(&hw::KindRow::nodes)}},
         of(&TopologyShape::nodes));
  add<P>(keys,
         {.key = "topology.slices",
          .min = 1,
          .max = 128,
          .depends = true,
          .unit = "slices",
          .meaning = "Number L of L2 slices. Of clustered and cdxbar a multiple of a cluster's nodes.",
          .suffix = "slices"},
         of(&TopologyShape::slices));
  add<P>(keys,
         {.key = "topology.clusters",
          .min = 1,
          .max = 128,
          .depends = true,
          .unit = "clusters",
          .meaning = "Number Z of clusters; it divides the nodes.",
          .suffix = "clusters",
          .only_with = {"topology.kind", kinds_with(&hw::KindRow::clusters)}},
         of(&TopologyShape::clusters));
}

const KeyInfo& queue_key() {
  static const KeyInfo key{.key = "node.queue",
                           .min = 2,
                           .max = 16,
                           .unit = "messages",
                           .meaning = "Entries of each of a node's four queues, and of a relay's two.",
                           .suffix = "queue"};
  return key;
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

void add_networks(Keys& keys) {
  using hw::NodeParams;
  const auto of_node = [](auto member) {
    return [member](auto& p) -> auto& { return p.node.*member; };
  };
  const std::vector<std::string> with_nodes = kinds_with(&hw::KindRow::nodes);
  add<TopologyParams>(keys,
                      {.key = "topology.boost",
                       .type = KeyType::boolean,
                       .meaning = "NoC#1 runs on clk_noc1, twice as fast as clk and edge-aligned with it.",
                       .suffix = "boost",
                       .only_with = {"topology.kind", with_nodes}},
                      &TopologyParams::boost);
  add<TopologyParams>(
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
  add<TopologyParams>(keys, queue, of_node(&NodeParams::queue));
  add<TopologyParams>(keys,
                      {.key = "node.sectoring",
                       .type = KeyType::boolean,
                       .meaning = "Replies have the flits of their mask; else all flits of the line.",
                       .suffix = "sectoring",
                       .only_with = {"topology.kind", kinds_with(&hw::KindRow::caches_in_nodes)}},
                      of_node(&NodeParams::sectoring));
  add<TopologyParams>(keys, squeeze_key(), of_node(&NodeParams::squeeze));
  const auto crossbar = [&](const char* name, int max, bool power, const char* unit, const char* meaning,
                            const char* suffix, int TopologyParams::*member) {
    add<TopologyParams>(keys,
                        {.key = std::string("crossbar.") + name,
                         .min = 1,
                         .max = max,
                         .power_of_two = power,
                         .depends = power,
                         .unit = unit,
                         .meaning = meaning,
                         .suffix = suffix,
                         .only_with = power ? OnlyWith{} : OnlyWith{"topology.kind", crossbar_kinds()}},
                        member);
  };
  crossbar("flit_bytes", 256, true, "bytes", "Data of a flit.", "flit", &TopologyParams::flit_bytes);
  crossbar("vcs", 8, false, "channels", "Virtual channels of each input and of each output.", "vcs",
           &TopologyParams::vcs);
  crossbar("vc_depth", 16, false, "flits",
           "Flits of an input VC and of a receiver's; 4 keep one at full rate.", "vc_depth",
           &TopologyParams::vc_depth);
  crossbar("iterations", 4, false, "iterations",
           "Rounds of offer and acceptance in a cycle; only the first moves pointers.", "iterations",
           &TopologyParams::iterations);
}

Keys topology_keys() {
  Keys keys;
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

bool sound(const hw::TopologyShape& shape) {
  try {
    hw::check(shape);
  } catch (const hw::ParamError&) {
    return false;  // elaboration says what is wrong
  }
  return true;
}

// What the keys of a cache leave open follows from the cache that is built, not from a core's share.
void settle_topology(Params& params) {
  auto& p = std::get<TopologyParams>(params);
  // Ways through a butterfly are all of one length.
  if (p.shared.fabric == hw::SharedFabric::butterfly) p.shared.min_home_l2 = false;
  if (!sound(p.shape)) return;
  const hw::L1dParams share = p.l1d;
  Params cache = hw::plan_of(p).cache;
  l1d_family().settle(cache);
  p.l1d = std::get<hw::L1dParams>(cache);
  p.l1d.address_bits = share.address_bits;
  p.l1d.capacity_bytes = share.capacity_bytes;
  p.l1d.mshr_entries = share.mshr_entries;
  p.l1d.core_id_bits = share.core_id_bits;
  p.l1d.counters = share.counters;
  p.l1d.drops = share.drops;
  p.l1d.leftovers = share.leftovers;
  p.l1d.peeks = share.peeks;
  p.l1d.pc_bits = share.pc_bits;
}

void resolve_topology(Params& params) {
  auto& p = std::get<TopologyParams>(params);
  if (!sound(p.shape)) return;
  Params cache = hw::plan_of(p).cache;
  l1d_family().resolve(cache);
  p.l1d.split = std::get<hw::L1dParams>(cache).split;
  p.l1d.mode = std::get<hw::L1dParams>(cache).mode;
}

void check_topology(const Values& given, const Params& params) {
  const auto& p = std::get<TopologyParams>(params);
  const auto min = given.find("shared.min_home_l2");
  hw::require(p.shared.fabric == hw::SharedFabric::mesh || min == given.end() || !std::get<bool>(min->second),
              "shared.min_home_l2", true, "counts hops, and in a butterfly all ways are of the same length",
              "leave it out, or use shared.fabric = \"mesh\"");
  if (sound(p.shape)) l1d_family().check_given(given, Params(hw::plan_of(p).cache));
}

Keys node_keys() {
  using hw::DcL1NodeParams;
  Keys keys;
  add<DcL1NodeParams>(keys, queue_key(), &DcL1NodeParams::queue);
  for (const Key& inner : l1d_family().keys) {
    if (is_of_one_core(inner)) continue;
    Key key = of_cache<DcL1NodeParams>(inner);
    if (key.key == "geometry.capacity_bytes") key.max *= 16;
    if (key.key == "mshr.entries") key.max *= 8;
    if (key.key == "core.id_bits") key.max += 7;
    keys.push_back(key);
  }
  return keys;
}

void settle_node(Params& params) {
  Params cache = std::get<hw::DcL1NodeParams>(params).l1d;
  l1d_family().settle(cache);
  std::get<hw::DcL1NodeParams>(params).l1d = std::get<hw::L1dParams>(cache);
}

void resolve_node(Params& params) {
  Params cache = std::get<hw::DcL1NodeParams>(params).l1d;
  l1d_family().resolve(cache);
  std::get<hw::DcL1NodeParams>(params).l1d = std::get<hw::L1dParams>(cache);
}

Keys home_keys() {
  using hw::HomeParams;
  Keys keys;
  add_shape<HomeParams>(keys, crossbar_kinds());
  keys.push_back(field<HomeParams>(address_bits_key(), &HomeParams::address_bits));
  add<HomeParams>(keys, squeeze_key(), &HomeParams::squeeze);
  return keys;
}

}  // namespace

const Family& home_family() {
  static const Family family{.name = "home selection",
                             .doc = "which slice and which node an address belongs to",
                             .defaults = hw::HomeParams{},
                             .unit = home_unit,
                             .keys = home_keys()};
  return family;
}

const Family& dc_l1_node_family() {
  static const Family family{.name = "DC-L1 node",
                             .doc = "an L1 data cache between four queues",
                             .defaults = hw::DcL1NodeParams{},
                             .unit = dc_l1_node_unit,
                             .keys = node_keys(),
                             .settle = settle_node,
                             .resolve = resolve_node,
                             .check_given = [](const Values& given, const Params& params) {
                               const auto& p = std::get<hw::DcL1NodeParams>(params);
                               l1d_family().check_given(given, Params(p.l1d));
                             }};
  return family;
}

const Family& topology_family() {
  static const Family family{.name = "topology of L1 caches",
                             .doc = "caches of many cores, and the networks between cores, caches and slices",
                             .defaults = TopologyParams{},
                             .unit = topology_unit,
                             .keys = topology_keys(),
                             .settle = settle_topology,
                             .resolve = resolve_topology,
                             .check_given = check_topology};
  return family;
}

}  // namespace gen
