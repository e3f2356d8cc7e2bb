#include "hw/tags/data_in_ways.h"

#include "hw/prim/one_hot.h"
#include "hw/tags/way_data.h"

namespace hw {

using rtl::Expr, rtl::mux, rtl::replicate;

void DataInWays::filled_place(const std::optional<Expr>& way) {
  if (way) {
    fill_way_ = one_hot_of(m_, "fill_way", *way, p_.ways, "way of the fill's line, one-hot");
  } else {
    fill_way_ = m_.wire("fill_way", p_.ways, "way of the fill's entry, one-hot");
    filled_pins_ = {{"fill_way", fill_way_}};
  }
}

void DataInWays::replayed_place() {
  replay_way_ = m_.wire("replay_way", p_.ways, "way of the waiting load's line, one-hot");
}

// A hit or a replay asks unless a fill writes what it would read. Whether a probe hits is known last, so its
// turn is worked out without it.
Answers DataInWays::answers(const ProbeStage& probe, const Turn& turn) {
  const Fill& fill = probe.fill;
  const Expr overlap = m_.let("probe_overlap", fill.valid & rtl::any(probe.request.mask & fill.mask),
                              "a fill writes chunks of the probe's");
  const Expr clear_ways = m_.let("clear_ways", ~(fill_way_ & replicate(p_.ways, overlap)),
                                 "ways that the probe may read beside it");
  const Decision& decision = probe.decision;
  Answers a;
  const Expr loads = decision.load & turn.may_read & ~probe.ahead.there;
  const Expr hits = loads & rtl::any(hit_ & clear_ways);
  if (decision.snoops.can_be())
    a.hit_asks =
        m_.let("hit_asks", hits | (decision.snoops.when() & turn.may_read & ~rtl::any(hit_ & ~clear_ways)),
               "the probe's hit, or what a snoop has found");
  else
    a.hit_asks = m_.let("hit_asks", hits, "the probe's hit");
  const Expr replay_overlap = m_.let("replay_overlap", fill.valid & rtl::any(probe.replay.mask & fill.mask),
                                     "a fill writes chunks of the replay's");
  const Expr blocked =
      m_.let("replay_blocked", replay_overlap & rtl::any(replay_way_ & fill_way_), "in its way");
  const Expr waiting = probe.replay.ready & turn.may_read;
  a.replay_asks = m_.let("replay_asks", waiting & ~blocked, "the waiting load");
  const Expr hit_first =
      m_.let("hit_first", turn.free & (turn.hit | (~turn.direct_asks & (turn.direct | ~a.replay_asks))),
             "a hit would be granted");
  const Expr granted = a.hit_asks & hit_first;
  if (decision.snoops.can_be()) {
    a.snoop = m_.let("grant_snoop", granted & decision.snoops, "the probe's snoop is answered");
    a.hit = m_.let("grant_hit", granted & ~decision.snoops, "the probe's hit is answered");
  } else {
    a.hit = m_.let("grant_hit", granted, "the probe's hit is answered");
  }
  const Expr replay_first = m_.let("replay_first", turn.free & (turn.replay | (~turn.direct_asks | turn.hit)),
                                   "the replay would be granted without a hit");
  a.replay = m_.let("grant_replay", a.replay_asks & replay_first & (turn.replay | ~a.hit_asks),
                    "the replay is answered");
  return a;
}

DataInWays::Meeting DataInWays::store_meets(const ProbeStage& probe) {
  const int chunks = chunks_of_line(p_);
  const auto meets = [&](const char* name, const Expr& mask, const Expr& when, const char* doc) {
    return m_.let(name, probe.store.wanted & mask & replicate(chunks, when), doc);
  };
  return {meets("store_meets_fill", probe.fill.mask, probe.fill.valid,
                "chunks of the store that a fill writes, in some way"),
          meets("store_meets_replay", probe.replay.mask, probe.replay.ready,
                "chunks of the store that the waiting load would read, in some way")};
}

Expr DataInWays::banks_taken(const ProbeStage& probe, const Expr& held) {
  const Meeting with = store_meets(probe);
  return rtl::any(held & with.fill) | (rtl::any(line_ & replay_way_) & rtl::any(held & with.replay));
}

// The way is known last.
Expr DataInWays::banks_taken(const ProbeStage& probe) {
  const Meeting with = store_meets(probe);
  const Expr ways = m_.let(
      "ways_taken",
      replicate(p_.ways, rtl::any(with.fill)) | (replay_way_ & replicate(p_.ways, rtl::any(with.replay))),
      "ways that a store may not write in this cycle");
  return rtl::any(line_ & ways);
}

// All ways of the set of a request that enters, unless a store writes meanwhile: which of them has the line
// is known in the cycle after.
rtl::Condition DataInWays::read_ahead(const ProbeStage& probe) {
  if (!p_.reads_ahead) return {};
  const Entering& next = probe.next;
  Expr comes = next.moves & next.comes;
  if (next.rehashed.can_be()) comes = comes & ~next.rehashed;
  if (probe.store.writes) comes = comes & ~*probe.store.writes;
  const Expr reads = m_.let("reads_ahead", comes & probe.ahead.may, "the next request's data is read");
  m_.clocked("Whether the probe's data has been read.", [&] { m_.set(probe.ahead.there.when(), reads); });
  return reads;
}

// Read before it is known that the answer is granted: while the answer stage is free, nobody looks.
void DataInWays::add_store(const ProbeStage& probe, const Expr& read_data) {
  const Answers& answers = probe.answers;
  const Recovery& again = probe.recovery;
  const auto shown = [&](const Expr& of_again, const Expr& of_replay, const Expr& of_probe) {
    const Expr other = mux(answers.replay_shown, of_replay, of_probe);
    return mux(again.first_reads, of_again, other);
  };
  const Decision& decision = probe.decision;
  const Expr reads = (decision.load & ~probe.ahead.there) | decision.snoops;
  const Expr asked = (reads & decision.hit) | probe.replay.ready | again.first_reads;
  const rtl::Condition ahead = read_ahead(probe);
  const rtl::Condition& may = probe.ahead.may;
  Pins pins{
      {"fill", probe.fill.valid},
      {"fill_set", probe.fill.set_index},
      {"fill_way", fill_way_},
      {"fill_mask", probe.fill.mask},
      {"fill_data", probe.fill.data},
      {"read", (answers.free & asked) | ahead},
      {"read_set", mux(may, probe.next.set_index,
                       shown(again.set_index, probe.replay.set_index, probe.request.set_index))},
      {"read_way", mux(may, rtl::ones(p_.ways), shown(again.way, replay_way_, hit_))},
      {"read_mask", mux(may, probe.next.mask, shown(again.mask, probe.replay.mask, probe.request.mask))},
      {"read_data", read_data}};
  if (p_.ways > 1) pins.emplace_back("shows", answers.takes);
  if (p_.reads_ahead && p_.ways > 1)
    pins.insert(pins.end(), {{"at_once", probe.ahead.there.when()}, {"hit_way", hit_}});
  if (again.wrong) pins.emplace_back("wrong", *again.wrong);
  if (again.corrects.can_be())
    pins.insert(pins.end(), {{"corrects", again.corrects.when()}, {"uncorrectable", again.uncorrectable}});
  if (probe.store.writes)
    pins.insert(pins.end(), {{"store", *probe.store.writes},
                             {"store_set", probe.request.set_index},
                             {"store_way", line_},
                             {"store_mask", probe.store.chunks},
                             {"store_byte_enable", probe.request.written->byte_enable},
                             {"store_data", probe.request.written->data}});
  m_.instance(way_data(p_, m_.name() + "_data_store"), "data_store", pins, "Data store.");
}

}  // namespace hw
