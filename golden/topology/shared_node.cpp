// What a core with its L1 among shared L1s does in a cycle and at its edge.
#include "golden/topology/shared_node.h"

#include <bit>

#include "golden/topology/kinds.h"

namespace golden {
namespace {

constexpr int most_open = 1023;

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
      organisation_(LineOrganisation::make(site.params, static_cast<int>(site.number))),
      shared_(site.params.shared.organisation != hw::Organisation::own_lines),
      min_home_l2_(shared_ && site.params.shared.min_home_l2),
      folds_(site.params.shared.home == hw::HomeKind::core_bits &&
             !std::has_single_bit(static_cast<unsigned>(site.params.shape.cores))),
      drops_lines_(hw::has_drops(site.params.shared)),
      prefers_stale_lines_(hw::has_stale_lines(site.params.shared)),
      withdraws_(hw::protects_data(site.params.l1d.ecc)),
      core_id_bits_(site.params.l1d.core_id_bits),
      marked_bits_(core_id_bits_ + hw::mark_bits(site.params.shared)),
      hit_bits_(hw::hit_bits(site.params.shared)),
      l1_id_bits_(cache_params(site.params).core_id_bits),
      memory_id_bits_(memory_id_bits(cache_params(site.params))),
      tally_bits_(hw::tally_bits(site.params.shared)),
      node_(static_cast<std::uint64_t>(route_.core_node(static_cast<int>(site.number)))),
      asker_(site.params.shared.fabric == hw::SharedFabric::mesh ? node_ << (tally_bits_ + memory_id_bits_)
                                                                 : 0),
      first_slice_(site.params.shared.fabric == hw::SharedFabric::mesh ? 0 : site.params.shape.cores),
      to_homes_(site.senders[0]),
      to_slices_(site.senders[1]),
      to_cores_(site.senders[2]),
      from_cores_(site.sinks[0]),
      from_slices_(site.sinks[1]),
      from_homes_(site.sinks[2]),
      cache_(CycleL1d::make(cache_params(site.params))),
      arbiter_({.remote_wait_limit = site.params.shared.remote_wait_limit}),
      responses_(site.params.l1d.check, core_id_bits_),
      fills_(site.params.l1d.check, fetch_id_bits(cache_params(site.params))),
      in_(site.params.shared.queue_entries),
      reply_in0_(site.params.shared.queue_entries),
      reply_in1_(site.params.shared.queue_entries),
      reply_out_(site.params.shared.queue_entries),
      out0_(site.params.shared.queue_entries),
      out1_(site.params.shared.queue_entries) {
  if (prefers_stale_lines_)
    cache_->know_homes(
        [this](std::uint64_t address) { return route_.home(address) != static_cast<int>(core_); });
}

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
    way_ = route_.way(static_cast<int>(core_), stage_->address, stage_->kind != RequestKind::non_l1,
                      organisation_->shared(), organisation_->written());
  drops_ = stage_ && organisation_->drops(stage_->kind, way_);
  enter_cache(in);
  pass_replies();
  answer_core(in, out);
  const L1dOut& shown = cache_->outputs(driven_);
  l1_ready_ = shown.core_request_ready;
  drop_goes_ = drops_ && asks_.local && !serves_ && l1_ready_;
  if (drops_) direct_goes_ = drop_goes_ && way_ == Way::direct;
  driven_.memory_request_ready = out1_.ready() && !direct_goes_;
  leave();
  out.request_ready[core_] = accepts_ =
      !in.flush_valid && open_ < most_open && (!stage_ || leaves_) && organisation_->takes();
  out.flush_ready = out.flush_ready && shown.flush_ready && open_ == 0 && organisation_->clean();
}

// Where the request whose route is known goes, and what goes to slices.
void SharedNode::leave() {
  leaves_ = false;
  home_request_.reset(), slice_request_.reset();
  if (stage_ && way_ == Way::local) leaves_ = l1_ready_ && !serves_;
  if (stage_ && way_ == Way::home && (!drops_ || drop_goes_)) {
    leaves_ = out0_.ready();
    const std::uint64_t id = organisation_->marks() << core_id_bits_ | stage_->id;
    home_request_ =
        Sent{with_id(*stage_, node_ << marked_bits_ | id), route_.core_node(route_.home(stage_->address))};
  }
  if (direct_goes_) leaves_ = out1_.ready();
  if (!direct_goes_ && !missed_) return;
  const Message& m = direct_goes_ ? *stage_ : *missed_;
  const std::uint64_t id = direct_goes_ ? std::uint64_t{1} << (memory_id_bits_ - 1) | m.id : m.id;
  const std::uint64_t tally =
      direct_goes_ ? organisation_->direct_tally() : organisation_->missed_tally(*missed_);
  slice_request_ = Sent{with_id(m, asker_ | tally << memory_id_bits_ | id),
                        route_.slice_node(route_.slice(m.address)) - first_slice_};
}

void SharedNode::steer(const TopologyIn& in) {
  driven_.controls = in.controls[core_];
  if (prefers_stale_lines_) driven_.controls["shared_sets"] = organisation_->shared_sets();
}

// What the L1 is given, but for who takes what it gives.
void SharedNode::enter_cache(const TopologyIn& in) {
  const L1dCounters& events = cache_->events();
  const bool fails = events.reservation_fail_line + events.reservation_fail_mshr +
                         events.reservation_fail_merge + events.reservation_fail_queue >
                     0;
  const bool failed = fails && !origins_.empty() && !origins_.front();
  if (drops_) {
    driven_ = core_side(nullptr, false);
    steer(in);
    missed_ = memory_request(cache_->outputs(driven_));  // depends on registers alone
  }
  asks_ = {.local = stage_ && (way_ == Way::local || (drops_ && way_open())),
           .failed = failed,
           .served = in_.front() != nullptr};
  serves_ = arbiter_.serves(asks_);
  l1_request_.reset();
  if (serves_)
    l1_request_ = with_id(*in_.front(), std::uint64_t{1} << (l1_id_bits_ - 1) | in_.front()->id);
  else if (asks_.local)
    l1_request_ = with_id(*stage_, organisation_->own_marks() << core_id_bits_ | stage_->id);
  if (!serves_ && drops_ && l1_request_) l1_request_->kind = RequestKind::drop;
  driven_ = core_side(pointer(l1_request_), false);
  driven_.rst = in.rst;
  steer(in);
  const Message* reply = reply_in0_.front();
  fill_.reset();
  if (reply && !passes(*reply)) fill_ = with_id(*reply, sent_id(reply->id));
  add_memory_side(driven_, pointer(fill_), false);
  const L1dOut& shown = cache_->outputs(driven_);  // requests and answers depend on registers alone
  missed_ = memory_request(shown);
  answer_ = core_response(shown);
  direct_goes_ = stage_ && way_ == Way::direct && (direct_first_ || !missed_);
}

// To other cores: what slices answered, then what this L1 did.
void SharedNode::pass_replies() {
  const Message* reply = reply_in0_.front();
  passes_on_ = reply && passes(*reply) && served(*reply);
  reply_.reset();
  if (passes_on_)
    reply_ = with_id(*reply, reply_id(reply->id, 0));
  else if (answer_ && served(*answer_))
    reply_ = with_id(*answer_, reply_id(answer_->id, organisation_->answer_hit(cache_->events())));
  slice_taken_ = passes_on_ && reply_out_.ready();
  // An answer that the L1 withdraws keeps its id, by which the L1 may take the next one.
  const Message withdrawn{.id = withdraws_ ? cache_->shown().core_response_id : 0};
  if (served(answer_ ? *answer_ : withdrawn)) driven_.core_response_ready = reply_out_.ready() && !passes_on_;
}

void SharedNode::answer_core(const TopologyIn& in, TopologyOut& out) {
  const Message* reply = reply_in0_.front();
  const bool own = reply && passes(*reply) && !served(*reply), of_l1 = answer_ && !served(*answer_);
  from_ = held_;
  if (from_ == From::nobody)
    from_ = reply_in1_.front() ? From::home : own ? From::slice : of_l1 ? From::l1 : From::nobody;
  response_.reset();
  if (from_ == From::home) response_ = with_id(*reply_in1_.front(), core_id(reply_in1_.front()->id));
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
  const bool enters = in.request[core_] && accepts_;
  organisation_->edge({.flush = driven_.flush_valid,
                       .flush_valid = in.flush_valid,
                       .idle = open_ == 0,
                       .arrives = enters ? in.request[core_] : nullptr,
                       .to_home = stage_ && way_ == Way::home,
                       .answered = taken,
                       .by_slice = from_ == From::slice ? reply_in0_.front() : nullptr,
                       .slice = slice_taken_ ? reply_in0_.front() : nullptr,
                       .home = taken && from_ == From::home ? reply_in1_.front() : nullptr,
                       .enters_l1 = entered ? std::optional(serves_) : std::nullopt,
                       .entering_id = l1_request_ ? l1_request_->id : 0,
                       .down_l1 = driven_.memory_request_ready ? pointer(missed_) : nullptr,
                       .answer_waits = answer_ && !driven_.core_response_ready},
                      cache_->events());
  asks_.ready = l1_ready_;
  const Message* const reply =
      check_edge(enters ? in.request[core_] : nullptr, taken ? pointer(response_) : nullptr);
  arbiter_.edge(asks_);
  cache_->edge(driven_);
  if (fired) origins_.pop_front();
  if (entered) origins_.push_back(serves_);
  if (slice_request_ && out1_.ready()) direct_first_ = !direct_goes_;
  out0_.edge(home_request_ ? &*home_request_ : nullptr, sent0_);
  out1_.edge(slice_request_ ? &*slice_request_ : nullptr, sent1_);
  reply_out_.edge(pointer(reply_), sent_reply_);
  reply_in1_.edge(from_homes_.front(), taken && from_ == From::home);
  reply_in0_.edge(reply, slice_taken_);
  in_.edge(from_cores_.front(), serves_ && l1_ready_);
  if (leaves_) stage_.reset();
  if (enters) stage_ = *in.request[core_];
  open_ += enters - taken;
  held_ = response_ && !taken ? from_ : From::nobody;
}

const Message* SharedNode::check_edge(const Message* request, const Message* response) {
  responses_.edge(request, response);
  const Message* const reply = from_slices_.front();
  std::optional<Message> fill;
  if (reply && reply_in0_.ready() && !passes(*reply))
    fill = with_id(*reply, reply->id & ((std::uint64_t{1} << (memory_id_bits_ - 1)) - 1));
  const bool fetched = missed_ && driven_.memory_request_ready && !passes(*missed_);
  const bool breaks = fills_.breaks(pointer(fill));
  fills_.edge(fetched ? pointer(missed_) : nullptr, pointer(fill));
  return breaks ? nullptr : reply;
}

void SharedNode::reset() {
  responses_.reset(), fills_.reset();
  for (Fifo<Message>* queue : {&in_, &reply_in0_, &reply_in1_, &reply_out_}) queue->reset();
  out0_.reset(), out1_.reset();
  stage_.reset();
  open_ = 0;
  direct_first_ = false;
  origins_.clear();
  held_ = From::nobody;
  arbiter_.reset();
  organisation_->reset();
}

}  // namespace golden
