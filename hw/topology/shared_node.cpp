#include "hw/topology/shared_node.h"

#include <fmt/format.h>

#include "hw/rtl/condition.h"
#include "hw/shared/home_select.h"
#include "hw/shared/route_select.h"
#include "hw/topology/shared_fabrics.h"
#include "hw/topology/shared_node_builder.h"

namespace hw {

using rtl::any, rtl::cat, rtl::lit;

namespace {

constexpr int open_count_bits = 10;
constexpr std::uint64_t most_open = 1023;

}  // namespace

SharedNodeBuilder::SharedNodeBuilder(const PartSite& site, const RouteParams& route)
    : p_(site.params),
      site_(site),
      route_(route),
      cache_(l1d(site.plan.cache, site.top + "_cache")),
      part_(site,
            "A core and its L1 among shared L1s, with the ends of its networks (DC-L1 thesis, chapter 4)."),
      m_(part_.m),
      node_bits_(number_bits(nodes_of(p_))),
      memory_id_bits_(cache_.facts.memory_id_bits) {}

BuiltPart SharedNodeBuilder::run() {
  core_ = m_.input("core", number_bits(p_.shape.cores), "number of the core; constant");
  node_ = m_.input("node", node_bits_, "where it stands; constant");
  streams();
  accept();
  choose_route();
  to_homes_queue();
  from_network();
  enter_cache();
  to_slices_queue();
  answers();
  flush();
  part_.check_requests("responses", request_, response_);
  part_.check_fetches("fills", site_.plan.cache, missed_, slices_reply_);
  return part_.built(cache_.facts);
}

Channel SharedNodeBuilder::made(const std::string& name, Network network, int id_bits,
                                const std::string& doc) {
  PacketParams packets = part_.end(to_homes).packets;
  packets.network = network;
  return {m_, name, message_fields(packets, id_bits), doc};
}

void SharedNodeBuilder::streams() {
  PacketParams packets = part_.end(to_homes).packets;
  request_ = part_.passed([&] {
    return rtl::input_stream(m_, "request", message_fields(packets, p_.l1d.core_id_bits),
                             "a request of the core");
  });
  packets.network = Network::reply;
  response_ = part_.passed([&] {
    return rtl::output_stream(m_, "response", message_fields(packets, p_.l1d.core_id_bits),
                              "an answer to the core");
  });
  flush_valid_ = m_.input("flush_valid", 1, "flush all caches; no requests are taken");
  flush_all_ = m_.input("flush_all", 1, "all are ready: the flush takes effect");
  flush_ready_ = m_.output("flush_ready", 1, "nothing of this core is under way");
  for (const SharedEnd end : {to_homes, to_slices, from_cores, from_slices, to_cores, from_homes})
    links_.push_back(part_.link(part_.end(end)));
  organisation_ = line_organisation({m_, site_, route_, core_, flush_valid_});
}

void SharedNodeBuilder::accept() {
  m_.section("The core's request, in the cycle of its route.");
  open_ = m_.reg("open_q", open_count_bits, 0, "requests of the core that have no answer yet");
  stage_valid_ = m_.reg("stage_valid_q", 1, 0, "there is a request");
  leaves_ = m_.wire("leaves", 1, "the request goes on");
  int width = 0;
  for (const auto& [name, e] : request_.fields()) width += e.width();
  asked_ = m_.data_reg("stage_q", width, "the request: {id, kind, address, mask, byte_enable, data}");
  const rtl::Condition takes = organisation_->takes();
  const Expr ready = ~flush_valid_ & (open_ != lit(open_count_bits, most_open)) & (~stage_valid_ | leaves_);
  m_.assign(request_.ready, ready & takes);
  const Expr enters = m_.let("enters", request_.transfer(), "a request is accepted");
  answered_ = m_.let("answered", response_.transfer(), "an answer is taken");
  std::vector<Expr> fields;
  for (const auto& [name, e] : request_.fields()) fields.push_back(e);
  m_.clocked("Requests go one at a time.", [&] {
    m_.when(enters | leaves_, [&] { m_.set(stage_valid_, enters); });
    m_.when(enters, [&] { m_.set(asked_, cat(fields)); });
  });
  m_.clocked("Count those under way.", [&] {
    m_.when(enters & ~answered_, [&] { m_.set(open_, open_ + lit(open_count_bits, 1)); }).otherwise([&] {
      m_.when(answered_ & ~enters, [&] { m_.set(open_, open_ - lit(open_count_bits, 1)); });
    });
  });
  organisation_->accept(request_, enters, any(open_));
}

Expr SharedNodeBuilder::asked(const std::string& field) const {
  int high = asked_.width();
  for (const auto& [name, e] : request_.fields()) {
    if (name == field) return asked_.slice(high - 1, high - e.width());
    high -= e.width();
  }
  return {};
}

void SharedNodeBuilder::choose_route() {
  local_ = m_.wire("to_l1", 1, "the request goes to the own L1");
  to_home_ = m_.wire("to_home", 1, "the request goes to the home of the line");
  direct_ = m_.wire("direct", 1, "the request goes to the slice");
  home_node_ = m_.wire("home_node", node_bits_, "node of the home");
  slice_node_ = m_.wire("slice_node", node_bits_, "node of the slice");
  Pins pins{{"core", core_},
            {"request_address", asked("address")},
            {"request_kind", asked("kind")},
            {"request_shared", organisation_->shared()},
            {"request_written", organisation_->written()},
            {"to_l1", local_},
            {"to_home", to_home_},
            {"direct", direct_},
            {"home_node", home_node_},
            {"slice_node", slice_node_}};
  if (route_.min_home_l2) pins.emplace_back("node", node_);
  m_.instance(route_select(route_, site_.name() + "_route"), "route", pins, "Route of the request.");
  if (!route_.min_home_l2) m_.unused("unused_node", node_, "no hops are counted");
  drops_ = organisation_->drops(asked("kind"), local_);
  if (!drops_.can_be()) return;
  drop_goes_ = m_.wire("drop_goes", 1, "the own L1 takes the drop as the request leaves");
  direct_open_ = m_.wire("direct_open", 1, "a request past the L1 may leave");
}

rtl::Condition SharedNodeBuilder::unless_dropped() const {
  return drops_.can_be() ? ~drops_ | rtl::Condition(drop_goes_) : rtl::Condition::always();
}

void SharedNodeBuilder::to_homes_queue() {
  m_.section("Requests to homes.");
  std::vector<rtl::Field> fields = Part::fields(part_.end(to_homes));
  fields.insert(fields.begin(), rtl::Field{"destination", node_bits_, "node of the home"});
  const Channel in(m_, "out0", fields, "a request to a home"),
      front(m_, "out0_front", fields, "the request in front");
  const Expr valid = stage_valid_ & to_home_;
  const auto marks = organisation_->marks();
  m_.assign(in.valid, valid & unless_dropped());
  m_.assign(in.word, marks ? cat({home_node_, node_, *marks, asked_}) : cat({home_node_, node_, asked_}));
  to_home_ready_ = in.ready;
  part_.queue(part_.end(to_homes), entries(), "out0_queue", in, front, "Requests to homes wait.");
  part_.packetise(part_.end(to_homes), "home_requests", front, link(to_homes), "Requests to flits.");
}

void SharedNodeBuilder::from_network() {
  m_.section("Requests that this L1 serves, and replies.");
  const auto queued = [&](SharedEnd end, const std::string& name, const std::string& doc) {
    const Channel in = channel(name, end, doc), front = channel(name + "_front", end, doc + ", in front");
    part_.receive(part_.end(end), name + "_receiver", link(end), in, "From flits.");
    if (end == from_slices) slices_reply_ = in;
    part_.queue(part_.end(end), entries(), name + "_queue", in, front, "Messages wait.");
    return front;
  };
  served_ = queued(from_cores, "in", "a request of another core");
  from_slice_ = queued(from_slices, "reply_in0", "a slice's reply");
  from_home_ = queued(from_homes, "reply_in1", "a home's reply");
  passes_ = m_.let("passes", id_bit(from_slice_, memory_id_bits_ - 1), "the slice's reply is no fill");
  owner_served_ =
      m_.let("owner_served", id_bit(from_slice_, l1_id_bits() - 1), "the reply is for another core");
}

void SharedNodeBuilder::flush() {
  organisation_->control({.flush = flush_all_,
                          .to_home = to_home_,
                          .answered = answered_,
                          .by_slice = by_slice_,
                          .slice = from_slice_,
                          .home = from_home_,
                          .memory_id_bits = memory_id_bits_});
  m_.section("The L1.");
  const Expr ready = m_.wire("l1_flush_ready", 1, "the L1 can flush"), idle = ready & ~any(open_);
  m_.assign(flush_ready_, idle & organisation_->clean());
  append(cache_pins_, cache_pins_of_events_);
  append(cache_pins_, {{"flush_valid", flush_all_}, {"flush_ready", ready}});
  m_.instance(cache_.module, "cache", cache_pins_, "The L1 of the core.");
}

// Fills are always taken, and the core takes all answers in the end. An MSHR waits for its fill, and so for
// all that is on the way of its request; and for its waiting loads to be answered.
std::vector<Wait> shared_node_waits() {
  return {{"request", "L1"},
          {"request", "out0"},
          {"request", "out1"},
          {"from_cores", "in"},
          {"in", "L1"},
          {"L1", "MSHRs"},
          {"L1", "out1"},
          {"L1", "reply-out"},
          {"L1", "answers"},
          {"MSHRs", "out1"},
          {"MSHRs", "reply-out"},
          {"MSHRs", "answers"},
          {"out0", "to_homes"},
          {"out1", "to_slices"},
          {"from_slices", "reply-in0"},
          {"reply-in0", "reply-out"},
          {"reply-in0", "answers"},
          {"reply-out", "to_cores"},
          {"from_homes", "reply-in1"},
          {"reply-in1", "answers"}};
}

BuiltPart shared_node(const PartSite& site, const RouteParams& route) {
  return SharedNodeBuilder(site, route).run();
}

}  // namespace hw
