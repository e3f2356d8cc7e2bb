#include "hw/l1d/events.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

Events request_events(const ProbeStage& probe) {
  const Verdict& verdict = probe.verdict;
  const Commit& commit = probe.commit;
  const auto of_kind = [&](std::uint64_t kind) {
    return commit.invalidate & (probe.request.kind == lit(2, kind));
  };
  return {{"accesses", commit.fire},
          {"loads", commit.bypass.known() ? commit.touch | commit.bypass : commit.touch},
          {"stores", of_kind(1)},
          {"atomics", of_kind(2)},
          {"non_l1", verdict.other & probe.has_place & ~verdict.changes_line}};
}

Events load_events(rtl::Module& m, const ProbeStage& probe, const LoadResults& results) {
  Expr chunks = results.missed;
  if (probe.commit.bypass.known())
    chunks = mux(results.bypass,
                 ones_of(m, "asked_number", probe.request.mask, "chunks that the load asks for"), chunks);
  return {{"hits", results.hit},
          {"hit_pending", results.hit_pending},
          {"partial_misses", results.partial_miss},
          {"misses", results.miss},
          {"bypasses", results.bypass},
          {"requests_down", results.down},
          {"chunks_requested", mux(results.down, chunks, lit(chunks.width(), 0))},
          {"fills", probe.fill.valid}};
}

// The first cause in the order line, MSHR entry, merge place, queue place.
Events fail_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags) {
  const Causes& causes = tags.causes(probe);
  const Expr any = causes.line | causes.mshr | causes.merge;
  const Expr other = causes.none_yet.known()
                         ? m.let("other_cause", any | causes.none_yet, "one of these, or none yet")
                         : m.let("other_cause", any, "one of these");
  const auto fails = [&](const Expr& cause) {
    return probe.commit.stalled.known() ? cause & ~probe.commit.stalled : cause;
  };
  return {{"reservation_fail_line", fails(causes.line)},
          {"reservation_fail_mshr", fails(causes.mshr)},
          {"reservation_fail_merge", fails(causes.merge)},
          {"reservation_fail_queue", (causes.waits | probe.verdict.other) & ~probe.commit.fire & ~other}};
}

}  // namespace

// One output a counter, told in the cycle after.
void add_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags, const LoadResults& results) {
  m.section("Events, told in the cycle after.");
  Events list = request_events(probe);
  for (const Events& part :
       {load_events(m, probe, results), tags.line_events(probe), fail_events(m, probe, tags)})
    list.insert(list.end(), part.begin(), part.end());
  std::vector<std::pair<Expr, Expr>> registers;
  std::vector<Expr> outputs;
  for (const auto& [name, now] : list) {
    outputs.push_back(m.output("event_" + name, now.width(), "counter " + name + ", of the cycle before"));
    registers.emplace_back(m.reg(fmt::format("event_{}_q", name), now.width(), 0, "counter " + name), now);
  }
  m.clocked("Events.", [&] {
    for (const auto& [q, now] : registers) m.set(q, now);
  });
  for (std::size_t i = 0; i < outputs.size(); ++i) m.assign(outputs[i], registers[i].first);
}

}  // namespace hw
