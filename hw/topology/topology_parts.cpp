#include "hw/topology/topology_parts.h"

#include <fmt/format.h>

#include "hw/noc/crossing_fifo.h"
#include "hw/packet/packetiser.h"
#include "hw/packet/receiver.h"
#include "hw/prim/fifo.h"
#include "hw/rtl/module_data.h"
#include "hw/topology/dc_l1_node.h"

namespace hw {
namespace {

using rtl::Expr;

constexpr int end_entries = 2;  // of the queues at cores and slices

enum class Way { same_clock, to_fast, to_slow };

// A part under construction: its links, and the instances between them.
class Part {
 public:
  Part(const TopologyParams& p, const TopologyPlan& plan, const std::string& name, const std::string& doc)
      : p_(p), plan_(plan), m(name, doc), name_(name) {}

  void use_noc1_clock() {
    if (p_.boost) noc1_ = noc1_clock(m);
  }
  const rtl::Clock& clock_of(int noc) const { return noc == 1 ? noc1_ : clk_; }
  Way down() const { return p_.boost ? Way::to_slow : Way::same_clock; }  // away from NoC#1
  Way up() const { return p_.boost ? Way::to_fast : Way::same_clock; }

  Link link(const std::string& port, const PacketParams& packets, bool to_receiver) {
    return {m, port, shape_of(packets, to_receiver),
            to_receiver ? Link::Made::taker_ports : Link::Made::sender_ports};
  }

  static int message_id_bits(const PacketParams& packets, bool to_receiver) {
    const bool joined = (packets.network == Network::request) == to_receiver;
    return packets.id_bits + (joined ? number_bits(packets.ports) : 0);
  }
  static std::vector<rtl::Field> fields(const PacketParams& packets, bool to_receiver) {
    return message_fields(packets, message_id_bits(packets, to_receiver));
  }

  Channel channel(const std::string& name, const PacketParams& packets, bool to_receiver,
                  const std::string& doc) {
    return {m, name, fields(packets, to_receiver), doc};
  }

  void packetise(int noc, const PacketParams& packets, const std::string& instance, const Channel& in,
                 const Link& out, const std::string& doc) {
    Pins pins = in.pins("in");
    append(pins, out.pins("out", true, false));
    if (packets.network == Network::request && packets.ports > 1) {
      const bool noc1 = noc == 1;
      const Number address{in.word, in.low_of("address"), packets.address_bits};
      const Expr to =
          noc1 ? home_of(m, instance, p_.shape, address) : output_of(m, instance, p_.shape, address);
      pins.emplace_back("in_destination", m.let(instance + "_destination", to,
                                                noc1 ? "home of the request" : "output of its slice"));
    }
    m.instance(clock_of(noc), packetiser(packets, fmt::format("{}_{}", name_, instance)), instance, pins,
               doc);
  }

  void receive(int noc, const PacketParams& packets, const std::string& instance, const Link& in,
               const Channel& out, const std::string& doc) {
    Pins pins = out.pins("out");
    append(pins, in.pins("in", false, true));
    m.instance(clock_of(noc), receiver(packets, fmt::format("{}_{}", name_, instance)), instance, pins, doc);
  }

  void queue(Way way, int entries, const std::string& instance, const Channel& in, const Channel& out,
             const std::string& doc) {
    Pins pins = in.word_pins("in");
    append(pins, out.word_pins("out"));
    m.instance(way == Way::same_clock
                   ? fifo(entries, in.width())
                   : crossing_fifo({.entries = entries, .width = in.width(), .to_fast = way == Way::to_fast}),
               instance, pins, doc);
  }

  // Ports and pins of a child that are no stream's.
  Pins further(const rtl::Module& child) {
    Pins pins;
    for (const rtl::Signal& port : rtl::other_ports(child)) pins.push_back(rtl::pass_on(m, port));
    return pins;
  }

  const TopologyParams& p_;
  const TopologyPlan& plan_;
  rtl::Module m;

 private:
  std::string name_;
  rtl::Clock clk_ = {}, noc1_ = {};
};

}  // namespace

FlitShape shape_of(const PacketParams& p, bool to_receiver) {
  const int route = number_bits(p.ports);
  return {.vcs = p.vcs,
          .destination_bits = to_receiver ? 0 : route,
          .source_bits = to_receiver && p.network == Network::request ? route : 0,
          .side_bits = side_bits(p),
          .flit_bytes = p.flit_bytes};
}

rtl::Module core_port(const TopologyParams& p, const TopologyPlan& plan, const std::string& name) {
  Part part(p, plan, name, "A core's end of NoC#1 (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  part.use_noc1_clock();
  const auto request =
      rtl::input_stream(m, "request", Part::fields(plan.core_requests, false), "a request of the core");
  const auto response =
      rtl::output_stream(m, "response", Part::fields(plan.core_replies, true), "an answer to the core");
  const Link to = part.link("to_noc1", plan.core_requests, false);
  const Link from = part.link("from_noc1", plan.core_replies, true);
  m.section("Requests.");
  Channel asked = part.channel("asked", plan.core_requests, false, "a request of the core");
  asked.from(m, request);
  if (p.boost) {
    const Channel front = part.channel("sent", plan.core_requests, false, "the request in front");
    part.queue(part.up(), end_entries, "request_queue", asked, front, "Requests cross to NoC#1's clock.");
    asked = front;
  }
  part.packetise(1, plan.core_requests, "requests", asked, to, "Requests to flits.");
  m.section("Answers.");
  const Channel got = part.channel("got", plan.core_replies, true, "an answer");
  const Channel answered = part.channel("answered", plan.core_replies, true, "the answer in front");
  part.receive(1, plan.core_replies, "replies", from, got, "Flits to answers.");
  part.queue(part.down(), end_entries, "reply_queue", got, answered, "Answers wait for the core.");
  answered.to(m, response);
  return m;
}

rtl::Module core_cache(const TopologyParams& p, const TopologyPlan& plan, const rtl::Module& cache,
                       const std::string& name) {
  const bool noc1 = has_noc1(p.shape.kind);
  const int noc = noc1 ? 1 : 2;
  const PacketParams &out = noc1 ? plan.core_requests : plan.memory_requests,
                     &in = noc1 ? plan.core_replies : plan.memory_replies;
  Part part(p, plan, name, "A core's cache and its end of the network (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  if (noc1) part.use_noc1_clock();
  Pins pins = part.further(cache);
  for (const rtl::Signal& s : cache.data().signals) {
    const bool input = s.role == rtl::Role::input;
    if ((input || s.role == rtl::Role::output) && s.name.starts_with("core_re")) {
      const std::string port = s.name.substr(std::string("core_").size());
      pins.emplace_back(s.name, input ? m.input(port, s.width, s.doc) : m.output(port, s.width, s.doc));
    }
  }
  const Link to = part.link(fmt::format("to_noc{}", noc), out, false);
  const Link from = part.link(fmt::format("from_noc{}", noc), in, true);
  m.section("Requests of the cache.");
  Channel asked = part.channel("asked", out, false, "a request of the cache");
  append(pins, asked.pins("memory_request"));
  if (p.boost && noc1) {
    const Channel front = part.channel("sent", out, false, "the request in front");
    part.queue(part.up(), end_entries, "request_queue", asked, front, "Requests cross to NoC#1's clock.");
    asked = front;
  }
  part.packetise(noc, out, "requests", asked, to, "Requests to flits.");
  m.section("Answers to it.");
  const Channel got = part.channel("got", in, true, "an answer");
  const Channel answered = part.channel("answered", in, true, "the answer in front");
  part.receive(noc, in, "replies", from, got, "Flits to answers.");
  part.queue(noc1 ? part.down() : Way::same_clock, end_entries, "reply_queue", got, answered,
             "Answers wait for the cache.");
  append(pins, answered.pins("memory_response"));
  m.instance(cache, "cache", pins, "The cache of the core.");
  return m;
}

rtl::Module node_port(const TopologyParams& p, const TopologyPlan& plan, const rtl::Module& node,
                      const std::string& name) {
  Part part(p, plan, name, "A node and its ends of both networks (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  part.use_noc1_clock();
  Pins pins = part.further(node);
  const Link from1 = part.link("from_noc1", plan.node_requests, true);
  const Link to1 = part.link("to_noc1", plan.node_replies, false);
  const Link to2 = part.link("to_noc2", plan.memory_requests, false);
  const Link from2 = part.link("from_noc2", plan.memory_replies, true);
  m.section("Towards the cores.");
  const Channel asked = part.channel("asked", plan.node_requests, true, "a request of a core");
  const Channel answered = part.channel("answered", plan.node_replies, false, "an answer to a core");
  part.receive(1, plan.node_requests, "requests", from1, asked, "Flits to requests.");
  part.packetise(1, plan.node_replies, "replies", answered, to1, "Answers to flits.");
  m.section("Towards the slices.");
  const Channel missed = part.channel("missed", plan.memory_requests, false, "a request of the node");
  const Channel fetched = part.channel("fetched", plan.memory_replies, true, "an answer to the node");
  part.packetise(2, plan.memory_requests, "memory_requests", missed, to2, "Requests to flits.");
  part.receive(2, plan.memory_replies, "memory_replies", from2, fetched, "Flits to answers.");
  append(pins, asked.pins("core_request"));
  append(pins, answered.pins("core_response"));
  append(pins, missed.pins("memory_request"));
  append(pins, fetched.pins("memory_response"));
  m.instance(node, "node", pins, "The cache between its queues.");
  return m;
}

rtl::Module relay(const TopologyParams& p, const TopologyPlan& plan, const std::string& name) {
  Part part(p, plan, name,
            "Passes packets between the stages of a hierarchical crossbar (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  part.use_noc1_clock();
  const Link from1 = part.link("from_noc1", plan.node_requests, true);
  const Link to1 = part.link("to_noc1", plan.node_replies, false);
  const Link to2 = part.link("to_noc2", plan.memory_requests, false);
  const Link from2 = part.link("from_noc2", plan.memory_replies, true);
  m.section("Requests.");
  const Channel asked = part.channel("asked", plan.node_requests, true, "a request of a core");
  const Channel passed = part.channel("passed", plan.memory_requests, false, "the request in front");
  part.receive(1, plan.node_requests, "requests", from1, asked, "Flits to requests.");
  part.queue(part.down(), p.node.queue, "request_queue", asked, passed, "Requests on their way.");
  part.packetise(2, plan.memory_requests, "memory_requests", passed, to2, "Requests to flits.");
  m.section("Answers.");
  const Channel fetched = part.channel("fetched", plan.memory_replies, true, "an answer");
  const Channel answered = part.channel("answered", plan.node_replies, false, "the answer in front");
  part.receive(2, plan.memory_replies, "memory_replies", from2, fetched, "Flits to answers.");
  part.queue(part.up(), p.node.queue, "reply_queue", fetched, answered, "Answers on their way.");
  part.packetise(1, plan.node_replies, "replies", answered, to1, "Answers to flits.");
  return m;
}

rtl::Module slice_port(const TopologyParams& p, const TopologyPlan& plan, const std::string& name) {
  Part part(p, plan, name, "A slice's end of NoC#2 (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  const auto request =
      rtl::output_stream(m, "request", Part::fields(plan.slice_requests, true), "a request to the slice");
  const auto response =
      rtl::input_stream(m, "response", Part::fields(plan.slice_replies, false), "an answer of the slice");
  const Link from = part.link("from_noc2", plan.slice_requests, true);
  const Link to = part.link("to_noc2", plan.slice_replies, false);
  m.section("Requests.");
  const Channel asked = part.channel("asked", plan.slice_requests, true, "a request");
  const Channel front = part.channel("passed", plan.slice_requests, true, "the request in front");
  part.receive(2, plan.slice_requests, "requests", from, asked, "Flits to requests.");
  part.queue(Way::same_clock, end_entries, "request_queue", asked, front, "Requests wait for the slice.");
  front.to(m, request);
  m.section("Answers.");
  const Channel answered = part.channel("answered", plan.slice_replies, false, "an answer of the slice");
  answered.from(m, response);
  part.packetise(2, plan.slice_replies, "replies", answered, to, "Answers to flits.");
  return m;
}

}  // namespace hw
