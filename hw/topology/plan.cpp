// What plans of topologies say of the ports of their fabrics.
#include "hw/topology/plan.h"

#include <algorithm>

namespace hw {

ClassPorts ports_of(const TopologyPlan& plan, int fabric, int message_class) {
  ClassPorts ports;
  for (const PartGroup& group : plan.parts)
    for (const Endpoint& end : group.ends) {
      if (end.fabric != fabric || end.message_class != message_class) continue;
      std::vector<int>& all = end.sends ? ports.senders : ports.sinks;
      all.insert(all.end(), end.ports.begin(), end.ports.end());
    }
  return ports;
}

int slowest_cycles(const TopologyPlan& plan) {
  int cycles = 1;
  for (const auto& fabric : plan.fabrics) cycles = std::max(cycles, fabric->cycles());
  return cycles;
}

FabricEnable enable_of(const TopologyPlan& plan, int cycles) {
  if (cycles == slowest_cycles(plan)) return {"network_enable", "the networks move in this cycle"};
  return {"noc1_enable", "NoC#1 moves in this cycle"};
}

// Three cycles of the network to the receiver at the node, one to Q1, and behind the cache one to Q2; then,
// when the network moves, three to the receiver at the core, and one to its queue.
int latency_of_hit(const TopologyPlan& plan, int cache) {
  const int cycles = plan.node_cycles;
  if (cycles == 1) return cache + plan.hit_latency;
  const int answered = 3 * cycles + 1 + cache + 1, moves = (answered + cycles - 1) / cycles;
  return (moves + 3) * cycles + 1;
}

}  // namespace hw
