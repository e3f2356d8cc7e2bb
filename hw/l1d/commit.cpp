#include "hw/l1d/commit.h"

#include "hw/rtl/condition.h"

namespace hw {
namespace {

using rtl::Condition, rtl::Expr;

void frees_stage(rtl::Module& m, const ProbeStage& probe, const Front& front, const Condition& held_up,
                 const Expr& room) {
  const Expr written = ~probe.verdict.other | room;
  const Expr &valid = probe.request.valid, &fire = probe.commit.fire;
  m.assign(front.probe_free, ~(held_up | valid) | fire);
  m.assign(*front.payload_free, ~held_up & written);
}

// A load that waits for the answer stage does not fail, nor a store that waits for a bank. Where a snoop
// passes it the stage moves on and the request has not left: a load that fails touches no way then.
void tells_fails(rtl::Module& m, ProbeStage& probe, const Waiting& waiting, const Expr& fails,
                 const Expr& room) {
  const Expr served = waiting.merge | waiting.new_entry;
  probe.commit.load = (probe.verdict.load & probe.verdict.hit) | served;
  m.assign(fails, (waiting.no_hit & ~served) | (probe.verdict.other & ~room));
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
  const Condition &drops = probe.verdict.drops, &held = probe.verdict.held;
  Expr room = probe.has_place;
  if (held.can_be()) room = m.let("room", room & ~held, "there is a free slot, and no search to wait for");
  if (front.aside) tells_fails(m, probe, waiting, front.aside->fails, room);
  if (const Condition& waits = probe.store.waits; waits.can_be())
    room = m.let("may_leave", room & ~waits, "and no bank to wait for");
  const Expr other_fires = m.let("other_fires", probe.verdict.other & room, "another request leaves");
  c.fire = m.let("fire", c.load_fires | other_fires | drops | probe.answers.peek, "the request leaves");
  frees_stage(m, probe, front, index.held_up(), room);
  tags.take(probe);
  const Expr changes = probe.verdict.changes_line & room;
  stores.change(m, probe, changes | drops);
  c.doom =
      m.let("doom", c.invalidate & probe.entry.match, "the store or atomic poisons the entry of its line");
  const Expr fetches = other_fires | waiting.fetches;
  c.push = m.let("push", fetches | c.bypass, "a request goes to memory");
  bypass.follow(probe, tags.ways(probe));
}

}  // namespace hw
