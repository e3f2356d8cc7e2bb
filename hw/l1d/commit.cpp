#include "hw/l1d/commit.h"

#include "hw/rtl/condition.h"

namespace hw {
namespace {

using rtl::Condition, rtl::Expr;

void frees_stage(rtl::Module& m, const ProbeStage& probe, const Front& front, const Condition& held_up,
                 const Expr& not_full) {
  const Expr written = ~probe.decision.other | not_full;
  const Expr &valid = probe.request.valid, &fire = probe.commit.fire;
  m.assign(front.probe_free, ~(held_up | valid) | fire);
  if (front.data_ready) m.assign(*front.data_ready, ~held_up & written);
}

// A load that waits for the answer stage does not fail, nor a store that waits for a bank. Where a snoop
// passes it the stage moves on and the request has not left: a load that fails touches no way then.
void notifies_fails(rtl::Module& m, ProbeStage& probe, const Waiting& waiting, const Expr& fails,
                    const Expr& not_full) {
  const Expr served = waiting.merge | waiting.new_entry;
  probe.commit.load = (probe.decision.load & probe.decision.hit) | served;
  m.assign(fails, (waiting.no_hit & ~served) | (probe.decision.other & ~not_full));
}

}  // namespace

void commit(rtl::Module& m, ProbeStage& probe, TagStore& tags, Bypass& bypass, const StorePolicy& stores,
            const Front& front, const IndexSocket& index) {
  m.section("Whether the request leaves, and what it changes then.");
  Commit& c = probe.commit;
  probe.store = stores.write(m, probe, tags);
  c.refused = bypass.refused(probe, tags);
  const Waiting waiting = tags.waiting(probe, probe.answers.hit, c.refused);
  c.merge = waiting.merge;
  c.new_entry = waiting.new_entry;
  const Condition passes_by = bypass.decide(probe, tags, waiting);
  Expr load_fires = waiting.leaves;
  if (c.bypass.can_be()) {
    c.touch = m.let("touch", waiting.leaves, "a load that uses a way leaves");
    load_fires = c.touch | passes_by;
  }
  c.load_fires = m.let("load_fires", load_fires, "a load leaves");
  if (!c.bypass.can_be()) c.touch = c.load_fires;
  const Condition &drops = probe.decision.drops, &held = probe.decision.held;
  Expr not_full = probe.queue_not_full;
  if (held.can_be())
    not_full = m.let("not_full", not_full & ~held, "there is a free slot, and no search to wait for");
  if (front.aside) notifies_fails(m, probe, waiting, front.aside->fails, not_full);
  if (const Condition& waits = probe.store.waits; waits.can_be())
    not_full = m.let("may_leave", not_full & ~waits, "and no bank to wait for");
  const Expr other_fires = m.let("other_fires", probe.decision.other & not_full, "another request leaves");
  c.fire = m.let("fire", c.load_fires | other_fires | drops | probe.answers.snoop, "the request leaves");
  frees_stage(m, probe, front, index.held_up() | tags.tags_wait(), not_full);
  tags.take(probe);
  const Expr changes = probe.decision.changes_line & not_full;
  stores.change(m, probe, changes | drops);
  c.poison =
      m.let("poison", c.invalidate & probe.entry.match, "the store or atomic poisons the entry of its line");
  const Expr fetches = other_fires | waiting.fetches;
  c.push = m.let("push", fetches | c.bypass, "a request goes to memory");
  bypass.follow(probe, tags.ways(probe));
}

}  // namespace hw
