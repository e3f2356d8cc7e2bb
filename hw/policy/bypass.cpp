#include "hw/policy/bypass.h"

namespace hw {

using rtl::Expr;

namespace {

Expr either(const Expr& a, const Expr& b) { return a.known() && b.known() ? a | b : a.known() ? a : b; }

}  // namespace

Expr Bypass::refused(const ProbeStage& probe, const TagStore& tags) {
  return either(tags.refuses(), policy_->instead_of_allocation(m_, probe));
}

Expr Bypass::decide(ProbeStage& probe, TagStore& tags, const Waiting& waiting) {
  Commit& commit = probe.commit;
  Expr others, refused, leaves;
  if (probe.verdict.passes.known())
    others = commit.passed = m_.let("bypass_load", probe.verdict.passes & probe.has_place,
                                    "a load that is not looked up asks memory");
  if (commit.refused.known()) {
    refused = waiting.no_hit & ~probe.entry.match & commit.refused & probe.has_place;
    if (!tags.refuses().known()) commit.closed = refused;
    others = either(others, refused);
  }
  commit.load = probe.verdict.load;
  if (const auto condition = policy_->instead_of_fail(m_, probe)) {
    Expr may = condition->known() ? waiting.no_hit & *condition : waiting.no_hit;
    if (const Expr undecided = tags.undecided(probe); undecided.known()) may = may & ~undecided;
    leaves = may & probe.has_place;
    spare(probe, may, either(waiting.merge | waiting.new_entry, refused), others.known());
  }
  commit.bypass = commit.stalled;
  if (others.known())
    commit.bypass = m_.let("bypass", either(others, commit.stalled), "the load asks memory for itself");
  return leaves.known() ? either(others, leaves) : commit.bypass;
}

// The cause of the fail is left out: its effects depend on this. A load that would find all but a slot in
// the queue may seem to bypass; it stays all the same.
void Bypass::spare(ProbeStage& probe, const Expr& may, const Expr& served, bool among_others) {
  Commit& commit = probe.commit;
  commit.spared = m_.let("finds_nothing", may & ~served,
                         "the load finds no line, MSHR entry or MSHR target, and may bypass");
  commit.stalled = m_.let(among_others ? "bypass_stall" : "bypass", commit.spared & probe.has_place,
                          "the load bypasses the cache rather than wait for a free line, entry or target");
  // The same for a load that leaves as that it is not stalled, and known earlier.
  commit.load = (probe.verdict.load & probe.verdict.hit) | served;
}

}  // namespace hw
