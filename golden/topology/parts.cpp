// What the parts of golden topologies do in a cycle and at its edge.
#include "golden/topology/parts.h"

#include "golden/topology/kinds.h"

namespace golden {
namespace {

constexpr int end_entries = 2;  // of the queues at cores and slices

hw::DcL1NodeParams node_params(const PartSite& site) {
  const BitField& field = site.home.field();
  return {.l1d = cache_params(site.params),
          .queue = site.params.node.queue,
          .home_low = field.low,
          .home_bits = field.bits,
          .boost = site.senders[0].fast()};
}

}  // namespace

CorePort::CorePort(const PartSite& site)
    : core_(site.number),
      to_(site.senders[0]),
      from_(site.sinks[0]),
      requests_(end_entries, to_.fast(), true),
      replies_(end_entries, from_.fast(), false),
      answers_(site.params.l1d.check, site.params.l1d.core_id_bits) {}

void CorePort::settle(const TopologyIn& in, TopologyOut& out) {
  sent_ = to_.drive(to_.fast() ? requests_.front() : in.request[core_]);
  out.request_ready[core_] = to_.fast() ? requests_.ready() : sent_;
  out.response[core_] = replies_.front();
  from_.set_ready(replies_.ready());
}

void CorePort::edge(const TopologyIn& in, Edge edge) {
  if (edge == Edge::both) {
    const bool taken = to_.fast() ? requests_.ready() : sent_;
    answers_.edge(taken ? in.request[core_] : nullptr, in.response_ready[core_] ? replies_.front() : nullptr);
  }
  if (to_.fast()) requests_.edge(edge, in.request[core_], sent_);
  replies_.edge(edge, from_.front(), in.response_ready[core_]);
}

void CorePort::reset() {
  answers_.reset();
  requests_.reset();
  replies_.reset();
}

CoreCache::CoreCache(const PartSite& site)
    : core_(site.number),
      to_(site.senders[0]),
      from_(site.sinks[0]),
      requests_(end_entries, to_.fast(), true),
      replies_(end_entries, from_.fast(), false),
      cache_(CycleL1d::make(cache_params(site.params))) {}

void CoreCache::settle(const TopologyIn& in, TopologyOut& out) {
  driven_ = core_side(in.request[core_], in.response_ready[core_]);
  driven_.rst = in.rst;
  driven_.flush_valid = in.flush_valid;
  driven_.controls = in.controls[core_];
  const Message* reply = replies_.front();
  add_memory_side(driven_, reply, false);
  request_ = memory_request(cache_->outputs(driven_));  // depends on registers alone
  sent_ = to_.drive(to_.fast() ? requests_.front() : pointer(request_));
  add_memory_side(driven_, reply, to_.fast() ? requests_.ready() : sent_);
  const L1dOut& shown = cache_->outputs(driven_);
  undefined_ = shown.undefined;
  response_ = core_response(shown);
  response_taken_ = shown.memory_response_ready;
  out.request_ready[core_] = shown.core_request_ready;
  out.response[core_] = pointer(response_);
  out.flush_ready = out.flush_ready && shown.flush_ready;
  from_.set_ready(replies_.ready());
}

void CoreCache::edge(const TopologyIn&, Edge edge) {
  if (edge == Edge::both) cache_->edge(driven_);  // reads what is in front of the replies
  if (to_.fast()) requests_.edge(edge, pointer(request_), sent_);
  replies_.edge(edge, from_.front(), response_taken_);
}

void CoreCache::reset() {
  requests_.reset();
  replies_.reset();
}

NodePort::NodePort(const PartSite& site)
    : number_(site.number),
      to_cores_(site.senders[0]),
      to_slices_(site.senders[1]),
      from_cores_(site.sinks[0]),
      from_slices_(site.sinks[1]),
      node_(node_params(site), number_ % static_cast<std::size_t>(site.home.rule().homes)),
      memory_id_bits_(memory_id_bits(cache_params(site.params))),
      fills_(site.params.l1d.check, fetch_id_bits(cache_params(site.params))) {}

void NodePort::settle(const TopologyIn& in, TopologyOut& out) {
  driven_ = {.rst = in.rst,
             .core_request = from_cores_.front(),
             .core_response_ready = to_cores_.drive(node_.core_response()),
             .memory_request_ready = to_slices_.drive(node_.memory_request()),
             .memory_response = from_slices_.front(),
             .flush_valid = in.flush_valid,
             .controls = in.controls[number_]};
  from_cores_.set_ready(node_.core_request_ready());
  from_slices_.set_ready(node_.memory_response_ready());
  const L1dOut& shown = node_.cache_outputs(driven_);
  out.flush_ready = out.flush_ready && shown.flush_ready;
}

void NodePort::edge(const TopologyIn&, Edge edge) {
  if (edge == Edge::both) {
    const auto of_fetch = [this](const Message* m, bool taken) {
      return m && taken && !(m->id >> (memory_id_bits_ - 1) & 1) ? m : nullptr;
    };
    const Message* const answer = of_fetch(driven_.memory_response, node_.memory_response_ready());
    const bool breaks = fills_.breaks(answer);
    fills_.edge(of_fetch(node_.memory_request(), driven_.memory_request_ready), answer);
    if (breaks) driven_.memory_response = nullptr;  // the cache would not know it
  }
  node_.edge(driven_, edge);
}

Relay::Relay(const PartSite& site)
    : to_cores_(site.senders[0]),
      to_slices_(site.senders[1]),
      from_cores_(site.sinks[0]),
      from_slices_(site.sinks[1]),
      requests_(site.params.node.queue, from_cores_.fast(), false),
      replies_(site.params.node.queue, to_cores_.fast(), true) {}

void Relay::settle(const TopologyIn&, TopologyOut&) {
  request_sent_ = to_slices_.drive(requests_.front());
  reply_sent_ = to_cores_.drive(replies_.front());
  from_cores_.set_ready(requests_.ready());
  from_slices_.set_ready(replies_.ready());
}

void Relay::edge(const TopologyIn&, Edge edge) {
  requests_.edge(edge, from_cores_.front(), request_sent_);
  replies_.edge(edge, from_slices_.front(), reply_sent_);
}

void Relay::reset() {
  requests_.reset();
  replies_.reset();
}

SlicePort::SlicePort(const PartSite& site)
    : slice_(site.number), to_(site.senders[0]), from_(site.sinks[0]), requests_(end_entries) {}

void SlicePort::settle(const TopologyIn& in, TopologyOut& out) {
  out.slice_request[slice_] = requests_.front();
  from_.set_ready(requests_.ready());
  out.slice_response_ready[slice_] = answered_ = to_.drive(in.slice_response[slice_]);
}

void SlicePort::edge(const TopologyIn& in, Edge edge) {
  if (edge == Edge::fast_alone) return;
  ++now_;
  if (requests_.front() && in.slice_request_ready[slice_]) outside_.comes(now_);
  if (in.slice_response[slice_] && answered_) outside_.leaves(now_);
  requests_.edge(from_.front(), in.slice_request_ready[slice_]);
}

}  // namespace golden
