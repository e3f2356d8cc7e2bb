#include "hw/topology/crossbars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "hw/noc/vc_crossbar.h"
#include "hw/topology/error_wires.h"

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
          .iterations = p.iterations,
          .checks = p.l1d.check.ports};
}

}  // namespace

Crossbars::Crossbars(const TopologyParams& p, Use use) : use_(std::move(use)) {
  const auto& [count, inputs, outputs] = use_.sizes;
  PacketParams asked = packets_of(p, Network::request, use_.id_bits, outputs),
               taken = packets_of(p, Network::request, use_.id_bits, inputs);
  asked.sideband = taken.sideband = use_.sideband;
  PacketParams answered = packets_of(p, Network::reply, use_.id_bits, inputs);
  answered.sectoring = use_.sectoring;
  classes_ = {{.name = "requests", .sent = asked, .taken = taken, .destination = use_.destination},
              {.name = "replies", .sent = answered, .taken = answered}};
  requests_ = crossbar_of(p, asked, inputs, outputs);
  replies_ = crossbar_of(p, answered, outputs, inputs);
}

FlitShape Crossbars::leaving(int message_class) const {
  FlitShape shape = shape_of(classes_[static_cast<std::size_t>(message_class)].sent, false);
  shape.destination_bits = 0;
  shape.source_bits = message_class == requests ? number_bits(requests_.inputs) : 0;
  return shape;
}

namespace {

// Crossbars of one class, in the generate loop of all.
class CrossbarLoop {
 public:
  CrossbarLoop(rtl::Module& m, const rtl::Expr& loop, const CrossbarParams& crossbar, int count)
      : m_(m), loop_(loop), crossbar_(crossbar), count_(count) {}

  // Pins `side`<i> of the crossbar of each round.
  Pins pins(const Link& links, const std::vector<int>& ports, const std::string& messages,
            const std::string& side) {
    const int there = side == "in" ? crossbar_.inputs : crossbar_.outputs;
    Pins pins;
    for (int i = 0; i < there; ++i) {
      std::string table = fmt::format("{}_AT_{}{}", messages, side, i);
      std::ranges::transform(table, table.begin(), [](unsigned char c) { return std::toupper(c); });
      const Link link = links.one(in_rounds(m_, loop_, numbers_at(ports, i, there, count_), table,
                                            fmt::format("link of {}{} of each crossbar", side, i)));
      append(pins, link.pins(fmt::format("{}{}", side, i), true, true));
    }
    return pins;
  }

 private:
  rtl::Module& m_;
  const rtl::Expr& loop_;
  const CrossbarParams& crossbar_;
  const int count_;
};

}  // namespace

rtl::Module Crossbars::network(const std::string& top, const std::vector<ClassPorts>& ports) const {
  const std::string module = fmt::format("{}_{}", top, use_.name);
  rtl::Module m(module, fmt::format("{}: crossbars of requests, and mirrored ones of replies (DC-L1 thesis, "
                                    "chapter 5).",
                                    use_.title));
  const rtl::Module asking = vc_crossbar(requests_, module + "_requests"),
                    answering = vc_crossbar(replies_, module + "_replies");
  const auto& [asked, answered] = std::tie(ports[requests], ports[replies]);
  const Link asked_in = port_links(m, requests, true, asked),
             asked_out = port_links(m, requests, false, asked),
             answered_in = port_links(m, replies, true, answered),
             answered_out = port_links(m, replies, false, answered);
  const int source_bits = number_bits(replies_.inputs), senders = use_.sizes.count * replies_.outputs;
  rtl::Expr sources;
  if (source_bits) {
    sources = m.wire("replies_out_source", senders * source_bits, "crossbar port that the packet comes from");
    m.unused("unused_replies_out_source", sources, "ids say where replies come from");
  }
  const ErrorWires asked_errors(m, "requests", use_.sizes.count, requests_.checks),
      answered_errors(m, "replies", use_.sizes.count, replies_.checks);
  m.repeat("crossbars", use_.sizes.count, "Crossbars of both ways.", [&](const rtl::Expr& x) {
    CrossbarLoop ask(m, x, requests_, use_.sizes.count), answer(m, x, replies_, use_.sizes.count);
    Pins pins = ask.pins(asked_in, asked.senders, "requests", "in");
    append(pins, ask.pins(asked_out, asked.sinks, "requests", "out"));
    append(pins, asked_errors.pins(x));
    m.instance(asking, "requests", pins, "Requests.");
    pins = answer.pins(answered_in, answered.senders, "replies", "in");
    append(pins, answer.pins(answered_out, answered.sinks, "replies", "out"));
    if (source_bits)
      for (int i = 0; i < replies_.outputs; ++i)
        pins.emplace_back(fmt::format("out{}_source", i),
                          sources.stepped({{x, replies_.outputs}}, i, source_bits));
    append(pins, answered_errors.pins(x));
    m.instance(answering, "replies", pins, "Replies.");
  });
  pass_codes(m, {asked_errors.codes(), answered_errors.codes()});
  return m;
}

std::vector<CrossbarGroup> Crossbars::crossbars() const {
  return {{use_.name + "_requests", use_.sizes.count, requests_, false},
          {use_.name + "_replies", use_.sizes.count, replies_, true}};
}

// A packet in an input's VC waits for its receiver alone, on any VC that it leaves on.
void Crossbars::add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const {
  const CrossbarParams& crossbar = message_class == requests ? requests_ : replies_;
  for (const int from : ports.senders)
    for (const int to : ports.sinks) {
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
