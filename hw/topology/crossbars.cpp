#include "hw/topology/crossbars.h"

#include <fmt/format.h>

#include "hw/noc/vc_crossbar.h"

namespace hw {
PacketParams packets_of(const TopologyParams& p, Network network, int id_bits, int ports) {
  return {.network = network,
          .address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .flit_bytes = p.flit_bytes,
          .id_bits = id_bits,
          .ports = ports,
          .vcs = p.vcs,
          .vc_depth = p.vc_depth,
          .vc_select = p.vc_select};
}

namespace {

CrossbarParams crossbar_of(const TopologyParams& p, const PacketParams& packets, int inputs, int outputs) {
  return {.inputs = inputs,
          .outputs = outputs,
          .flit_bytes = p.flit_bytes,
          .side_bits = side_bits(packets),
          .vcs = p.vcs,
          .vc_depth = p.vc_depth,
          .iterations = p.iterations};
}

// Pins `side`<i> of crossbar `number`, which has `count` ports at that side.
Pins pins_of(const std::map<int, Link>& links, const char* side, int number, int count) {
  Pins pins;
  for (int i = 0; i < count; ++i)
    append(pins, links.at(number * count + i).pins(fmt::format("{}{}", side, i), true, true));
  return pins;
}

}  // namespace

Crossbars::Crossbars(const TopologyParams& p, Use use) : use_(std::move(use)) {
  const auto& [count, inputs, outputs] = use_.sizes;
  PacketParams asked = packets_of(p, Network::request, use_.id_bits, outputs),
               taken = packets_of(p, Network::request, use_.id_bits, inputs);
  asked.sideband = taken.sideband = use_.sideband;
  PacketParams answered = packets_of(p, Network::reply, use_.id_bits, inputs);
  answered.sectoring = use_.sectoring;
  classes_ = {{.sent = asked, .taken = taken, .destination = use_.destination},
              {.sent = answered, .taken = answered}};
  requests_ = crossbar_of(p, asked, inputs, outputs);
  replies_ = crossbar_of(p, answered, outputs, inputs);
}

FlitShape Crossbars::leaving(int message_class) const {
  FlitShape shape = shape_of(classes_[static_cast<std::size_t>(message_class)].sent, false);
  shape.destination_bits = 0;
  shape.source_bits = number_bits(message_class == requests ? requests_.inputs : replies_.inputs);
  return shape;
}

void Crossbars::build(rtl::Module& m, const FabricClock& clock, const std::string& top,
                      const std::vector<ClassLinks>& links) const {
  const rtl::Module asking =
      clock.timed(vc_crossbar(requests_, fmt::format("{}_{}_requests", top, use_.name)));
  const rtl::Module answering =
      clock.timed(vc_crossbar(replies_, fmt::format("{}_{}_replies", top, use_.name)));
  const auto& [count, inputs, outputs] = use_.sizes;
  for (int x = 0; x < count; ++x) {
    Pins asked = pins_of(links[requests].senders, "in", x, inputs);
    append(asked, pins_of(links[requests].takers, "out", x, outputs));
    m.instance(clock.clock, asking, fmt::format("{}_requests{}", use_.name, x), clock.timed(asked, asking),
               "Requests.");
    Pins answered = pins_of(links[replies].takers, "out", x, inputs);
    append(answered, pins_of(links[replies].senders, "in", x, outputs));
    m.instance(clock.clock, answering, fmt::format("{}_replies{}", use_.name, x),
               clock.timed(answered, answering), "Replies.");
  }
}

std::vector<CrossbarGroup> Crossbars::crossbars() const {
  return {{use_.name + "_requests", use_.sizes.count, requests_, false},
          {use_.name + "_replies", use_.sizes.count, replies_, true}};
}

// A packet in an input's VC waits for its receiver alone, on any VC that it leaves on.
void Crossbars::add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const {
  const CrossbarParams& crossbar = message_class == requests ? requests_ : replies_;
  for (const int from : ports.senders)
    for (const int to : ports.takers) {
      if (from / crossbar.inputs != to / crossbar.outputs) continue;
      for (int v = 0; v < crossbar.vcs; ++v) {
        const std::string queue = fmt::format("{} class {} input {} VC {}", name(), message_class, from, v);
        graph.add(end_name(message_class, true, from), queue);
        graph.add(queue, end_name(message_class, false, to));
      }
    }
}

std::vector<std::pair<std::string, int>> Crossbars::facts() const {
  return {{"crossbars", use_.sizes.count},
          {"request_inputs", use_.sizes.inputs},
          {"request_outputs", use_.sizes.outputs},
          {"request_side_bits", requests_.side_bits},
          {"reply_side_bits", replies_.side_bits}};
}

}  // namespace hw
