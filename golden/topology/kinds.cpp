// Which parts each kind of golden topology has, and at which ports of its networks.
#include "golden/topology/kinds.h"

#include <functional>
#include <utility>

#include "golden/topology/parts.h"
#include "golden/topology/remote_core.h"
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

namespace {

// Where cores and slices are joined to the networks.
struct SharedPorts {
  std::function<PartPlan(int)> core, slice;
};

// Ports of a mesh are numbered class by class.
SharedPorts ports_of_meshes(const hw::TopologyParams& p) {
  enum { requests, replies };
  const RouteSelect route(route_params(p));
  const int second = hw::nodes_of(p.mesh);
  return {.core =
              [=](int c) {
                const int node = route.core_node(c);
                return PartPlan{
                    .sends = {{requests, node}, {requests, second + node}, {replies, second + node}},
                    .takes = {{requests, node}, {replies, node}, {replies, second + node}}};
              },
          .slice =
              [=](int s) {
                const int node = route.slice_node(s);
                return PartPlan{.sends = {{replies, node}}, .takes = {{requests, second + node}}};
              }};
}

SharedPorts ports_of_butterflies() {
  enum { requests, slice_requests, slice_replies, replies };
  return {.core =
              [](int c) {
                return PartPlan{.sends = {{requests, c}, {slice_requests, c}, {replies, c}},
                                .takes = {{requests, c}, {slice_replies, c}, {replies, c}}};
              },
          .slice =
              [](int s) {
                return PartPlan{.sends = {{slice_replies, s}}, .takes = {{slice_requests, s}}};
              }};
}

}  // namespace

std::vector<PartPlan> shared_parts(const hw::TopologyParams& p) {
  const SharedPorts ports =
      p.shared.fabric == hw::SharedFabric::mesh ? ports_of_meshes(p) : ports_of_butterflies();
  std::vector<PartPlan> parts;
  const auto add = [&](PartPlan plan, decltype(PartPlan::make) make, int number) {
    plan.make = make, plan.number = number;
    parts.push_back(std::move(plan));
  };
  for (int c = 0; c < p.shape.cores; ++c) add(ports.core(c), make_part<SharedNode>, c);
  for (int s = 0; s < p.shape.slices; ++s) add(ports.slice(s), make_part<SlicePort>, s);
  return parts;
}

std::vector<PartPlan> remote_parts(const hw::TopologyParams& p) {
  enum { requests, replies };
  const RouteSelect places = remote_places(p);
  std::vector<PartPlan> parts;
  for (int c = 0; c < p.shape.cores; ++c) {
    const int node = places.core_node(c);
    parts.push_back({.make = make_part<RemoteCore>,
                     .number = c,
                     .sends = {{requests, node}, {replies, node}},
                     .takes = {{requests, node}, {replies, node}}});
  }
  for (int s = 0; s < p.shape.slices; ++s) {
    const int node = places.slice_node(s);
    parts.push_back(
        {.make = make_part<SlicePort>, .number = s, .sends = {{replies, node}}, .takes = {{requests, node}}});
  }
  return parts;
}

}  // namespace golden
