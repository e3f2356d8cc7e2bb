#include "hw/mshr/holding_entries.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

Expr waits_register(MshrFrame& f) {
  return f.m.data_reg("waits_q", f.entries * f.chunks * f.count_width,
                      "loads that wait for each of its chunks");
}

LeftWaits waits_left_over(MshrFrame& f) {
  rtl::Module& m = f.m;
  const int row = f.chunks * f.count_width, bits = f.count_width;
  const LeftWaits left{
      .waits_q = m.data_reg("left_waits_q", row, "waits of the entry without its MSHR target"),
      .joined_q = m.data_reg("left_joined_q", f.chunks, "chunks of a load that joined it"),
      .now = m.wire("last_waits", row, "waits of that entry now")};
  m.comb("With the load that joined.", [&] {
    m.loop("left", f.chunks, [&](const Expr& c) {
      m.set(left.now.part(c, bits), left.waits_q.part(c, bits) + rtl::zext(left.joined_q.at(c), bits));
    });
  });
  return left;
}

Expr matched_waits(MshrFrame& f, EntryValues& values, const Expr& waits_q) {
  return values.add("match_waits", waits_q, f.chunks * f.count_width, "loads that wait for each");
}

MatchedChunks chunks_of_match(MshrFrame& f, const MshrPorts& ports, const LeftOver& left,
                              const LeftWaits& left_waits, const EntryLookup& lookup, const Expr& pending,
                              const Expr& waits) {
  rtl::Module& m = f.m;
  const Expr& matches = lookup.matches;
  const MatchedChunks out{
      .pending = m.let("pending_of_match", pending & replicate(f.pending, matches), "if there is one"),
      .waits = m.let("match_waits_now",
                     mux(left.answered_q & lookup.match_own_q, left_waits.now, waits) &
                         replicate(waits.width(), matches),
                     "match_waits without the MSHR target that was answered; 0 for a new entry")};
  m.assign(*ports.lookup.pending, out.pending);
  return out;
}

Expr replayed_waits(MshrFrame& f, EntryValues& values, const Expr& waits_q) {
  return values.add("replay_waits", waits_q, f.chunks * f.count_width, "loads that wait for each");
}

Expr waits_of_replay(MshrFrame& f, const LeftOver& left, const LeftWaits& left_waits, const Expr& waits) {
  if (!left.behind) return waits;
  return f.m.let("replay_waits_now", mux(left.behind->kept_q, left_waits.now, waits),
                 "loads that wait for each, without one that was answered");
}

Expr last_for(MshrFrame& f, const Expr& replay_waits) {
  rtl::Module& m = f.m;
  const Expr last = m.wire("last_for", f.chunks, "chunks that nobody waits for after it");
  m.comb("Chunks that one MSHR target waits for.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(last.at(c), replay_waits.part(c, f.count_width) == lit(f.count_width, 1));
    });
  });
  return last;
}

WaitChanges wait_changes(MshrFrame& f) {
  const int row = f.chunks * f.count_width;
  return {
      .more = f.m.wire("more_waits", row, "loads that wait for the chunks of the probe's line"),
      .fewer = f.m.wire("fewer_waits", row, "waits of the replay's line without the MSHR target on offer")};
}

void change_waits(MshrFrame& f, const WaitChanges& changes, const MshrPorts& ports, const Expr& match_waits,
                  const Expr& replay_waits, const Expr& chunk) {
  const int bits = f.count_width;
  f.m.set(changes.more.part(chunk, bits),
          match_waits.part(chunk, bits) + rtl::zext(ports.request.mask.at(chunk), bits));
  f.m.set(changes.fewer.part(chunk, bits),
          replay_waits.part(chunk, bits) - rtl::zext(ports.load.mask.at(chunk), bits));
}

void keep_waits(MshrFrame& f, const WaitChanges& changes, const MshrPorts& ports, const LeftOver& left,
                const LeftWaits& left_waits, const Expr& waits_q, const EntryLookup& lookup,
                const Expr& added) {
  rtl::Module& m = f.m;
  const int row = f.chunks * f.count_width;
  m.clocked("Remaining waits for the next cycle.", [&] {
    m.set(left_waits.waits_q, changes.fewer);
    m.set(left_waits.joined_q, ports.request.mask & replicate(f.chunks, added));
  });
  m.clocked("Loads that wait for each chunk: in a free entry the waits of a new one.", [&] {
    m.loop("waits_of", f.entries, [&](const Expr& e) {
      m.when(left.last_own.at(e) & left.answered_q, [&] { m.set(waits_q.part(e, row), left_waits.now); });
      m.when(lookup.free.firsts.at(e) | (lookup.match.bits.at(e) & ports.probe.merge),
             [&] { m.set(waits_q.part(e, row), changes.more); });
    });
  });
}

// The waits of the entry whose MSHR target was answered in the cycle before are on their way to it.
void show_waits(MshrFrame& f, const LeftOver& left, const LeftWaits& left_waits, const Expr& waits_q) {
  const int row = f.chunks * f.count_width;
  std::vector<Expr> waits;
  for (int e = f.entries - 1; e >= 0; --e)
    waits.push_back(mux(left.answered_q & left.last_own.bit(e), left_waits.now,
                        waits_q.slice((e + 1) * row - 1, e * row)));
  f.m.observe("waits", rtl::cat(waits), {{"entry", f.entries}, {"chunk", f.chunks}});
}

}  // namespace hw
