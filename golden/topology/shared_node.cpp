// What a core with its L1 among shared L1s does in a cycle and at its edge.
#include "golden/topology/shared_node.h"

#include "golden/topology/kinds.h"

namespace golden {
namespace {

constexpr int most_open = 1023;

const Message* pointer(const std::optional<Message>& m) { return m ? &*m : nullptr; }

Message with_id(Message m, std::uint64_t id) {
  m.id = id;
  return m;
}

}  // namespace

hw::RouteParams route_params(const hw::TopologyParams& p) {
  hw::RouteParams route{.address_bits = p.l1d.address_bits,
                        .line_bytes = p.l1d.line_bytes,
                        .sets = hw::sets_of(p.l1d),
                        .cores = p.shape.cores,
                        .slices = p.shape.slices,
                        .width = p.mesh.width,
                        .height = p.mesh.height,
                        .memory_nodes = p.mesh.memory_nodes,
                        .home = p.shared.home,
                        .min_home_l2 = p.shared.min_home_l2};
  if (p.shared.fabric == hw::SharedFabric::mesh) return route;
  // Ports of a butterfly in a row, cores first; behind them numbers for the slices.
  route.width = kinds::shared_nodes(p), route.height = 1;
  route.memory_nodes = {.count = p.shape.slices};
  for (int s = 0; s < p.shape.slices; ++s)
    route.memory_nodes.numbers[static_cast<std::size_t>(s)] = p.shape.cores + s;
  return route;
}

SharedNode::SharedNode(const PartSite& site)
    : core_(site.number),
      route_(route_params(site.params)),
      shared_(site.params.shared.organisation == hw::Organisation::shared_lines),
      min_home_l2_(shared_ && site.params.shared.min_home_l2),
      core_id_bits_(site.params.l1d.core_id_bits),
      l1_id_bits_(cache_params(site.params).core_id_bits),
      memory_id_bits_(memory_id_bits(cache_params(site.params))),
      node_(static_cast<std::uint64_t>(route_.core_node(static_cast<int>(site.number)))),
      asker_(site.params.shared.fabric == hw::SharedFabric::mesh ? node_ << memory_id_bits_ : 0),
      first_slice_(site.params.shared.fabric == hw::SharedFabric::mesh ? 0 : site.params.shape.cores),
      to_homes_(site.senders[0]),
      to_slices_(site.senders[1]),
      to_cores_(site.senders[2]),
      from_cores_(site.takers[0]),
      from_slices_(site.takers[1]),
      from_homes_(site.takers[2]),
      cache_(CycleL1d::make(cache_params(site.params))),
      arbiter_({.remote_wait_limit = site.params.shared.remote_wait_limit}),
      in_(site.params.shared.queue_entries),
      reply_in0_(site.params.shared.queue_entries),
      reply_in1_(site.params.shared.queue_entries),
      reply_out_(site.params.shared.queue_entries),
      out0_(site.params.shared.queue_entries),
      out1_(site.params.shared.queue_entries) {}

void SharedNode::settle(const TopologyIn& in, TopologyOut& out) {
  const auto drive = [](const Sender& to, const Sent* sent) {
    to.drive(sent ? &sent->message : nullptr, sent ? sent->node : 0);
  };
  drive(to_homes_, out0_.front());
  drive(to_slices_, out1_.front());
  sent0_ = to_homes_.taken(), sent1_ = to_slices_.taken();
  sent_reply_ = to_cores_.drive(reply_out_.front());
  from_cores_.set_ready(in_.ready());
  from_slices_.set_ready(reply_in0_.ready());
  from_homes_.set_ready(reply_in1_.ready());

  if (stage_)
    way_ = route_.way(static_cast<int>(core_), stage_->address, stage_->kind != RequestKind::non_l1, shared_,
                      false);
  enter_cache(in);
  pass_replies();
  answer_core(in, out);
  const L1dOut& shown = cache_->outputs(driven_);
  l1_ready_ = shown.core_request_ready;
  leaves_ = false;
  home_request_.reset(), slice_request_.reset();
  if (stage_ && way_ == Way::local) leaves_ = l1_ready_ && !serves_;
  if (stage_ && way_ == Way::home) {
    leaves_ = out0_.ready();
    home_request_ = Sent{with_id(*stage_, node_ << core_id_bits_ | stage_->id),
                         route_.core_node(route_.home(stage_->address))};
  }
  if (direct_goes_) leaves_ = out1_.ready();
  if (direct_goes_ || missed_) {
    const Message& m = direct_goes_ ? *stage_ : *missed_;
    const std::uint64_t id = direct_goes_ ? std::uint64_t{1} << (memory_id_bits_ - 1) | m.id : m.id;
    slice_request_ = Sent{with_id(m, asker_ | id), route_.slice_node(route_.slice(m.address)) - first_slice_};
  }
  out.request_ready[core_] = accepts_ = !in.flush_valid && open_ < most_open && (!stage_ || leaves_);
  out.flush_ready = out.flush_ready && shown.flush_ready && open_ == 0;
}

// What the L1 is given, but for who takes what it gives.
void SharedNode::enter_cache(const TopologyIn& in) {
  const L1dCounters& events = cache_->events();
  const bool fails = events.reservation_fail_line + events.reservation_fail_mshr +
                         events.reservation_fail_merge + events.reservation_fail_queue >
                     0;
  const bool failed = fails && !origins_.empty() && !origins_.front();
  asks_ = {.local = stage_ && way_ == Way::local, .failed = failed, .served = in_.front() != nullptr};
  serves_ = arbiter_.serves(asks_);
  l1_request_.reset();
  if (serves_)
    l1_request_ = with_id(*in_.front(), std::uint64_t{1} << (l1_id_bits_ - 1) | in_.front()->id);
  else if (asks_.local)
    l1_request_ = stage_;
  driven_ = core_side(pointer(l1_request_), false);
  driven_.rst = in.rst;
  driven_.controls = in.controls[core_];
  const Message* reply = reply_in0_.front();
  add_memory_side(driven_, reply && !passes(*reply) ? reply : nullptr, false);
  const L1dOut& shown = cache_->outputs(driven_);  // requests and answers depend on registers alone
  missed_ = memory_request(shown);
  answer_ = core_response(shown);
  direct_goes_ = stage_ && way_ == Way::direct && (direct_first_ || !missed_);
  driven_.memory_request_ready = out1_.ready() && !direct_goes_;
}

// To other cores: what slices answered, then what this L1 did.
void SharedNode::pass_replies() {
  const Message* reply = reply_in0_.front();
  passes_on_ = reply && passes(*reply) && served(*reply);
  reply_.reset();
  if (passes_on_)
    reply_ = with_id(*reply, served_id(reply->id));
  else if (answer_ && served(*answer_))
    reply_ = with_id(*answer_, served_id(answer_->id));
  slice_taken_ = passes_on_ && reply_out_.ready();
  if (answer_ && served(*answer_)) driven_.core_response_ready = reply_out_.ready() && !passes_on_;
}

void SharedNode::answer_core(const TopologyIn& in, TopologyOut& out) {
  const Message* reply = reply_in0_.front();
  const bool own = reply && passes(*reply) && !served(*reply), of_l1 = answer_ && !served(*answer_);
  from_ = held_;
  if (from_ == From::nobody)
    from_ = reply_in1_.front() ? From::home : own ? From::slice : of_l1 ? From::l1 : From::nobody;
  response_.reset();
  if (from_ == From::home) response_ = *reply_in1_.front();
  if (from_ == From::slice) response_ = with_id(*reply, core_id(reply->id));
  if (from_ == From::l1) response_ = with_id(*answer_, core_id(answer_->id));
  out.response[core_] = pointer(response_);
  const bool taken = in.response_ready[core_];
  if (from_ == From::slice) slice_taken_ = taken;
  if (of_l1) driven_.core_response_ready = taken && from_ == From::l1;
  if (reply && !passes(*reply)) slice_taken_ = true;  // a fill
}

void SharedNode::edge(const TopologyIn& in, Edge edge) {
  if (edge == Edge::fast_alone) return;
  watch(in);
  const bool taken = in.response_ready[core_] && response_;
  const bool fired = cache_->events().accesses > 0, entered = l1_request_ && l1_ready_;
  asks_.ready = l1_ready_;
  arbiter_.edge(asks_);
  cache_->edge(driven_);
  if (fired) origins_.pop_front();
  if (entered) origins_.push_back(serves_);
  if (slice_request_ && out1_.ready()) direct_first_ = !direct_goes_;
  out0_.edge(home_request_ ? &*home_request_ : nullptr, sent0_);
  out1_.edge(slice_request_ ? &*slice_request_ : nullptr, sent1_);
  reply_out_.edge(pointer(reply_), sent_reply_);
  reply_in1_.edge(from_homes_.front(), taken && from_ == From::home);
  reply_in0_.edge(from_slices_.front(), slice_taken_);
  in_.edge(from_cores_.front(), serves_ && l1_ready_);
  const Message* request = in.request[core_];
  const bool enters = request && accepts_;
  if (leaves_) stage_.reset();
  if (enters) stage_ = *request;
  open_ += enters - taken;
  held_ = response_ && !taken ? from_ : From::nobody;
}

void SharedNode::reset() {
  for (Fifo<Message>* queue : {&in_, &reply_in0_, &reply_in1_, &reply_out_}) queue->reset();
  out0_.reset(), out1_.reset();
  stage_.reset();
  open_ = 0;
  direct_first_ = false;
  origins_.clear();
  held_ = From::nobody;
  arbiter_.reset();
}

// What a run must come by.
void SharedNode::watch(const TopologyIn& in) {
  if (in.rst) return;
  seen_["local requests"] += leaves_ && way_ == Way::local;
  seen_["both ask for the way to slices"] += missed_ && stage_ && way_ == Way::direct;
  seen_["a full out1"] += !out1_.ready();
  seen_["a full reply-in0"] += !reply_in0_.ready();
  const bool non_l1 = stage_ && stage_->kind == RequestKind::non_l1;
  seen_["non-L1 requests"] += leaves_ && non_l1;
  if (!shared_) return;
  seen_["requests to homes"] += leaves_ && way_ == Way::home;
  direct_ += leaves_ && way_ == Way::direct && !non_l1;
  seen_["a served request passed by a local one"] += asks_.local && asks_.served && !serves_ && l1_ready_;
  seen_["a served request goes before a local one"] += asks_.local && serves_ && l1_ready_;
  seen_["a slice's acknowledgement passed on"] += passes_on_;
  seen_["an answer waits while a home's comes"] +=
      held_ != From::nobody && held_ != From::home && reply_in1_.front() != nullptr;
  seen_["a full in-queue"] += !in_.ready();
  seen_["a full out0"] += !out0_.ready();
  seen_["a full reply-out"] += !reply_out_.ready();
  seen_["a full reply-in1"] += !reply_in1_.ready();
}

void SharedNode::count(EventCounts& events) const {
  for (const auto& [name, n] : seen_) events[name] += n;
  if (min_home_l2_) events["direct requests"] += direct_;
}

}  // namespace golden
