// What enters the L1 of a core among shared ones, what it sends to slices, and its answers.
#include <fmt/format.h>

#include <array>

#include "hw/prim/fifo.h"
#include "hw/rtl/condition.h"
#include "hw/shared/home_select.h"
#include "hw/shared/l1_arbiter.h"
#include "hw/shared/marks_params.h"
#include "hw/topology/shared_node_builder.h"

namespace hw {

using rtl::cat, rtl::lit, rtl::mux;

namespace {

// Of two who ask in turn, whether the second is served; `taken` moves the turn. `may`: whether it would be.
Expr second_of(rtl::Module& m, const std::string& name, const Expr& first, const Expr& second,
               const Expr& taken, const std::string& doc, Expr* may) {
  const Expr turn = m.reg(name + "_next_q", 1, 0, "the one with priority when both request");
  *may = turn | ~first;
  const Expr goes = m.let(name, second & *may, doc);
  m.clocked("The served requester goes last.",
            [&] { m.when((first | second) & taken, [&] { m.set(turn, ~goes); }); });
  return goes;
}

}  // namespace

void SharedNodeBuilder::enter_cache() {
  m_.section("Into the L1.");
  const Channel in = l1_requests();
  const Expr serves = m_.wire("serves", 1, "the request is another core's");
  Expr own = local_;
  if (drops_.can_be()) own = own | (drops_ & mux(to_home_, to_home_ready_, direct_open_));
  const Expr local_valid = m_.let("local_valid", stage_valid_ & own, "the core has one");
  m_.assign(in.valid, local_valid | served_.valid);
  const int of_kind = in.low_of("kind");
  m_.assign(in.word, mux(serves, l1_word(lit(1, 1), served_.word, of_kind, {}),
                         l1_word(above_own_id(), asked_, of_kind, drops_)));
  m_.assign(served_.ready, serves & in.ready);
  local_ready_ = m_.let("local_ready", ~serves & in.ready, "the L1 takes the core's");
  if (drops_.can_be()) m_.assign(drop_goes_, local_valid & drops_ & local_ready_);
  Pins pins{{"local_valid", local_valid}, {"served_valid", served_.valid}, {"serves", serves}};
  pins.emplace_back("local_failed", local_failed(in, serves));
  if (p_.shared.remote_wait_limit) pins.emplace_back("ready", in.ready);
  m_.instance(l1_arbiter({.remote_wait_limit = p_.shared.remote_wait_limit}, site_.name() + "_arbiter"),
              "arbiter", pins, "Arbiter of the L1's requests.");
  cache_pins_ = in.pins("core_request");
  if (!has_stale_lines(p_.shared)) return;
  const Expr foreign = m_.let("foreign", ~serves & (home_node_ != node_), "the home is another core");
  append(cache_pins_,
         {{"core_request_foreign", foreign}, {"shared_sets", organisation_->shared_sets().value()}});
}

Expr SharedNodeBuilder::above_own_id() {
  const auto marks = organisation_->own_marks();
  const int zeros = 1 + node_bits_ + (marks ? 0 : mark_bits(p_.shared));
  return marks ? cat({lit(zeros, 0), *marks}) : lit(zeros, 0);
}

Channel SharedNodeBuilder::l1_requests() {
  PacketParams packets = part_.end(to_homes).packets;
  packets.network = Network::request;
  std::vector<rtl::Field> fields = message_fields(packets, l1_id_bits());
  for (rtl::Field& f : fields)
    if (f.name == "kind") f.width += has_drops(p_.shared);
  return {m_, "l1_request", fields, "a request to the L1"};
}

// A request with more bits above its id; a drop has a kind of its own.
Expr SharedNodeBuilder::l1_word(const Expr& id, const Expr& request, int low_of_kind,
                                const rtl::Condition& drop) const {
  if (!drops_.can_be()) return cat({id, request});
  const Expr kind = request.slice(low_of_kind + 1, low_of_kind);
  return cat({id, request.slice(request.width() - 1, low_of_kind + 2), drop.bit(),
              kind & rtl::replicate(2, ~drop.bit()), request.slice(low_of_kind - 1, 0)});
}

Expr SharedNodeBuilder::local_failed(const Channel& in, const Expr& serves) {
  Events events;
  for (const rtl::Signal& port : rtl::other_ports(cache_.module)) {
    if (port.name.starts_with("flush_") || port.name == "shared_sets") continue;
    const auto pin = p_.l1d.counters || !port.name.starts_with("event_")
                         ? rtl::pass_on(m_, port)
                         : std::pair(port.name, m_.wire(port.name, port.width, port.doc));
    cache_pins_of_events_.push_back(pin);
    if (p_.l1d.counters || !port.name.starts_with("event_")) part_.pass(port);
    events.push_back(pin);
  }
  std::ranges::sort(events, {}, &Events::value_type::first);
  const Expr failed =
      m_.let("failed",
             some_of(events, std::array{"event_reservation_fail_line", "event_reservation_fail_mshr",
                                        "event_reservation_fail_merge", "event_reservation_fail_queue"}),
             "a request failed in the cycle before");
  const Expr origin = organisation_->origin(serves, served_);
  const int width = origin.width();
  const Expr not_full = m_.wire("origin_not_full", 1, "never 0"),
             there = m_.wire("origin_there", 1, "a request is in it"),
             oldest = m_.wire("origin_served", width,
                              width == 1 ? "the oldest is another core's"
                                         : "of the oldest: {another core's, of an odd set}"),
             other = width == 1 ? oldest : oldest.bit(width - 1);
  m_.instance(fifo(cache_.facts.latency + 1, width), "origins",
              {{"in_valid", in.valid & in.ready},
               {"in_ready", not_full},
               {"in_data", origin},
               {"out_valid", there},
               {"out_ready", event_of(events, "event_accesses")},
               {"out_data", oldest}},
              "Sources of the requests in the L1.");
  organisation_->observe(events, oldest);
  std::vector<Expr> unread{not_full, there};
  if (!p_.l1d.counters)
    for (const auto& [name, e] : events)
      if (name.starts_with("event_") && !name.starts_with("event_reservation_fail") &&
          name != "event_accesses" && !organisation_->reads(name))
        unread.push_back(e);
  constexpr std::size_t of_a_line = 8;
  for (std::size_t i = 0; i < unread.size(); i += of_a_line)
    m_.unused(i ? fmt::format("unused_events{}", i / of_a_line) : "unused_events",
              cat({unread.begin() + static_cast<std::ptrdiff_t>(i),
                   unread.begin() + static_cast<std::ptrdiff_t>(std::min(i + of_a_line, unread.size()))}),
              "nobody counts them");
  return m_.let("local_failed", failed & ~other, "a request of the core failed");
}

void SharedNodeBuilder::to_slices_queue() {
  m_.section("Requests to slices.");
  const Channel missed = made("missed", Network::request, memory_id_bits_, "a request of the L1");
  append(cache_pins_, missed.pins("memory_request"));
  missed_ = missed;
  const Channel in = channel("out1", to_slices, "a request to a slice");
  const Expr asks = stage_valid_ & direct_;
  const Expr direct_valid = m_.let("direct_valid", asks & unless_dropped(), "one past the L1");
  Expr open;
  const Expr second =
      second_of(m_, "direct_goes", missed.valid, direct_valid, in.ready, "a direct request goes now", &open);
  m_.assign(in.valid, missed.valid | direct_valid);
  const int padding = memory_id_bits_ - 1 - p_.l1d.core_id_bits;
  Expr past = cat({lit(1, 1), lit(padding, 0), asked_}), through = missed.word;
  if (const auto tally = organisation_->direct_tally()) {
    past = cat({*tally, past});
    through = cat({organisation_->missed_tally(missed, missed.valid & missed.ready).value(), through});
  }
  const Expr chosen = mux(second, past, through);
  // Crossbars give a slice the source of a request; in a mesh it stands in the id.
  m_.assign(in.word, in.width() > chosen.width() ? cat({node_, chosen}) : chosen);
  m_.assign(missed.ready, in.ready & ~second);
  const Expr direct_ready = m_.let("direct_ready", in.ready & second, "the request past the L1 is taken");
  Expr foreign = mux(to_home_, to_home_ready_, direct_ready);
  if (drops_.can_be()) {
    m_.assign(direct_open_, in.ready & open);
    foreign = mux(drops_, drop_goes_, foreign);
  }
  m_.assign(leaves_, mux(local_, local_ready_, foreign) & stage_valid_);
  const std::vector<rtl::Field> fields = Part::fields(part_.end(to_slices));
  const Channel front(m_, "out1_front", fields, "the request in front");
  part_.queue(part_.end(to_slices), entries(), "out1_queue", in, front, "Requests to slices wait.");
  // An output of crossbars is found by the address.
  const Channel sent = part_.end(to_slices).destination.of ? front : with_slice_node(front, fields);
  part_.packetise(part_.end(to_slices), "slice_requests", sent, link(to_slices), "Requests to flits.");
  m_.unused("unused_slice_node", slice_node_, "found again in front of the queue, for all requests");
}

Channel SharedNodeBuilder::with_slice_node(const Channel& front, std::vector<rtl::Field> fields) {
  fields.insert(fields.begin(), rtl::Field{"destination", node_bits_, "node of the slice"});
  const Channel sent(m_, "out1_sent", fields, "the request with its slice's node");
  m_.assign(sent.valid, front.valid);
  m_.assign(front.ready, sent.ready);
  const Number address{front.word, front.low_of("address"), p_.l1d.address_bits};
  m_.assign(sent.word, cat({slice_node(m_, "out1", route_, address), front.word}));
  return sent;
}

Expr SharedNodeBuilder::without_tally(const Channel& reply) const {
  const int bits = tally_bits(p_.shared);
  return bits ? reply.word.slice(reply.width() - 1 - bits, 0) : reply.word;
}

void SharedNodeBuilder::answers() {
  m_.section("Answers of the L1.");
  const Channel fill = made("fill", Network::reply, memory_id_bits_, "a slice's reply that is a fill"),
                answer = made("answer", Network::reply, l1_id_bits(), "an answer of the L1");
  append(cache_pins_, fill.pins("memory_response"));
  append(cache_pins_, answer.pins("core_response"));
  m_.assign(fill.valid, from_slice_.valid & ~passes_);
  m_.assign(fill.word, without_tally(from_slice_));
  const Expr answer_served =
      m_.let("answer_served", id_bit(answer, l1_id_bits() - 1), "the answer is for another core");

  m_.section("Replies to other cores: of slices, then of the L1.");
  const Channel out = channel("reply_out", to_cores, "a reply to another core"),
                front = channel("reply_out_front", to_cores, "the reply in front");
  const Expr passed_on =
      m_.let("passed_on", from_slice_.valid & passes_ & owner_served_, "a slice's reply is");
  m_.assign(out.valid, passed_on | (answer.valid & answer_served));
  const auto hit = organisation_->answer_hit(answer);
  const auto to_core = [&](const Channel& reply, const Expr& is_hit) {
    const int below_node = reply.low_of("id") + mark_bits(p_.shared) + p_.l1d.core_id_bits;
    const int high = below_node + node_bits_ - 1;
    if (!hit) return reply.word.slice(high, 0);
    return cat({reply.word.slice(high, below_node), is_hit, reply.word.slice(below_node - 1, 0)});
  };
  m_.assign(out.word,
            mux(passed_on, to_core(from_slice_, lit(1, 0)), to_core(answer, hit.value_or(lit(1, 0)))));
  part_.queue(part_.end(to_cores), entries(), "reply_out_queue", out, front, "Replies to cores wait.");
  part_.packetise(part_.end(to_cores), "replies", front, link(to_cores), "Replies to flits.");

  m_.section("Answers to the core: of homes, then of slices, then of the L1.");
  const Expr own = m_.let("own", from_slice_.valid & passes_ & ~owner_served_, "a slice's reply is one");
  const Expr of_l1 = m_.let("of_l1", answer.valid & ~answer_served, "the L1's answer is one");
  const auto [home_goes, own_goes, l1_goes] = in_front(from_home_.valid, own, of_l1);
  const auto short_id = [&](const Channel& reply) {
    return reply.word.slice(reply.low_of("id") + p_.l1d.core_id_bits - 1, 0);
  };
  by_slice_ = own_goes;
  m_.assign(response_.valid, from_home_.valid | own | of_l1);
  const Expr of_home = mark_bits(p_.shared) ? short_id(from_home_) : from_home_.word;
  const Expr word =
      m_.let("response_word", mux(home_goes, of_home, mux(own_goes, short_id(from_slice_), short_id(answer))),
             "{id, mask, data}");
  int high = word.width();
  for (const auto& [name, port] : response_.fields()) {
    m_.assign(port, word.slice(high - 1, high - port.width()));
    high -= port.width();
  }
  m_.assign(from_home_.ready, response_.ready & home_goes);
  m_.assign(from_slice_.ready,
            mux(passes_, mux(owner_served_, out.ready, response_.ready & own_goes), fill.ready));
  m_.assign(answer.ready, mux(answer_served, out.ready & ~passed_on, response_.ready & l1_goes));
}

std::array<Expr, 3> SharedNodeBuilder::in_front(const Expr& home, const Expr& own, const Expr& of_l1) {
  const Expr waits = m_.reg("response_waits_q", 1, 0, "an answer waits for the core"),
             first =
                 m_.reg("response_first_q", 2, 0, "the answer shown: bit 0, of a home; bit 1, of a slice");
  const Expr home_goes = m_.let("home_goes", mux(waits, first.bit(0), home), "the answer is of a home");
  const Expr own_goes = m_.let("own_goes", mux(waits, first.bit(1), own & ~home), "the answer is of a slice");
  const Expr l1_goes = m_.let("l1_goes", of_l1 & ~home_goes & ~own_goes, "the answer is of the L1");
  m_.clocked("A reply that the core does not take stays in front.", [&] {
    m_.set(waits, response_.valid & ~response_.ready);
    m_.set(first, cat({own_goes, home_goes}));
  });
  return {home_goes, own_goes, l1_goes};
}

}  // namespace hw
