#include "hw/l1d/answer.h"

#include <array>

namespace hw {
namespace {

enum class Grant : std::uint64_t { hit, replay, direct };

rtl::Expr grant_constant(rtl::Module& m, Grant who) {
  static constexpr std::array names{"GRANT_HIT", "GRANT_REPLAY", "GRANT_DIRECT"};
  const auto number = static_cast<std::size_t>(who);
  return m.constant(names[number], 2, number);
}

using rtl::Expr, rtl::lit, rtl::mux;

struct Registers {
  Registers(rtl::Module& m, const rtl::Stream& out)
      : valid(m.reg("answer_valid_q", 1, 0, "the answer stage holds an answer")),
        id(m.data_reg("answer_id_q", out["id"].width(), "id of the request that is answered")),
        mask(m.data_reg("answer_mask_q", out["mask"].width(), "chunks of the answer")),
        direct(m.data_reg("answer_direct_q", 1, "the answer's data comes from memory, not from the store")),
        data(m.data_reg("direct_data_q", out["data"].width(), "data from memory")),
        turn(m.reg("pointer_q", grant_constant(m, Grant::hit), "kind of answer that is granted first")) {}

  Expr valid, id, mask, direct, data, turn;
};

// What the stage takes: the direct answer, else that of the replay or the hit.
void take(rtl::Module& m, const Registers& q, const rtl::Stream& memory, const ProbeStage& probe,
          const Answers& a, const Expr& direct, const Expr& grant_direct, const rtl::Condition& kept,
          const RecoveryStage* recovery, const rtl::Condition& snoop_wrong) {
  const Expr of_probe = a.hit | a.snoop;
  const Expr granted = m.let("granted", of_probe | a.replay | grant_direct, "the stage takes an answer");
  m.clocked("The source with the next grant.", [&] {
    const Expr after_others = mux(a.replay, grant_constant(m, Grant::direct), grant_constant(m, Grant::hit));
    m.when(granted, [&] { m.set(q.turn, mux(of_probe, grant_constant(m, Grant::replay), after_others)); });
  });
  const Recovery& again = probe.recovery;
  const Expr comes = granted | again.reads | kept;
  const Expr changes = recovery ? a.takes | recovery->withdrawn() : a.takes;
  m.clocked("Answer stage.", [&] { m.when(changes, [&] { m.set(q.valid, comes); }); });
  const auto taken = [&](const Expr& from_memory, const Expr& from_again, const Expr& from_replay,
                         const Expr& from_probe) {
    const Expr read = mux(a.replay_shown, from_replay, from_probe);
    const Expr shown = mux(again.first_reads, from_again, read);
    return mux(grant_direct, from_memory, shown);
  };
  // The answer to a snoop has no chunks where the line is not there.
  const Expr &asked = probe.request.mask, &hit = probe.decision.hit;
  const Expr given = a.snoop.can_be() ? asked & rtl::replicate(asked.width(), hit) : asked;
  m.clocked("The fields of the response, if the stage holds one.", [&] {
    m.when(a.takes, [&] {
       m.set(q.id,
             taken(memory["id"].slice(q.id.width() - 1, 0), again.id, probe.replay.id, probe.request.id));
       m.set(q.mask, taken(memory["mask"], again.mask, probe.replay.mask, given));
       m.set(q.direct, grant_direct);
     }).otherwise([&] {
      if (snoop_wrong.can_be()) m.when(snoop_wrong.when(), [&] { m.set(q.mask, lit(q.mask.width(), 0)); });
    });
  });
  m.clocked("Data from memory.", [&] { m.when(a.free & direct, [&] { m.set(q.data, memory["data"]); }); });
}

}  // namespace

AnswerStage answer_stage(rtl::Module& m, const CachePorts& ports, ProbeStage& probe, const Expr& direct,
                         TagStore& tags, RecoveryStage* recovery) {
  const rtl::Stream &out = ports.core_response, &memory = ports.memory_response;
  m.section("Answers to the core.");
  const Registers q(m, out);
  const rtl::Condition slow = recovery ? recovery->slow() : rtl::Condition(),
                       may_read = ~probe.recovery.waits;
  // A hit that is answered without the stage has it to itself if the core is not ready.
  const rtl::Condition& at_once = probe.ahead.answers;
  const rtl::Condition kept = at_once.can_be()
                                  ? rtl::Condition(m.let("hit_kept", at_once & ~out.ready,
                                                         "the hit is shown, and moves into the answer stage"))
                                  : rtl::Condition();
  std::optional<Expr> takes;
  if (at_once.can_be())
    takes = m.let("answer_takes", ~q.valid | out.ready, "the answer stage takes an answer, or the hit");
  const Expr free =
      m.let("answer_free", (~(q.valid | at_once) | out.ready) & ~slow, "the answer stage can take an answer");
  const auto turn = [&](Grant who) { return q.turn == grant_constant(m, who); };
  AnswerStage stage;
  Answers& a = stage.answers = tags.answers(probe, {.free = free,
                                                    .hit = turn(Grant::hit),
                                                    .replay = turn(Grant::replay),
                                                    .direct = turn(Grant::direct),
                                                    .direct_asks = direct,
                                                    .may_read = may_read});
  a.free = free;
  a.takes = takes.value_or(free);
  // Beside a direct answer there is no fill.
  const Decision& decision = probe.decision;
  const Expr loads = decision.load & decision.hit & ~probe.ahead.there;
  const Expr hits = loads & may_read;
  const Expr found = decision.snoops.can_be() ? hits | (decision.snoops.when() & may_read) : hits;
  const Expr no_hit_first = turn(Grant::replay) | ~found;
  const Expr& ready = probe.replay.ready;
  const Expr no_replay = ~(ready & may_read);
  const Expr grant_direct =
      m.let("grant_direct", free & direct & (turn(Grant::direct) | (no_replay & no_hit_first)),
            "the direct answer is taken");
  // Who is answered if anybody is: known without the many conditions of a grant.
  a.replay_shown = m.let("replay_shown", (~a.hit_asks | (turn(Grant::replay) & a.replay_asks)) & ~kept,
                         "the answer would be no hit's");
  m.assign(memory.ready, probe.fill.valid | grant_direct);
  Recovery& again = probe.recovery;
  if (again.first_reads.can_be())
    again.reads = m.let("reads_again", free & again.first_reads & ~memory.valid,
                        "the load that is recovered reads its data once more");
  probe.answers = a;
  const rtl::Condition snoop_wrong = recovery ? recovery->snoop_wrong(probe, q.mask) : rtl::Condition();
  take(m, q, memory, probe, a, direct, grant_direct, kept, recovery, snoop_wrong);
  if (at_once.can_be()) {
    probe.ahead.may = m.let("ahead", free & ~memory.valid & ~(found | ready),
                            "the answer stage will be empty, and no bank is needed for it");
    a.hit = m.let("answered_hit", a.hit | at_once, "the probe's hit is answered, through the stage or not");
    probe.answers = a;
  }
  m.assign(out.valid, recovery ? q.valid & ~recovery->withheld() : q.valid | at_once);
  const rtl::Condition& there = probe.ahead.there;
  m.assign(out["id"], mux(there, probe.request.id, q.id));
  const Expr right =
      snoop_wrong.can_be() ? q.mask & rtl::replicate(q.mask.width(), ~snoop_wrong.when()) : q.mask;
  m.assign(out["mask"], mux(there, probe.request.mask, right));
  stage.read_data = m.wire("read_data", out["data"].width(), "the line read last");
  m.assign(out["data"], mux(q.direct, q.data, stage.read_data));
  if (recovery) recovery->run(probe, q.id, q.mask);
  return stage;
}

}  // namespace hw
