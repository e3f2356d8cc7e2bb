#include "hw/topology/part.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/check/answer_check.h"
#include "hw/check/error_collector.h"
#include "hw/l1d/request_kind.h"
#include "hw/l1d/shell.h"
#include "hw/noc/crossing_fifo.h"
#include "hw/noc/packetiser.h"
#include "hw/noc/receiver.h"
#include "hw/prim/fifo.h"
#include "hw/rtl/enabled.h"

namespace hw {

using rtl::Expr;

Part::Part(const PartSite& site, const std::string& doc, const rtl::Loc& loc)
    : m(site.name(), doc, loc), site_(site) {
  bool fast = false;
  for (const Endpoint& e : site.group.ends) {
    const Fabric& fabric = *site.plan.fabrics[static_cast<std::size_t>(e.fabric)];
    const MessageClass& messages = fabric.classes()[static_cast<std::size_t>(e.message_class)];
    ends_.push_back({e.link, e.sends ? messages.sent : messages.taken, messages.destination, e.sends,
                     fabric.fast(), fabric.cycles()});
    fast = fast || fabric.fast();
  }
  if (fast) fast_ = noc1_clock(m);
  for (const End& end : ends_)
    if (end.cycles > 1 && !enables_.contains(end.cycles)) {
      const FabricEnable enable = enable_of(site.plan, end.cycles);
      enables_.emplace(end.cycles, m.input(enable.name, 1, enable.doc));
    }
}

Link Part::link(const End& end) {
  return {m, end.link, shape_of(end.packets, !end.sends),
          end.sends ? Link::Made::sender_ports : Link::Made::sink_ports};
}

std::vector<rtl::Field> Part::fields(const End& end) {
  const bool joined = (end.packets.network == Network::request) != end.sends;
  return message_fields(end.packets, end.packets.id_bits + (joined ? number_bits(end.packets.ports) : 0));
}

void Part::packetise(const End& end, const std::string& name, const Channel& in, const Link& out,
                     const std::string& doc) {
  Pins pins = in.pins("in");
  append(pins, out.pins("out", true, false));
  if (end.packets.network == Network::request && end.packets.ports > 1 && !in.has("destination")) {
    const Number address{in.word, in.low_of("address"), end.packets.address_bits};
    pins.emplace_back("in_destination",
                      m.let(name + "_destination", *end.destination.of(m, name, site_.plan.map, address),
                            end.destination.doc));
  }
  instance(end, packetiser(end.packets, inner_name(name)), name, pins, doc);
}

void Part::receive(const End& end, const std::string& name, const Link& in, const Channel& out,
                   const std::string& doc) {
  Pins pins = out.pins("out");
  append(pins, in.pins("in", false, true));
  instance(end, receiver(end.packets, inner_name(name)), name, pins, doc);
}

void Part::instance(const End& end, const rtl::Module& unit, const std::string& name, Pins pins,
                    const std::string& doc) {
  const auto enable = enables_.find(end.cycles);
  if (enable == enables_.end()) {
    m.instance(end.fast ? fast_ : clk_, unit, name, pins, doc);
    return;
  }
  // Messages move with the network: the unit's word that one does counts in those cycles alone.
  const std::string port = end.sends ? "in_ready" : "out_valid";
  const auto pin = std::ranges::find(pins, port, &std::pair<std::string, Expr>::first);
  const Expr moves = m.wire(name + "_moves", 1, end.sends ? "a message ends" : "a message is complete");
  m.assign(pin->second, moves & enable->second);
  pin->second = moves;
  pins.emplace_back("enable", enable->second);
  m.instance(rtl::enabled(unit), name, pins, doc);
}

void Part::queue(const End& end, int entries, const std::string& name, const Channel& in, const Channel& out,
                 const std::string& doc) {
  Pins pins = in.word_pins("in");
  append(pins, out.word_pins("out"));
  m.instance(end.fast ? crossing_fifo({.entries = entries, .width = in.width(), .to_fast = end.sends})
                      : fifo(entries, in.width()),
             name, pins, doc);
}

std::pair<std::string, Expr> Part::take_error(const rtl::Signal& port) {
  const Expr wire = m.wire("cache_" + port.name, port.width, port.doc);
  if (port.width == 1)
    m.unused("unused_protocol_error", wire, "the code says it too");
  else
    codes_.push_back(wire);
  return {port.name, wire};
}

Pins Part::further(const rtl::Module& child) {
  Pins pins;
  for (const rtl::Signal& port : rtl::other_ports(child)) {
    if (is_error(port)) {
      pins.push_back(take_error(port));
      continue;
    }
    pins.push_back(rtl::pass_on(m, port));
    const bool flush = port.name.starts_with("flush_");
    const bool tied =
        std::ranges::any_of(site_.group.ties, [&](const Tie& t) { return t.port == port.name; });
    if (!flush && !tied) pass(port);
  }
  return pins;
}

Expr Part::mask_of_response(const std::string& name, const Expr& kind, const Expr& mask,
                            const Expr& byte_enable) {
  const Expr writes = m.let(
      name + "_write",
      is_kind(m, kind, RequestKind::store) | (is_kind(m, kind, RequestKind::non_l1) & rtl::any(byte_enable)),
      "the response to the request has mask 0");
  return mask & rtl::replicate(mask.width(), ~writes);
}

void Part::check_fetches(const std::string& name, const L1dParams& cache, const Channel& asked,
                         const Channel& answered) {
  if (!checks()) return;
  const int bits = memory_id_bits(cache) - 1;  // above them it says that the request is no fetch
  const auto id = [](const Channel& c, int width) {
    return c.word.slice(c.low_of("id") + width - 1, c.low_of("id"));
  };
  const auto of_fetch = [&](const Channel& c) { return ~c.word.bit(c.low_of("id") + bits); };
  check({.name = name,
         .sent = asked.valid & asked.ready & of_fetch(asked),
         .sent_id = id(asked, std::max(1, fetch_id_bits(cache))),
         .sent_mask = asked["mask"],
         .offered = answered.valid & of_fetch(answered),
         .came = answered.valid & answered.ready & of_fetch(answered),
         .came_id = id(answered, bits),
         .came_mask = answered["mask"]});
}

void Part::check(const CheckedResponses& c) {
  const CheckedRequests requests{.id_bits = c.came_id.width(),
                                 .fetch_bits = c.sent_id.width(),
                                 .chunks = c.sent_mask.width(),
                                 .timeout = site_.params.l1d.check.timeout,
                                 .one_class = true};
  codes_.push_back(m.wire(c.name + "_code", protocol_code_bits, "rule that was broken first; 0 for none"));
  m.instance(answer_check(requests, inner_name(c.name)), c.name,
             {{"sent", c.sent},
              {"sent_id", c.sent_id},
              {"sent_mask", c.sent_mask},
              {"offered", c.offered},
              {"came", c.came},
              {"came_id", c.came_id},
              {"came_mask", c.came_mask},
              {"code", codes_.back()}},
             "Responses against requests.");
}

BuiltPart Part::built(const std::optional<L1dFacts>& cache) {
  if (!codes_.empty()) {
    const std::vector<Expr> codes(codes_.rbegin(), codes_.rend());
    const Expr all = rtl::cat(codes);
    m.assign(m.output(protocol_codes, all.width(), "rule that each check found broken first; 0 for none"),
             all);
  }
  return {m, passed_, cache};
}

void Part::pass(const rtl::Signal& s) {
  passed_.push_back({s.name, s.role == rtl::Role::input, s.width, s.doc});
}

std::string Part::inner_name(const std::string& instance) const {
  return fmt::format("{}_{}", site_.name(), instance);
}

}  // namespace hw
