#include "hw/l1d/events.h"

#include <fmt/format.h>

#include "hw/l1d/request_kind.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

Events request_events(rtl::Module& m, const ProbeStage& probe) {
  const Decision& decision = probe.decision;
  const Commit& commit = probe.commit;
  const auto of_kind = [&](RequestKind kind) {
    return commit.changes & is_kind(m, probe.request.kind, kind);
  };
  return {{"accesses", commit.fire},
          {"loads", commit.touch | commit.bypass},
          {"stores", of_kind(RequestKind::store)},
          {"atomics", of_kind(RequestKind::atomic)},
          {"non_l1", decision.other & probe.queue_not_full & ~decision.changes_line}};
}

// Only where chunks come one by one does a miss find chunks of its line.
Events load_events(const ProbeStage& probe, ProbeEvent& event) {
  const Commit& commit = probe.commit;
  const Expr down = event.fetch_leaves();
  Events list{{"hits", probe.answers.hit}};
  if (const rtl::Condition& some = event.some_present(); some.can_be()) {
    const Expr fetched = down & ~commit.bypass;
    list.insert(list.end(), {{"hit_pending", commit.merge & ~probe.decision.fetches},
                             {"partial_misses", fetched & some},
                             {"misses", fetched & ~some}});
  } else {
    list.insert(list.end(),
                {{"hit_pending", commit.merge}, {"partial_misses", lit(1, 0)}, {"misses", commit.new_entry}});
  }
  const Expr chunks = event.fetched_chunks();
  list.insert(list.end(), {{"bypasses", commit.bypass.bit()},
                           {"bypasses_load", commit.passed.bit()},
                           {"bypasses_stall", commit.stalled.bit()},
                           {"bypasses_protected", commit.closed.bit()},
                           {"requests_down", down},
                           {"chunks_requested", mux(down, chunks, lit(chunks.width(), 0))},
                           {"fills", probe.fill.valid}});
  return list;
}

// The first cause in the order line, MSHR entry, MSHR target, queue slot.
Events fail_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags) {
  const Causes& causes = tags.causes(probe);
  const Expr line = causes.line | probe.decision.held;
  const Expr any = line | causes.mshr | causes.merge;
  const Expr other = m.let("other_cause", any | causes.none_yet,
                           causes.none_yet.can_be() ? "one of these, or none yet" : "one of these");
  // A load that a policy sends past the cache waits for the queue alone.
  const auto fails = [&](const Expr& cause) { return cause & ~probe.commit.bypass_wanted; };
  const Expr needs_place = causes.waits | probe.decision.other | probe.decision.passes;
  // A store that waits for a bank has its slot.
  const rtl::Condition& for_bank = probe.store.waits;
  const Expr stays = needs_place & ~probe.commit.fire;
  const Expr lacks_place = for_bank.can_be() ? stays & ~(for_bank.when() & probe.queue_not_full) : stays;
  return {{"reservation_fail_line", fails(line)},
          {"reservation_fail_mshr", fails(causes.mshr)},
          {"reservation_fail_merge", fails(causes.merge)},
          {"reservation_fail_queue", lacks_place & ~fails(other)}};
}

}  // namespace

// One output a counter, raised in the cycle after.
void add_events(rtl::Module& m, const ProbeStage& probe, ProbeEvent& event, TagStore& tags,
                const StorePolicy& stores) {
  m.section("Events, a cycle late.");
  Events list = request_events(m, probe);
  for (const Events& part : {load_events(probe, event), tags.line_events(probe), stores.events(probe),
                             fail_events(m, probe, tags)})
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
