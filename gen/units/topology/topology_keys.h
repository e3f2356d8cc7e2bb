// Keys of topologies of L1 caches (DC-L1 thesis, chapters 3 to 5), some of them shared with their nodes
// and with the selection of homes.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gen/config/family.h"
#include "gen/config/key.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology_params.h"
#include "hw/topology/topology_ranges.h"

namespace gen {

std::vector<Key> topology_keys();
// Those of remote-core probing.
std::vector<Key> remote_keys();

// A key of what the chapter is about.
template <class P, class Access>
void add_topology_key(std::vector<Key>& keys, KeyInfo info, Access access) {
  info.source = "DC-L1 thesis, chapter 5";
  keys.push_back(field<P>(std::move(info), access));
}

// It is of a controller of one core's warps, or of a cache whose requests come from nowhere else, or of a
// memory right below it.
bool is_of_one_core(const Key& key);

// Names of the kinds of topology of which `claim` is true.
template <class Claim>
std::vector<std::string> kinds_with(Claim claim) {
  std::vector<std::string> names;
  for (const hw::KindRow* kind : hw::topology_kinds())
    if (std::invoke(claim, kind)) names.emplace_back(kind->name);
  return names;
}

// Those whose parts crossbars join.
std::vector<std::string> crossbar_kinds();

KeyInfo queue_key();
KeyInfo squeeze_key();

// The sizes of a topology, in a struct that holds them as `shape`.
template <class P>
void add_shape(std::vector<Key>& keys, const std::vector<std::string>& kinds) {
  using hw::TopologyShape;
  const auto of = [](auto member) {
    return [member](auto& p) -> auto& { return p.shape.*member; };
  };
  add_topology_key<P>(
      keys,
      {.key = "topology.kind",
       .type = KeyType::choice,
       .choices = kinds,
       .meaning = "Private caches behind one crossbar; nodes private to some cores (PrY), shared by all "
                  "(ShY) or by those of a cluster (ShY+CZ); private caches behind the crossbars of the "
                  "latter; caches at cores that share their lines over a mesh, or that search each "
                  "other for them.",
       .suffix = ""},
      of(&TopologyShape::kind));
  add_topology_key<P>(keys,
                      {.key = "topology.cores",
                       .range = hw::TopologyRanges::cores,
                       .depends = true,
                       .unit = "cores",
                       .meaning = "Number X of cores.",
                       .suffix = "cores"},
                      of(&TopologyShape::cores));
  add_topology_key<P>(
      keys,
      {.key = "topology.nodes",
       .range = hw::TopologyRanges::nodes,
       .depends = true,
       .unit = "nodes",
       .meaning = "Number Y of nodes; it divides the cores, and their quotient is a power of two.",
       .suffix = "nodes",
       .only_with = {"topology.kind", kinds_with(&hw::KindRow::nodes)}},
      of(&TopologyShape::nodes));
  add_topology_key<P>(
      keys,
      {.key = "topology.slices",
       .range = hw::TopologyRanges::slices,
       .depends = true,
       .unit = "slices",
       .meaning = "Number L of L2 slices. Of clustered and cdxbar a multiple of a cluster's nodes.",
       .suffix = "slices"},
      of(&TopologyShape::slices));
  add_topology_key<P>(keys,
                      {.key = "topology.clusters",
                       .range = hw::TopologyRanges::clusters,
                       .depends = true,
                       .unit = "clusters",
                       .meaning = "Number Z of clusters; it divides the nodes.",
                       .suffix = "clusters",
                       .only_with = {"topology.kind", kinds_with(&hw::KindRow::clusters)}},
                      of(&TopologyShape::clusters));
}

}  // namespace gen
