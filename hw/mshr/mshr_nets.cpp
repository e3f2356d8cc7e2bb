#include "hw/mshr/mshr_nets.h"

namespace hw {
namespace {

using rtl::Expr;

std::optional<Expr> mshr_wire_if(MshrTop& f, bool there, const char* name, int width, const char* doc) {
  if (!there) return {};
  return f.m.wire(name, width, doc);
}

MatchNets match_nets(MshrTop& f) {
  rtl::Module& m = f.m;
  m.section("From the lookup.");
  return {.bits = m.wire("match_bits", f.entries, "the matched entry, one-hot, if match is set"),
          .number = mshr_wire_if(f, f.entries > 1, "match_number", f.entry_width,
                                 "number of the matched entry, if match is set"),
          .own = mshr_wire_if(f, f.joins_late || f.p.line_bits > 0, "match_own", 1,
                              "the matched entry is the one in the replay stage"),
          .sets = m.wire("entry_set", f.entries * f.set_bits, "set of each entry's line")};
}

EntryNets entry_nets(MshrTop& f) {
  rtl::Module& m = f.m;
  const int n = f.entries;
  m.section("From the entries.");
  return {
      .in_use = m.wire("in_use", n, "entries that wait for a line"),
      .flushed = m.wire("flushed", n, "entries that match nothing, since a flush came after their fetch"),
      .poisoned = m.wire("poisoned", n, "entries with a store after their fetch"),
      .waits = mshr_wire_if(f, f.p.warps > 0, "waits", n,
                            "entries in which a load of the request's warp may not wait"),
      .lowest_free = m.wire("lowest_free", n, "the entry for a new line, one-hot"),
      .free_firsts = m.wire("free_firsts", n, "the lowest free one of each group of entries"),
      .woken = m.wire("woken", n, "entries that the replay stage is to look at, from now on"),
      .replay_pending = mshr_wire_if(f, f.joins_late, "replay_pending", f.pending,
                                     f.by_chunk ? "chunks still on their way to the entry in the replay stage"
                                                : "the line of the entry in the replay stage is on its way")};
}

ReplayNets replay_nets(MshrTop& f) {
  rtl::Module& m = f.m;
  const int n = f.entries;
  m.section("From the replay stage.");
  const std::optional<Expr> valid =
      mshr_wire_if(f, !f.in_order || f.p.protection != Protection::none, "replay_valid", 1,
                   "the replay stage looks at an MSHR target");
  return {.valid = valid,
          .bits = n > 1 ? m.wire("replay_entry_bits", n,
                                 "entry of the replay stage, one-hot; none when it is empty")
                        : *valid,
          .next_found = m.wire("next_found", 1, "the replay stage takes the next entry"),
          .next_number =
              mshr_wire_if(f, n > 1, "next_entry", f.entry_width, "number of the replay stage's next entry"),
          .next_head = mshr_wire_if(f, !f.in_order && f.place_width > 0, "next_head", f.place_width,
                                    "slot of the next entry's oldest MSHR target"),
          .next_more = mshr_wire_if(f, f.in_order, "next_more", f.place_width,
                                    "loads that wait in the next entry besides its first"),
          .last_bits = mshr_wire_if(f, n > 1, "last_entry_bits", n,
                                    "entry in the replay stage in the cycle before, one-hot"),
          .answered =
              mshr_wire_if(f, !f.in_order, "answered", 1, "an MSHR target was answered in the cycle before"),
          .freed = m.wire("freed", 1, "the last one of its entry was answered in the cycle before")};
}

TargetNets target_nets(MshrTop& f) {
  rtl::Module& m = f.m;
  m.section("From the MSHR targets.");
  return {.mergeable = m.wire("mergeable", f.entries, "entries that can take one more load"),
          .last_target = m.wire("last_target", 1, "the MSHR target on offer is the only one of its entry"),
          .heads = mshr_wire_if(f, !f.in_order && f.place_width > 0, "entry_head", f.entries * f.place_width,
                                "slot of each entry's oldest MSHR target"),
          .more = mshr_wire_if(f, f.in_order, "entry_more", f.entries * f.place_width,
                               "loads that wait in each entry besides its first")};
}

}  // namespace

MshrNets mshr_nets(MshrTop& f) {
  const MatchNets match = match_nets(f);
  const EntryNets entries = entry_nets(f);
  const ReplayNets replay = replay_nets(f);
  return {match, entries, replay, target_nets(f)};
}

HoldingNets holding_nets(MshrTop& f, bool counts) {
  rtl::Module& m = f.m;
  m.section("For each chunk.");
  return {.own_before = mshr_wire_if(f, counts, "match_own_before", 1,
                                     "the matched entry was in the replay stage in the cycle before"),
          .last_for = m.wire("last_for", f.chunks,
                             "chunks that nobody else waits for, if the MSHR target on offer does")};
}

FreeingNets freeing_nets(MshrTop& f) {
  rtl::Module& m = f.m;
  m.section("For fills that free slots or entries.");
  return {
      .named = m.wire("named", f.entries, "the entry that fill_entry names, one-hot"),
      .fill_joined = m.wire("fill_joined", 1, "the request's load joins the entry of the fill"),
      .spent = m.wire("spent", f.entries, "the entry that a fill freed in the cycle before"),
      .ends = m.wire("ends", 1, "nothing is on its way to the replay's entry after this cycle"),
      .fill_waited = m.wire("fill_waited", 1, "a load waits in the entry that fill_entry names"),
      .unwanted = m.wire("unwanted", f.chunks, "chunks of the fill's entry that nobody waits for"),
      .answers_last = m.wire("answers_last", 1, "the last MSHR target of the replay's entry is answered")};
}

}  // namespace hw
