// Topologies that are small enough to be built and run by the dozen.
#pragma once
#include <string>
#include <vector>

namespace verif {

using Flags = std::vector<std::string>;

inline Flags with(Flags flags, const Flags& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

// Four cores, two nodes, two slices; lines of two flits, two VCs of two flits.
inline Flags small_topology(const std::string& kind, bool boost = false) {
  return {"topology.kind=" + kind,  std::string("topology.boost=") + (boost ? "true" : "false"),
          "topology.cores=4",       "topology.nodes=2",
          "topology.slices=2",      "topology.clusters=1",
          "crossbar.vcs=2",         "crossbar.vc_depth=2",
          "geometry.line_bytes=64", "geometry.capacity_bytes=1024",
          "mshr.entries=2",         "core.id_bits=5"};
}

// Loads that bypass by their degree, or while they find nothing to reserve.
inline const Flags bucl_flags{"bypass.kind=bucl", "bypass.bucl.follow=true", "bypass.bucl.sub_partitions=3",
                              "bypass.bucl.highest=31"};

// Six cores, two slices and a node with neither in 3 x 3; lines of two flits, a VC of two flits for each
// class.
inline Flags small_shared() {
  return {"topology.cores=6",       "topology.slices=2",          "mesh.width=3",
          "mesh.height=3",          "mesh.memory_nodes=[4, 2]",   "mesh.vcs=2",
          "mesh.vc_flits=2",        "geometry.line_bytes=64",     "geometry.capacity_bytes=1024",
          "mshr.entries=2",         "mshr.miss_queue=2",          "core.id_bits=4",
          "shared.queue_entries=2", "shared.remote_wait_limit=12"};
}

}  // namespace verif
