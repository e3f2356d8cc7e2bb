#include "hw/topology/butterflies.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/noc/butterfly.h"
#include "hw/topology/closed_port.h"
#include "hw/topology/error_wires.h"

namespace hw {

ButterflyFabric::ButterflyFabric(const ButterflySize& size, const MeshParams& mesh, Use use)
    : RoutedFabric(std::move(use), mesh.clock_ratio),
      butterfly_{.size = size,
                 .vcs = mesh.vcs,
                 .vc_flits = mesh.vc_flits,
                 .link_stages = mesh.link_stages,
                 .flit_bytes = sent().flit_bytes,
                 .side_bits = side_bits(sent()),
                 .checks = checks()} {}

FlitShape ButterflyFabric::leaving(int) const {
  FlitShape shape = shape_of(sent(), false);
  shape.destination_bits = 0;
  return shape;
}

rtl::Module ButterflyFabric::network(const std::string& top, const std::vector<ClassPorts>& all) const {
  const std::string module = top + "_" + name();
  rtl::Module m(module, title() + ": a butterfly of switches (DC-L1 thesis, chapter 4).");
  const rtl::Module switches = butterfly(butterfly_, module + "_switches");
  const ClassPorts& ports = all[0];
  const Link in = port_links(m, 0, true, ports), out = port_links(m, 0, false, ports);
  const int destination_bits = number_bits(ports_of(butterfly_.size)),
            sinks = static_cast<int>(ports.sinks.size());
  const rtl::Expr destination =
      m.wire("out_destination", sinks * destination_bits, "network port that the packet goes to");
  m.unused("unused_out_destination", destination, "always the port");
  const auto number_of = [](const std::vector<int>& at, int port) {
    return static_cast<int>(std::ranges::find(at, port) - at.begin());
  };
  const ErrorWires errors(m, "switches", 1, checks());
  Pins pins = errors.pins();
  std::vector<rtl::Expr> strays;
  for (int n = 0; n < ports_of(butterfly_.size); ++n) {
    const std::string enters = fmt::format("in{}", n), leaves = fmt::format("out{}", n);
    const int sender = number_of(ports.senders, n), sink = number_of(ports.sinks, n);
    if (sender < static_cast<int>(ports.senders.size())) {
      append(pins, in.one(sender).pins(enters, true, false));
    } else {
      const Link none(m, enters, shape_of(sent(), false), Link::Made::wires);
      nobody_sends(m, none, enters);
      append(pins, none.pins(enters, true, false));
    }
    if (sink < sinks) {
      append(pins, out.one(sink).pins(leaves, true, false));
      pins.emplace_back(leaves + "_destination",
                        destination.slice((sink + 1) * destination_bits - 1, sink * destination_bits));
    } else {
      const Link none(m, leaves, shape_of(sent(), false), Link::Made::wires);
      nobody_takes(m, none, leaves);
      strays.push_back(none["valid"]);
      append(pins, none.pins(leaves, true, false));
    }
  }
  m.instance(switches, "switches", pins, "The switches and the links between them.");
  if (checks()) pass_codes(m, {errors.codes(), stray_code(m, strays)});
  return m;
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
    for (const int to : ports.sinks)
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
