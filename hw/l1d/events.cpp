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

// Only where chunks come one by one does a miss find chunks of its line.
Events load_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags) {
  const Verdict& verdict = probe.verdict;
  const Commit& commit = probe.commit;
  const int chunks_n = probe.request.mask.width(),
            bits = rtl::clog2(static_cast<std::uint64_t>(chunks_n) + 1);
  const bool bypasses = commit.bypass.known();
  const Expr load = verdict.passes.known() ? verdict.load | verdict.passes : verdict.load;
  const Expr down = m.let("fetch_leaves", commit.push & load, "a fetch goes to memory");
  Events list{{"hits", probe.answers.hit}};
  Expr chunks = lit(bits, static_cast<std::uint64_t>(chunks_n));
  if (verdict.missed.known()) {
    const Expr some = m.let("some_present", verdict.some_present, "a chunk is valid or on its way");
    const Expr fetched = bypasses ? down & ~commit.bypass : down;
    list.insert(list.end(), {{"hit_pending", commit.merge & ~verdict.fetches},
                             {"partial_misses", fetched & some},
                             {"misses", fetched & ~some}});
    chunks = tags.missed_number(verdict);
  } else {
    list.insert(list.end(),
                {{"hit_pending", commit.merge}, {"partial_misses", lit(1, 0)}, {"misses", commit.new_entry}});
  }
  if (bypasses)
    chunks = mux(commit.bypass,
                 ones_of(m, "asked_number", probe.request.mask, "chunks that the load asks for"), chunks);
  list.insert(list.end(), {{"bypasses", bypasses ? commit.bypass : lit(1, 0)},
                           {"requests_down", down},
                           {"chunks_requested", mux(down, chunks, lit(bits, 0))},
                           {"fills", probe.fill.valid}});
  return list;
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
void add_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags) {
  m.section("Events, told in the cycle after.");
  Events list = request_events(probe);
  for (const Events& part :
       {load_events(m, probe, tags), tags.line_events(probe), fail_events(m, probe, tags)})
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
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    m.assign(outputs[i], registers[i].first);
    m.observe(outputs[i].node().text, outputs[i]);
  }
}

}  // namespace hw
