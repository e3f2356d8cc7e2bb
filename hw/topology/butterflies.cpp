#include "hw/topology/butterflies.h"

#include <fmt/format.h>

#include "hw/noc/butterfly.h"
#include "hw/topology/closed_port.h"

namespace hw {

ButterflyFabric::ButterflyFabric(const ButterflySize& size, const MeshParams& mesh, Use use)
    : RoutedFabric(std::move(use), mesh.clock_ratio),
      butterfly_{.size = size,
                 .vcs = mesh.vcs,
                 .vc_flits = mesh.vc_flits,
                 .link_stages = mesh.link_stages,
                 .flit_bytes = sent().flit_bytes,
                 .side_bits = side_bits(sent())} {}

FlitShape ButterflyFabric::leaving(int) const { return shape_of(sent(), false); }

void ButterflyFabric::build(rtl::Module& m, const FabricClock& clock, const std::string& top,
                            const std::vector<ClassLinks>& links) const {
  const rtl::Module module = clock.timed(butterfly(butterfly_, top + "_" + name()));
  const auto& [senders, takers] = links[0];
  Pins pins;
  for (int n = 0; n < ports_of(butterfly_.size); ++n) {
    const auto sender = senders.find(n), taker = takers.find(n);
    if (sender != senders.end())
      append(pins, sender->second.pins(fmt::format("in{}", n), true, false));
    else
      append(pins, nobody_enters(m, takers.begin()->second, n, name()));
    if (taker == takers.end()) {
      const Link out(m, fmt::format("{}_out{}", name(), n), leaving(0), Link::Made::wires);
      append(pins, nobody_takes(m, out, n, name()));
      continue;
    }
    append(pins, taker->second.pins(fmt::format("out{}", n), true, false));
    m.unused(fmt::format("unused_{}_out{}_destination", name(), n), taker->second["destination"],
             "always this port");
  }
  m.instance(module, name(), clock.timed(pins, module), "The network of switches.");
}

std::vector<CrossbarGroup> ButterflyFabric::crossbars() const {
  const int ports = ports_of(butterfly_.size), radix = butterfly_.size.radix;
  return {{.name = name() + "_switches",
           .count = butterfly_.size.stages * ports / radix,
           .crossbar = {.inputs = radix,
                        .outputs = radix,
                        .flit_bytes = butterfly_.flit_bytes,
                        .side_bits = number_bits(ports) + butterfly_.side_bits,
                        .vcs = butterfly_.vcs,
                        .vc_depth = butterfly_.vc_flits}}};
}

void ButterflyFabric::add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const {
  for (const int from : ports.senders)
    for (const int to : ports.takers)
      for (int v = 0; v < butterfly_.vcs; ++v) {
        std::string who = end_name(message_class, true, from);
        for (int stage = 0; stage < butterfly_.size.stages; ++stage) {
          const std::string queue = fmt::format("{} stage {} input {} VC {}", name(), stage,
                                                port_at(butterfly_.size, stage, from, to), v);
          graph.add(who, queue);
          who = queue;
        }
        graph.add(who, end_name(message_class, false, to));
      }
}

std::vector<std::pair<std::string, int>> ButterflyFabric::facts() const {
  const ButterflySize& size = butterfly_.size;
  return {{"ports", ports_of(size)},
          {"switches", size.stages * ports_of(size) / size.radix},
          {"side_bits", butterfly_.side_bits},
          {"cycles_of_a_flit", cycles() * (2 * size.stages + butterfly_.link_stages * (size.stages - 1))}};
}

}  // namespace hw
