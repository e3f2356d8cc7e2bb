#include "hw/mshr/holding_entries.h"

#include "hw/rtl/condition.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void HoldingEntries::waits_register() {
  waits_q = m.data_reg("waits_q", entries_n * chunks * count_width, "loads that wait for each of its chunks");
}

// It is known early whether the tag-lookup stage moves on, earlier than what follows from the entry; and that
// there is one is asked where it matters.
void HoldingEntries::match_registers() {
  match = m.reg("match_q", entries_n, 0,
                "the entry with the line of the request in the tag-lookup stage, if match is set");
}

Expr HoldingEntries::of_match(const Expr& flags) const { return rtl::any(match & flags); }

void HoldingEntries::next_match(const Expr& after) {
  m.clocked("The entry with the line.", [&] { m.set(match, mux(moves, after, match)); });
}

void HoldingEntries::match_chunks(List& list) {
  match_waits = gathered(list, "match_waits", waits_q, chunks * count_width, "loads that wait for each");
}

void HoldingEntries::gather_match(const List& list) {
  gather("Of the entry that matched.", "of_match", rtl::Condition::always(), match, list);
  entry_pending = m.let("pending_of_match", entry_pending & replicate(v, matches), "if there is one");
  match_waits =
      m.let("match_waits_now",
            mux(answered_q & match_own_q, last_waits, match_waits) & replicate(match_waits.width(), matches),
            "match_waits without the MSHR target that was answered; 0 for a new entry");
}

// The waits of the entry that the replay stage looked at in the cycle before, without the MSHR target that
// was on offer and with one that joined: it comes to the entry if that MSHR target was answered, which is
// known last in a cycle, and is seen there by all that read it.
void HoldingEntries::waits_left_over() {
  const int row = chunks * count_width;
  left_waits_q = m.data_reg("left_waits_q", row, "waits of the entry without its MSHR target");
  left_joined_q = m.data_reg("left_joined_q", chunks, "chunks of a load that joined it");
  last_waits = m.wire("last_waits", row, "waits of that entry now");
  m.comb("With the load that joined.", [&] {
    m.loop("left", chunks, [&](const Expr& c) {
      m.set(last_waits.part(c, count_width),
            left_waits_q.part(c, count_width) + rtl::zext(left_joined_q.at(c), count_width));
    });
  });
}

void HoldingEntries::replay_chunks(List& list) {
  replay_waits = gathered(list, "replay_waits", waits_q, chunks * count_width, "loads that wait for each");
}

void HoldingEntries::replay_gathered() {
  if (merges == 1) return;
  replay_waits = m.let("replay_waits_now", mux(kept_q, last_waits, replay_waits),
                       "loads that wait for each, without one that was answered");
}

Expr HoldingEntries::last_for() {
  const Expr last = m.wire("last_for", chunks, "chunks that nobody waits for after it");
  m.comb("Chunks that one MSHR target waits for.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      m.set(last.at(c), replay_waits.part(c, count_width) == lit(count_width, 1));
    });
  });
  return last;
}

void HoldingEntries::change_wires() {
  const int row = chunks * count_width;
  more = m.wire("more_waits", row, "loads that wait for the chunks of the probe's line");
  fewer = m.wire("fewer_waits", row, "waits of the replay's line without the MSHR target on offer");
}

void HoldingEntries::change(const Expr& chunk) {
  m.set(more.part(chunk, count_width),
        match_waits.part(chunk, count_width) + rtl::zext(mask.at(chunk), count_width));
  m.set(fewer.part(chunk, count_width),
        replay_waits.part(chunk, count_width) - rtl::zext(replay_mask_out.at(chunk), count_width));
}

void HoldingEntries::change_registers() {
  const int row = chunks * count_width;
  m.clocked("Remaining waits for the next cycle.", [&] {
    m.set(left_waits_q, fewer);
    m.set(left_joined_q, mask & replicate(chunks, added));
  });
  m.clocked("Loads that wait for each chunk: in a free entry the waits of a new one.", [&] {
    m.loop("waits_of", entries_n, [&](const Expr& e) {
      m.when(last_own.at(e) & answered_q, [&] { m.set(waits_q.part(e, row), last_waits); });
      m.when(free_firsts.at(e) | (match.at(e) & merge), [&] { m.set(waits_q.part(e, row), more); });
    });
  });
}

// The waits of the entry whose MSHR target was answered in the cycle before are on their way to it.
void HoldingEntries::waits_shown() {
  const int row = chunks * count_width;
  std::vector<Expr> waits;
  for (int e = entries_n - 1; e >= 0; --e)
    waits.push_back(mux(answered_q & last_own.bit(e), last_waits, waits_q.slice((e + 1) * row - 1, e * row)));
  m.observe("waits", rtl::cat(waits), {{"entry", entries_n}, {"chunk", chunks}});
}

}  // namespace hw
