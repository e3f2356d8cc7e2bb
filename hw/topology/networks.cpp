#include "hw/topology/networks.h"

#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

int noc1_cycles(const TopologyParams& p) {
  return p.boost && p.clock_ratio > 1 ? p.clock_ratio / 2 : p.clock_ratio;
}

}  // namespace

std::shared_ptr<const Crossbars> towards_nodes(const TopologyParams& p, const CrossbarSizes& sizes,
                                               int id_bits, bool sectoring, const SidebandBits& sideband) {
  return std::make_shared<Crossbars>(p, Crossbars::Use{.name = "noc1",
                                                       .title = "NoC#1",
                                                       .sizes = sizes,
                                                       .id_bits = id_bits,
                                                       .fast = p.boost && p.clock_ratio == 1,
                                                       .sectoring = sectoring,
                                                       .sideband = sideband,
                                                       .cycles = noc1_cycles(p),
                                                       .destination = {home_of, "home of the request"}});
}

std::shared_ptr<const Crossbars> towards_slices(const TopologyParams& p, const CrossbarSizes& sizes,
                                                int id_bits) {
  return std::make_shared<Crossbars>(p, Crossbars::Use{.name = "noc2",
                                                       .title = "NoC#2",
                                                       .sizes = sizes,
                                                       .id_bits = id_bits,
                                                       .cycles = p.clock_ratio,
                                                       .destination = {output_of, "output of its slice"}});
}

void join(PartGroup& group, const std::string& fabric_name, int fabric, Side side, std::vector<int> ports) {
  const bool asks = side == Side::asks;
  group.ends.push_back({.link = "to_" + fabric_name,
                        .fabric = fabric,
                        .message_class = asks ? Crossbars::requests : Crossbars::replies,
                        .sends = true,
                        .ports = ports});
  group.ends.push_back({.link = "from_" + fabric_name,
                        .fabric = fabric,
                        .message_class = asks ? Crossbars::replies : Crossbars::requests,
                        .sends = false,
                        .ports = std::move(ports)});
}

std::vector<int> in_order(int count) { return repeating(count, count); }

std::vector<int> in_turn(const Crossbars& crossbars, int count) {
  std::vector<int> ports;
  for (int n = 0; n < count; ++n) ports.push_back(crossbars.port_in_turn(n));
  return ports;
}

std::vector<int> repeating(int count, int below) {
  std::vector<int> numbers;
  for (int n = 0; n < count; ++n) numbers.push_back(n % below);
  return numbers;
}

PartGroup slices_at(const TopologyParams& p, const std::string& fabric_name, int fabric) {
  PartGroup slices{.name = "slice", .module = "slice", .count = p.shape.slices, .build = slice_port};
  join(slices, fabric_name, fabric, Side::answers, in_order(p.shape.slices));
  return slices;
}

}  // namespace hw
