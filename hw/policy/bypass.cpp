#include "hw/policy/bypass.h"

namespace hw {

using rtl::Expr;

namespace {

Expr either(const Expr& a, const Expr& b) { return a.known() && b.known() ? a | b : a.known() ? a : b; }

}  // namespace

Expr Bypass::refused(const ProbeStage& probe, const TagStore& tags) {
  return either(tags.refuses(), policy_->instead_of_allocation(m_, probe));
}

void Bypass::decide(ProbeStage& probe, TagStore& tags, const Waiting& waiting) {
  Commit& commit = probe.commit;
  Expr others;
  if (probe.verdict.passes.known())
    others = commit.passed = m_.let("bypass_load", probe.verdict.passes & probe.has_place,
                                    "a load that is not looked up asks memory");
  if (commit.refused.known()) {
    const Expr refused = waiting.no_hit & ~probe.entry.match & commit.refused & probe.has_place;
    if (!tags.refuses().known()) commit.closed = refused;
    others = either(others, refused);
  }
  const auto fails = [&] {
    const Causes& causes = tags.causes(probe);
    return causes.line | causes.mshr | causes.merge;
  };
  const Expr stalled = commit.spared = policy_->instead_of_fail(m_, probe, fails);
  if (stalled.known())
    commit.stalled = m_.let(others.known() ? "bypass_stall" : "bypass", stalled & probe.has_place,
                            "the load asks memory for itself rather than wait for a place");
  commit.load = stalled.known() ? probe.verdict.load & ~commit.stalled : probe.verdict.load;
  commit.bypass = commit.stalled;
  if (others.known())
    commit.bypass = m_.let("bypass", either(others, commit.stalled), "the load asks memory for itself");
}

}  // namespace hw
