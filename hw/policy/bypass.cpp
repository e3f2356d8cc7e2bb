#include "hw/policy/bypass.h"

namespace hw {

using rtl::Condition, rtl::Expr;

Condition Bypass::refused(const ProbeStage& probe, const TagStore& tags) {
  return tags.refuses() | policy_->instead_of_allocation(m_, probe);
}

Condition Bypass::decide(ProbeStage& probe, TagStore& tags, const Waiting& waiting) {
  Commit& commit = probe.commit;
  Condition others, refused, leaves;
  if (const Condition& passes = probe.decision.passes; passes.can_be())
    others = commit.passed = m_.let("bypass_load", passes.when() & probe.queue_not_full,
                                    "a load that is not looked up asks memory");
  if (commit.refused.can_be()) {
    refused = waiting.no_hit & ~probe.entry.match & commit.refused & probe.queue_not_full;
    if (!tags.refuses().can_be()) commit.closed = refused;
    others = others | refused;
  }
  commit.load = probe.decision.load;
  if (const Condition condition = policy_->instead_of_fail(m_, probe); condition.can_be()) {
    const Expr may = waiting.no_hit & condition & ~tags.undecided(probe);
    leaves = may & probe.queue_not_full;
    spare(probe, may, waiting.merge | waiting.new_entry | refused, others.can_be());
  }
  commit.bypass = commit.stalled;
  if (others.can_be())
    commit.bypass = m_.let("bypass", (others | commit.stalled).when(), "the load asks memory for itself");
  return leaves.can_be() ? others | leaves : commit.bypass;
}

// The cause of the fail is left out: its effects depend on this. A load that would find all but a slot in
// the queue may seem to bypass; it stays all the same.
void Bypass::spare(ProbeStage& probe, const Expr& may, const Expr& served, bool among_others) {
  Commit& commit = probe.commit;
  const Expr finds_nothing = m_.let("finds_nothing", may & ~served,
                                    "the load finds no line, MSHR entry or MSHR target, and may bypass");
  commit.bypass_wanted = finds_nothing;
  commit.stalled = m_.let(among_others ? "bypass_stall" : "bypass", finds_nothing & probe.queue_not_full,
                          "the load bypasses the cache rather than wait for a free line, entry or target");
  // The same for a load that leaves as that it is not stalled, and known earlier.
  commit.load = (probe.decision.load & probe.decision.hit) | served;
}

}  // namespace hw
