#include "hw/mshr/chunk_waits.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

ChunkWaits chunk_waits(TargetsPart& f) {
  rtl::Module& m = f.m;
  const int row = f.chunks * f.count_width, bits = f.count_width;
  m.section("Loads that wait for each chunk.");
  const ChunkWaits waits{
      .waits_q = m.data_reg("waits_q", f.entries * row, "loads that wait for each chunk of each entry"),
      .left_waits_q = m.data_reg("left_waits_q", row,
                                 "waits of the entry in the replay stage before, without its MSHR target"),
      .left_joined_q = m.data_reg("left_joined_q", f.chunks, "chunks of a load that joined that entry"),
      .last = m.wire("last_waits", row, "waits of that entry now"),
      .matched = {},
      .replayed = {},
      .filled = {}};
  m.comb("With the load that joined.", [&] {
    m.loop("left", f.chunks, [&](const Expr& c) {
      m.set(waits.last.part(c, bits),
            waits.left_waits_q.part(c, bits) + rtl::zext(waits.left_joined_q.at(c), bits));
    });
  });
  return waits;
}

void matched_waits(TargetsPart& f, EntryValues& values, ChunkWaits& waits) {
  waits.matched = values.add("match_waits", waits.waits_q, f.chunks * f.count_width,
                             "loads that wait for each of its chunks");
}

void replayed_waits(TargetsPart& f, EntryValues& values, ChunkWaits& waits) {
  waits.replayed = values.add("replay_waits", waits.waits_q, f.chunks * f.count_width,
                              "loads that wait for each of its chunks");
}

void filled_waits(TargetsPart& f, EntryValues& values, ChunkWaits& waits) {
  waits.filled = values.add("filled_waits", waits.waits_q, f.chunks * f.count_width,
                            "loads that wait for each of its chunks");
}

namespace {

// Waits without an MSHR target that was answered in the cycle before; those of the matched entry are 0 for a
// new one.
Expr matched_waits_now(TargetsPart& f, const ChunkWaits& waits) {
  const Expr& of_entry = *waits.matched;
  return f.m.let("match_waits_now",
                 mux(*f.ports.stage.answered & *f.ports.holding->own_before, waits.last, of_entry) &
                     replicate(of_entry.width(), *f.ports.load.match),
                 "match_waits without the MSHR target that was answered; 0 for a new entry");
}

Expr replayed_waits_now(TargetsPart& f, const ChunkWaits& waits) {
  if (!f.behind) return *waits.replayed;
  return f.m.let("replay_waits_now", mux(f.behind->kept_q, waits.last, *waits.replayed),
                 "replay_waits without the MSHR target that was answered");
}

// An MSHR target of the entry was answered in the cycle before.
Expr answered_of(TargetsPart& f, const Expr& entry) {
  const StageOfTargets& stage = f.ports.stage;
  return stage.last_bits ? stage.last_bits->at(entry) & *stage.answered : *stage.answered;
}

void drive_last_for(TargetsPart& f, const Expr& replay_waits) {
  rtl::Module& m = f.m;
  m.comb("Chunks that one MSHR target waits for.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(f.ports.holding->last_for.at(c), replay_waits.part(c, f.count_width) == lit(f.count_width, 1));
    });
  });
}

void drive_unwanted(TargetsPart& f, const ChunkWaits& waits) {
  rtl::Module& m = f.m;
  const FreeingPorts& fill = *f.ports.freeing;
  const Expr answered = *f.ports.stage.answered & rtl::any(fill.named & f.last_bits());
  const Expr now = m.let("filled_waits_now", mux(answered, waits.last, *waits.filled),
                         "filled_waits without the MSHR target that was answered");
  m.comb("Chunks without an MSHR target.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(fill.unwanted.at(c),
            ~(rtl::any(now.part(c, f.count_width)) | (fill.fill_joined & f.ports.load.mask.at(c))));
    });
  });
}

// The waits of the entry whose MSHR target was answered in the cycle before are on their way to it.
void show_waits(TargetsPart& f, const ChunkWaits& waits) {
  const int row = f.chunks * f.count_width;
  const Expr answered = *f.ports.stage.answered;
  std::vector<Expr> shown;
  for (int e = f.entries - 1; e >= 0; --e)
    shown.push_back(mux(f.ports.stage.last_bits ? answered & f.ports.stage.last_bits->bit(e) : answered,
                        waits.last, waits.waits_q.slice((e + 1) * row - 1, e * row)));
  f.m.observe("waits", rtl::cat(shown), {{"entry", f.entries}, {"chunk", f.chunks}});
}

}  // namespace

void change_waits(TargetsPart& f, const ChunkWaits& waits) {
  rtl::Module& m = f.m;
  const NewLoad& load = f.ports.load;
  const int row = f.chunks * f.count_width, bits = f.count_width;
  m.section("Waits for each chunk.");
  const Expr matched = matched_waits_now(f, waits), replayed = replayed_waits_now(f, waits);
  drive_last_for(f, replayed);
  if (f.ports.freeing) drive_unwanted(f, waits);
  const Expr more = m.wire("more_waits", row, "loads that wait for the chunks of the request's line");
  const Expr fewer =
      m.wire("fewer_waits", row, "waits of the replay's line without the MSHR target on offer");
  m.comb("Counts one more and one less.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(more.part(c, bits), matched.part(c, bits) + rtl::zext(load.mask.at(c), bits));
      m.set(fewer.part(c, bits), replayed.part(c, bits) - rtl::zext(f.ports.offered.mask.at(c), bits));
    });
  });
  const Expr added = m.let("added", load.merge & *f.ports.holding->match_own,
                           "the request's load joins the entry in the replay stage");
  m.clocked("Remaining waits for the next cycle.", [&] {
    m.set(waits.left_waits_q, fewer);
    m.set(waits.left_joined_q, load.mask & replicate(f.chunks, added));
  });
  m.clocked("Loads that wait for each chunk: in a free entry the waits of a new one.", [&] {
    m.loop("waits_of", f.entries, [&](const Expr& e) {
      m.when(answered_of(f, e), [&] { m.set(waits.waits_q.part(e, row), waits.last); });
      m.when(f.ports.holding->free_firsts->at(e) | (load.match_bits->at(e) & load.merge),
             [&] { m.set(waits.waits_q.part(e, row), more); });
    });
  });
  show_waits(f, waits);
}

}  // namespace hw
