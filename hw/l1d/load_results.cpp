#include "hw/l1d/load_results.h"

namespace hw {

using rtl::Expr, rtl::lit;

// Only where chunks come one by one does a miss find chunks of its line.
LoadResults load_results(rtl::Module& m, const ProbeStage& probe, TagStore& tags) {
  const Verdict& verdict = probe.verdict;
  const Commit& commit = probe.commit;
  const int chunks = probe.request.mask.width(), bits = rtl::clog2(static_cast<std::uint64_t>(chunks) + 1);
  const Expr load = verdict.passes.known() ? verdict.load | verdict.passes : verdict.load;
  const Expr down = m.let("fetch_leaves", commit.push & load, "a fetch goes to memory");
  LoadResults results{.hit = probe.answers.hit,
                      .hit_pending = commit.merge,
                      .partial_miss = lit(1, 0),
                      .miss = commit.new_entry,
                      .bypass = commit.bypass.known() ? commit.bypass : lit(1, 0),
                      .down = down,
                      .missed = lit(bits, static_cast<std::uint64_t>(chunks))};
  if (!verdict.missed.known()) return results;
  const Expr some = m.let("some_present", verdict.some_present, "a chunk is valid or on its way");
  const Expr fetched = commit.bypass.known() ? down & ~commit.bypass : down;
  results.hit_pending = commit.merge & ~verdict.fetches;
  results.partial_miss = fetched & some;
  results.miss = fetched & ~some;
  results.missed = tags.missed_number(verdict);
  return results;
}

}  // namespace hw
