#include "hw/tags/planned_store.h"

namespace hw {

using rtl::Expr, rtl::lit;

void PlannedStore::plan(const ProbeStage& probe) {
  planned_q_ = m_.reg("planned_q", 1, 0, "the load in the tag-lookup stage stood there in the cycle before");
  m_.clocked("Whether there is a plan.", [&] {
    m_.set(planned_q_, probe.decision.load & ~probe.entry.poisoned);
    m_.when(probe.next.enters, [&] { m_.set(planned_q_, lit(1, 0)); });
  });
  plan_ = m_.let("plan_holds", planned_q_ & enough_, "the plan has a slot for each missed chunk");
}

Waiting PlannedStore::waiting(const ProbeStage& probe, const Expr& grant_hit, const rtl::Condition& refused) {
  const Entry& entry = probe.entry;
  const Decision& decision = probe.decision;
  plan(probe);
  const Expr fetch = m_.let("can_fetch", plan_ & probe.queue_not_full, "the missed chunks may be fetched");
  Waiting w;
  w.no_hit = m_.let("no_hit", decision.load & ~decision.hit, "the request is a load that must wait or fail");
  w.merge = m_.let("merge",
                   w.no_hit & entry.match & ~entry.poisoned & entry.mergeable & (fetch | ~decision.fetches),
                   "the load waits in the entry that it matched");
  const Expr takes = w.no_hit & ~entry.match & entry.has_free & fetch;
  w.new_entry = m_.let("new_entry", takes & ~refused, "the load takes a new entry");
  waits_ = m_.let("becomes_target", w.merge | w.new_entry, "the load waits in an entry");
  allocate_ =
      m_.let("allocate", w.new_entry | (w.merge & decision.fetches), "the missed chunks take their slots");
  w.leaves = grant_hit | waits_;
  w.fetches = allocate_;
  return w;
}

// The load makes its plan.
rtl::Condition PlannedStore::undecided(const ProbeStage& probe) const {
  return probe.decision.fetches & ~probe.entry.poisoned & ~planned_q_;
}

// A load that makes its plan has no cause yet.
Causes PlannedStore::fail_causes(const ProbeStage& probe) {
  const Entry& entry = probe.entry;
  const Expr& fetches = probe.decision.fetches;
  Causes c;
  c.waits = m_.let("must_wait", probe.decision.load & ~probe.decision.hit, "a load that is no hit");
  if (p_.counters) c.none_yet = m_.let("plans", c.waits & undecided(probe), "the load makes its plan");
  const Expr no_places = fetches & planned_q_ & ~enough_;
  c.line = m_.let("no_line", c.waits & (entry.poisoned | no_places), "slots are wanting, or a store came");
  c.mshr = m_.let("no_entry", c.waits & plan_ & ~entry.match & ~entry.has_free, "no MSHR entry");
  c.merge =
      m_.let("no_merge", c.waits & entry.match & ~entry.poisoned & ~entry.mergeable & (plan_ | ~fetches),
             "no MSHR target");
  return c;
}

}  // namespace hw
