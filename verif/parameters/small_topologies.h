// Topologies that are small enough to be built and run by the dozen.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace verif {

using Flags = std::vector<std::string>;

inline Flags with(Flags flags, const Flags& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

inline std::int64_t cores_of(const Flags& flags) {
  std::int64_t cores = 0;
  for (const std::string& flag : flags)
    if (flag.starts_with("topology.cores=")) cores = std::stoll(flag.substr(15));
  return cores;
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

// Four cores and two slices on butterflies of 2 x 4 switches; sizes as of small_shared().
inline Flags small_butterfly() {
  return {"shared.fabric=butterfly", "butterfly.radix=2",          "butterfly.stages=3",
          "topology.cores=4",        "topology.slices=2",          "mesh.vcs=2",
          "mesh.vc_flits=2",         "geometry.line_bytes=64",     "geometry.capacity_bytes=1024",
          "mshr.entries=2",          "mshr.miss_queue=2",          "core.id_bits=4",
          "shared.queue_entries=2",  "shared.remote_wait_limit=12"};
}

// One of six cores that search each other's L1s, by itself: short queues, few entries, and short periods.
inline Flags small_remote_node() {
  return {"topology.cores=6",
          "selector.core=2",
          "mshr.entries=4",
          "mshr.miss_queue=2",
          "core.id_bits=4",
          "geometry.line_bytes=64",
          "geometry.capacity_bytes=1024",
          "remote.coverage=3",
          "remote.timeout=64",
          "remote.incoming=2",
          "remote.forwarded=2",
          "remote.replies=2",
          "remote.outgoing=2",
          "remote.deflected=1",
          "remote.wait_limit=8",
          "remote.filter_bits=6",
          "predictor.entries=4",
          "selector.period=64",
          "predictor.window=[16,32]",
          "predictor.shared=[12,4]",
          "predictor.threshold=[1,1]"};
}

// Five cores that search each other's L1s, two slices and two nodes with neither in 3 x 3; lines of two
// flits, short queues, and a time-out that the mesh makes many searches miss.
inline Flags small_remote() {
  return {"topology.cores=5",
          "topology.slices=2",
          "mesh.width=3",
          "mesh.height=3",
          "mesh.memory_nodes=[4, 2]",
          "mesh.vc_flits=2",
          "geometry.line_bytes=64",
          "geometry.capacity_bytes=1024",
          "mshr.entries=4",
          "mshr.miss_queue=2",
          "core.id_bits=4",
          "remote.coverage=3",
          "remote.timeout=128",
          "remote.incoming=2",
          "remote.forwarded=2",
          "remote.replies=2",
          "remote.outgoing=2",
          "remote.deflected=1",
          "remote.wait_limit=8",
          "remote.filter_bits=9",
          "predictor.entries=5",
          "predictor.window=[16,32]",
          "predictor.shared=[16,8]",
          "predictor.threshold=[1,1]",
          "selector.period=64"};
}

// One choice after the other for them: coverage, probes, their probability and the smallest of queues. Own
// stores stay guarded, since the scoreboard of cores hold every load against them.
inline std::vector<Flags> choices_of_remote() {
  return {{"remote.coverage=1", "remote.probes=1", "remote.probability=1", "remote.deflected=0"},
          {"remote.coverage=4", "remote.probes=4", "remote.outgoing=4", "remote.probability=0.2",
           "remote.timeout=64"},
          {"remote.coverage=4", "remote.probes=3", "remote.outgoing=3", "remote.probability=0"},
          {"remote.coverage=2", "remote.probes=2", "remote.forwarded=1", "remote.replies=1"},
          {"predictor.kind=always", "mesh.clock_ratio=1"},
          {"selector.kind=index", "mshr.entries=7", "mesh.link_stages=0", "remote.timeout=400"},
          {"index.kind=pli", "tags.replacement=nru", "mshr.merges=1", "mesh.vc_flits=1"},
          {"counters.enable=true", "predictor.entries=1", "remote.wait_limit=1", "mesh.clock_ratio=3"},
          {"remote.incoming=8", "remote.forwarded=4", "remote.replies=4", "remote.deflected=2",
           "remote.timeout=2048"},
          {"index.latency=2", "tags.replacement=random", "mesh.vc_flits=8", "remote.probability=1"}};
}

// Cores that search each other's L1s, in other sizes.
inline std::vector<Flags> shapes_of_remote() {
  const auto small = [](Flags shape) {
    for (const std::string& flag : small_remote())
      if (!flag.starts_with("topology.") && flag.find("mesh.width") && flag.find("mesh.height") &&
          flag.find("mesh.memory_nodes"))
        shape.push_back(flag);
    return shape;
  };
  return {small_remote(),
          small({"topology.cores=12", "topology.slices=4", "mesh.width=4", "mesh.height=4",
                 "mesh.memory_nodes=[5, 6, 9, 10]"}),
          small({"topology.cores=7", "topology.slices=2", "mesh.width=3", "mesh.height=3",
                 "mesh.memory_nodes=[8, 0]"}),
          small({"topology.cores=5", "topology.slices=1", "mesh.width=2", "mesh.height=3",
                 "mesh.memory_nodes=[3]"})};
}

// Shared L1s of other sizes, by what is small about them.
inline std::vector<Flags> shapes_of_shared() {
  const Flags four{"topology.cores=12", "topology.slices=4", "mesh.width=4", "mesh.height=4",
                   "mesh.memory_nodes=[5, 6, 9, 10]"};
  const Flags three{"topology.cores=7", "topology.slices=2", "mesh.width=3", "mesh.height=3",
                    "mesh.memory_nodes=[8, 0]"};
  const auto small = [](Flags shape) {
    for (const std::string& flag : small_shared())
      if (!flag.starts_with("topology.") && !flag.starts_with("mesh.")) shape.push_back(flag);
    return with(shape, {"mesh.vcs=2", "mesh.vc_flits=2"});
  };
  return {small(four), small(three), small_butterfly(),
          with(small_butterfly(), {"topology.cores=6", "butterfly.radix=3", "butterfly.stages=2"})};
}

// One choice after the other, for any of these sizes.
inline std::vector<Flags> choices_of_shared() {
  return {{"shared.min_home_l2=false", "shared.chunk=false", "mesh.clock_ratio=1", "mesh.vcs=4"},
          {"shared.organisation=private", "shared.queue_entries=4"},
          {"shared.home=tag_mod", "mesh.vc_flits=1", "mesh.link_stages=0", "mesh.clock_ratio=3"},
          {"tags.kind=split", "geometry.chunk_bytes=16", "shared.remote_wait_limit=0"},
          {"tags.kind=sectored", "mesh.link_stages=3", "counters.enable=true"},
          {"index.kind=adi", "adaptive.period=64", "adaptive.idle=16"},
          {"tags.replacement=random", "mesh.vc_flits=3", "mesh.clock_ratio=4"},
          {"tags.kind=reuse_filter", "shared.remote_wait_limit=1"},
          {"bypass.kind=mrpb", "tags.replacement=nru", "mesh.vcs=4", "mesh.vc_flits=1"},
          {"index.kind=pli", "mshr.merges=1", "shared.queue_entries=3"}};
}

// The same with controllers that sample and execute for a short while, and a small filter.
inline Flags with_controllers(const Flags& shared) {
  return with(shared, {"shared.organisation=dyneb", "shared.filter_bits=6", "dyneb.sample_accesses=12",
                       "dyneb.execute_accesses=40", "dyneb.sample_cap=200", "dyneb.execute_cap=100",
                       "dyneb.miss_percent=60"});
}
inline Flags small_dyneb() { return with_controllers(small_shared()); }

}  // namespace verif
