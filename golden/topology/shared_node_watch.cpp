// What a run of cores among shared L1s must come by.
#include "golden/topology/shared_node.h"

namespace golden {

void SharedNode::watch(const TopologyIn& in) {
  ++now_;
  if (in.rst) return;
  watch_stays();
  seen_["local requests"] += leaves_ && way_ == Way::local;
  seen_["both ask for the way to slices"] += missed_ && stage_ && way_ == Way::direct;
  seen_["a full out1"] += !out1_.ready();
  seen_["a full reply-in0"] += !reply_in0_.ready();
  const bool non_l1 = stage_ && stage_->kind == RequestKind::non_l1;
  seen_["non-L1 requests"] += leaves_ && non_l1;
  if (leaves_ && way_ == Way::direct) count_direct(direct_, stage_->kind, stage_->mask);
  if (!shared_) return;
  const bool to_home = leaves_ && way_ == Way::home;
  seen_["requests to homes"] += to_home;
  if (folds_)
    seen_["a home by a folded number"] +=
        to_home && route_.home(stage_->address) != route_.core_bits(stage_->address);
  seen_["a served request passed by a local one"] += asks_.local && asks_.served && !serves_ && l1_ready_;
  seen_["a served request goes before a local one"] += asks_.local && serves_ && l1_ready_;
  seen_["a slice's acknowledgement passed on"] += passes_on_;
  seen_["an answer waits while a home's comes"] +=
      held_ != From::nobody && held_ != From::home && reply_in1_.front() != nullptr;
  seen_["a full in-queue"] += !in_.ready();
  seen_["a full out0"] += !out0_.ready();
  seen_["a full reply-out"] += !reply_out_.ready();
  seen_["a full reply-in1"] += !reply_in1_.ready();
  watch_home();
}

// What requests came to in the L1, in the cycle before.
void SharedNode::watch_home() {
  const L1dCounters& events = cache_->events();
  const bool fails = events.reservation_fail_line + events.reservation_fail_mshr +
                         events.reservation_fail_merge + events.reservation_fail_queue >
                     0;
  seen_["a served request fails"] += fails && !origins_.empty() && origins_.front();
  const auto& probe = cache_->last_probe();
  const bool pending = probe.entry != no_entry, changes = probe.kind != RequestKind::load;
  seen_["a store poisons a miss"] += probe.fired && changes && pending && !probe.poisoned;
  const ProbeEvent* left = cache_->last_event();
  const bool served_load = left && left->is_load() && left->id >> (l1_id_bits_ - 1) & 1;
  served_.loads += served_load;
  served_.hits += served_load && !left->is_miss();
  seen_["a home hit"] += served_load && left->result == Result::hit;
  if (cache_->mshrs().merges() > 1)
    seen_["a home hit on a pending line"] += served_load && left->result == Result::hit_pending;
  seen_["a home miss"] += served_load && left->is_miss();
  if (drops_lines_)
    seen_["a copy in the own L1 is dropped"] +=
        probe.fired && probe.kind == RequestKind::drop && probe.present;
}

// A message comes or leaves where a queue takes it.
void SharedNode::watch_stays() {
  if (home_request_ && out0_.ready()) home_trips_.comes(now_);
  if (from_homes_.front() && reply_in1_.ready()) home_trips_.leaves(now_);
  if (from_cores_.front() && in_.ready()) at_home_.comes(now_);
  if (reply_ && reply_out_.ready()) at_home_.leaves(now_);
  if (slice_request_ && out1_.ready()) slice_trips_.comes(now_);
  if (from_slices_.front() && reply_in0_.ready()) slice_trips_.leaves(now_);
}

void SharedNode::notify(TopologyFigures& figures) const {
  add_counters(figures.direct, direct_);
  figures.homes.push_back(served_);
  figures.home_trips.add(home_trips_);
  figures.at_homes.add(at_home_);
  figures.slice_trips.add(slice_trips_);
}

void SharedNode::count(EventCounts& events) const {
  for (const auto& [name, n] : seen_) events[name] += n;
  organisation_->count(events);
  if (prefers_stale_lines_)
    events["a stale line goes before an older line"] += cache_->tags().stale_lines_taken();
  if (min_home_l2_) events["direct requests"] += direct_.accesses - direct_.non_l1;
}

}  // namespace golden
