// Runs a topology in a system, for tests of what its loads take.
#pragma once
#include <cstdint>
#include <vector>

#include "cosim/noc/topology_system.h"
#include "verif/gpu/system/listed_trace.h"

namespace verif {

struct TopologyRun {
  std::int64_t cycles = 0, load_cycles = 0;
  golden::SystemMemoryFigures memory;
  std::vector<golden::CycleCauses> causes;
  std::uint64_t warp_instructions = 0;
  std::vector<std::int64_t> loads;  // cycles of each, where no two overlap
};

template <hw::TopologyParams P>
TopologyRun run_topology(const golden::SystemParams& p, golden::TraceSource& trace, int hit_delay = 0) {
  const auto topology = make_topology_at<P>(network_ratio(p));
  golden::TopologyIn reset;
  reset.rst = true;
  topology->outputs(reset);
  topology->edge(reset);
  TopologySystem system(P, p, trace, hit_delay);
  TopologyRun ran;
  while (!system.done()) {
    const golden::TopologyIn& in = system.drive();
    system.move(topology->outputs(in), *topology);
    topology->edge(in);
    if (system.load_time().messages == ran.loads.size()) continue;
    ran.loads.push_back(system.load_time().cycles - ran.load_cycles);
    ran.load_cycles = system.load_time().cycles;
  }
  ran.cycles = system.cycles();
  ran.memory = system.memory_figures();
  ran.causes = system.causes();
  for (int c = 0; c < P.shape.cores; ++c) ran.warp_instructions += system.sm(c).warp_instructions();
  return ran;
}

}  // namespace verif
