// Which parts each kind of golden topology has, and at which ports of its networks.
#include "golden/topology/kinds.h"

#include "golden/topology/parts.h"
#include "golden/topology/shared_node.h"

namespace golden {
namespace {

// The networks by number; the only stage of the baseline comes first.
enum : int { to_nodes = 0, from_nodes = 1 };
struct Last {
  int requests, replies;
};
constexpr Last only{0, 1}, second{2, 3};

void add_slices(std::vector<PartPlan>& parts, int slices, Last to) {
  for (int s = 0; s < slices; ++s)
    parts.push_back(
        {.make = make_part<SlicePort>, .number = s, .sends = {{to.replies, s}}, .takes = {{to.requests, s}}});
}

// Cores in front of nodes or relays, and these in front of slices.
std::vector<PartPlan> two_stages(const hw::TopologyParams& p, decltype(PartPlan::make) core,
                                 decltype(PartPlan::make) node) {
  std::vector<PartPlan> parts;
  for (int c = 0; c < p.shape.cores; ++c)
    parts.push_back({.make = core,
                     .number = c,
                     .sends = {{to_nodes, c, &Home::Place::home}},
                     .takes = {{from_nodes, c}}});
  const NetworkPlan towards_slices = kind_of(p.shape).networks(p).plans[second.requests];
  for (int n = 0; n < p.shape.nodes; ++n) {
    const int crossbars = towards_slices.crossbars;
    const int port = n % crossbars * towards_slices.crossbar.inputs + n / crossbars;
    parts.push_back({.make = node,
                     .number = n,
                     .sends = {{from_nodes, n}, {second.requests, port, &Home::Place::output}},
                     .takes = {{to_nodes, n}, {second.replies, port}}});
  }
  add_slices(parts, p.shape.slices, second);
  return parts;
}

}  // namespace

std::vector<PartPlan> baseline_parts(const hw::TopologyParams& p) {
  std::vector<PartPlan> parts;
  for (int c = 0; c < p.shape.cores; ++c)
    parts.push_back({.make = make_part<CoreCache>,
                     .number = c,
                     .sends = {{only.requests, c, &Home::Place::output}},
                     .takes = {{only.replies, c}}});
  add_slices(parts, p.shape.slices, only);
  return parts;
}

std::vector<PartPlan> node_parts(const hw::TopologyParams& p) {
  return two_stages(p, make_part<CorePort>, make_part<NodePort>);
}

std::vector<PartPlan> relay_parts(const hw::TopologyParams& p) {
  return two_stages(p, make_part<CoreCache>, make_part<Relay>);
}

// Ports of a mesh are numbered class by class.
std::vector<PartPlan> shared_parts(const hw::TopologyParams& p) {
  enum { requests, replies };
  const RouteSelect route(route_params(p));
  const int second = hw::nodes_of(p.mesh);
  std::vector<PartPlan> parts;
  for (int c = 0; c < p.shape.cores; ++c) {
    const int node = route.core_node(c);
    parts.push_back({.make = make_part<SharedNode>,
                     .number = c,
                     .sends = {{requests, node}, {requests, second + node}, {replies, second + node}},
                     .takes = {{requests, node}, {replies, node}, {replies, second + node}}});
  }
  for (int s = 0; s < p.shape.slices; ++s) {
    const int node = route.slice_node(s);
    parts.push_back({.make = make_part<SlicePort>,
                     .number = s,
                     .sends = {{replies, node}},
                     .takes = {{requests, second + node}}});
  }
  return parts;
}

}  // namespace golden
