#include "hw/mshr/chunk_lasts.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/sram.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

ChunkLasts chunk_lasts(TargetsPart& f) {
  rtl::Module& m = f.m;
  const int bits = f.place_width;
  m.section("The last load that waits for each chunk.");
  ChunkLasts lasts;
  if (bits) {
    lasts.stored =
        m.wire("stored_last", f.chunks * bits, "slot of that load, as the entry entered the replay stage");
    lasts.joined_q =
        m.data_reg("joined_last_q", f.chunks, "chunks for which another load has come since, as the last");
    lasts.joined_slot_q = m.data_reg("joined_slot_q", f.chunks * bits, "slot of that one");
  }
  if (!f.ports.freeing) return lasts;
  lasts.wanted_q =
      m.data_reg("wanted_q", f.entries * f.chunks, "chunks of each entry that some load waits for");
  lasts.let_go_q = m.data_reg("let_go_q", f.chunks,
                              "chunks with the MSHR target answered in the cycle before as the last");
  return lasts;
}

void filled_wanted(TargetsPart& f, EntryValues& values, ChunkLasts& lasts) {
  lasts.filled =
      values.add("filled_wanted", *lasts.wanted_q, f.chunks, "chunks of its line that some load waits for");
}

namespace {

// The next entry's row is read as the entry enters the replay stage. A load that joins the entry in the same
// cycle or later is kept beside the RAM.
void last_rams(TargetsPart& f, const ChunkLasts& lasts, const Expr& new_slot, const Expr& added) {
  rtl::Module& m = f.m;
  const NewLoad& load = f.ports.load;
  const StageOfTargets& stage = f.ports.stage;
  const int bits = f.place_width, rows = std::max(2, f.entries);
  const Expr write_row = load.entry.value_or(lit(1, 0)), read_row = stage.next_number.value_or(lit(1, 0));
  const Expr joins = m.let("waits", load.allocate | load.merge, "the request's load waits in its entry");
  m.repeat("chunk_last", f.chunks, "A chunk each.", [&](const Expr& c) {
    m.instance(sram_1r1w(rows, bits), "last",
               {{"read", stage.next_found},
                {"read_row", read_row},
                {"read_data", lasts.stored->part(c, bits)},
                {"write", joins & load.mask.at(c)},
                {"write_row", write_row},
                {"write_data", new_slot}},
               "Slot of the last load that waits for the chunk, in each entry.");
  });
  Expr joins_next = load.merge;
  if (load.entry) joins_next = joins_next & (*load.entry == *stage.next_number);
  const Expr comes = m.let("joins_next", joins_next, "the request's load joins the stage's next entry");
  m.clocked("Loads that join the entry in the replay stage.", [&] {
    m.loop("joined_chunk", f.chunks, [&](const Expr& c) {
      const Expr asked = load.mask.at(c);
      m.set(lasts.joined_q->at(c),
            mux(stage.next_found, comes & asked, lasts.joined_q->at(c) | (added & asked)));
      m.when(load.merge & asked & mux(stage.next_found, comes, added),
             [&] { m.set(lasts.joined_slot_q->part(c, bits), new_slot); });
    });
  });
}

// The entry was in the replay stage in the cycle before.
Expr last_of(TargetsPart& f, const Expr& entry) {
  return f.ports.stage.last_bits ? f.ports.stage.last_bits->at(entry) : lit(1, 1);
}

// A load that joins the entry in this cycle wants its chunks kept.
void change_wanted(TargetsPart& f, const ChunkLasts& lasts, const Expr& added) {
  rtl::Module& m = f.m;
  const NewLoad& load = f.ports.load;
  const FreeingPorts& fill = *f.ports.freeing;
  const Expr &wanted = *lasts.wanted_q, &let_go = *lasts.let_go_q;
  const int n = f.chunks;
  const Expr answered =
      f.ports.holding->last_for & f.ports.offered.mask & replicate(n, f.ports.stage.granted);
  m.clocked("Chunks that are let go.", [&] { m.set(let_go, answered & ~(load.mask & replicate(n, added))); });
  m.clocked("Chunks that some load waits for: in a free entry those of a new one.", [&] {
    m.loop("wanted_of", f.entries, [&](const Expr& e) {
      const Expr place = wanted.part(e, n);
      const Expr left = place & ~(let_go & replicate(n, last_of(f, e)));
      const Expr joined = load.mask & replicate(n, load.match_bits->at(e) & load.merge);
      m.set(place, mux(f.ports.holding->free_firsts->at(e), load.mask, left | joined));
    });
  });
  const Expr own = rtl::any(fill.named & f.last_bits());
  const Expr now = m.let("filled_wanted_now", *lasts.filled & ~(let_go & replicate(n, own)),
                         "filled_wanted without the MSHR target that was answered");
  m.assign(fill.unwanted, ~(now | (load.mask & replicate(n, fill.fill_joined))));
  std::vector<Expr> shown;
  for (int e = f.entries - 1; e >= 0; --e)
    shown.push_back(
        wanted.slice((e + 1) * n - 1, e * n) &
        ~(let_go & replicate(n, (f.ports.stage.last_bits ? f.ports.stage.last_bits->bit(e) : lit(1, 1)))));
  m.observe("wanted", rtl::cat(shown), {{"entry", f.entries}, {"chunk", n}});
}

void observe_lasts(TargetsPart& f) {
  rtl::Module& m = f.m;
  const int row_bits = std::max(1, f.entry_width);
  std::vector<Expr> rows;
  for (int e = f.entries - 1; e >= 0; --e)
    for (int c = f.chunks - 1; c >= 0; --c)
      rows.push_back(
          m.stored(fmt::format("chunk_last[{}].last", c), lit(row_bits, static_cast<std::uint64_t>(e))));
  m.observe("last", rtl::cat(rows), {{"entry", f.entries}, {"chunk", f.chunks}});
}

}  // namespace

void change_lasts(TargetsPart& f, const ChunkLasts& lasts, const std::optional<Expr>& new_slot,
                  const std::optional<Expr>& offered) {
  rtl::Module& m = f.m;
  const int bits = f.place_width;
  m.section("The last load for each chunk.");
  const Expr& last_for = f.ports.holding->last_for;
  std::optional<Expr> added;
  if (f.ports.holding->match_own)
    added = m.let("added", f.ports.load.merge & *f.ports.holding->match_own,
                  "the request's load joins the entry in the replay stage");
  if (bits) {
    last_rams(f, lasts, *new_slot, *added);
    m.comb("Chunks for which the MSHR target on offer is the last.", [&] {
      m.loop("chunk", f.chunks, [&](const Expr& c) {
        const Expr last =
            mux(lasts.joined_q->at(c), lasts.joined_slot_q->part(c, bits), lasts.stored->part(c, bits));
        m.set(last_for.at(c), last == *offered);
      });
    });
    observe_lasts(f);
  } else {
    m.assign(last_for, rtl::ones(f.chunks));
  }
  if (f.ports.freeing) change_wanted(f, lasts, *added);
}

}  // namespace hw
