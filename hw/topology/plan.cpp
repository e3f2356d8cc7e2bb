// What plans of topologies say of the ports of their fabrics.
#include "hw/topology/plan.h"

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

}  // namespace hw
