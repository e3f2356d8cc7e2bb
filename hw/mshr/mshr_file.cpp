#include "hw/mshr/mshr_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

int entry_bits(const MshrParams& p) { return bits_to_number(p.entries); }
int place_bits(const MshrParams& p) { return bits_to_number(p.merges); }
int target_rows(const MshrParams& p) { return std::max(2, p.entries << place_bits(p)); }

MshrFrame::MshrFrame(const MshrParams& params, const MshrLines& lines, const std::string& name)
    : m(name,
        fmt::format("MSHR file of {} entr{}, up to {} load{} each: lines on their way and the loads that "
                    "wait for them ({}).",
                    params.entries, params.entries == 1 ? "y" : "ies", params.merges,
                    params.merges == 1 ? "" : "s", lines.source)),
      p(params),
      entries(p.entries),
      merges(p.merges),
      chunks(lines.chunks),
      pending(lines.by_chunk ? lines.chunks : 1),
      set_bits(lines.set_bits),
      tag_bits(lines.tag_bits),
      entry_width(entry_bits(p)),
      place_width(place_bits(p)),
      count_width(rtl::clog2(static_cast<std::uint64_t>(merges) + 1)),
      by_chunk(lines.by_chunk),
      tag_is_line(lines.tag_is_line) {}

Expr EntryValues::add(const std::string& name, const Expr& of_entries, int width, const std::string& doc) {
  values_.push_back({f_.m.wire(name, width, doc), of_entries});
  return values_.back().out;
}

void EntryValues::gather(const std::string& doc, const std::string& label, const rtl::Condition& when,
                         const Expr& which) const {
  rtl::Module& m = f_.m;
  m.comb(doc, [&] {
    for (const auto& [out, of_entries] : values_) m.set(out, lit(out.width(), 0));
    const auto all = [&] {
      m.loop(label, f_.entries, [&](const Expr& e) {
        for (const auto& [out, of_entries] : values_)
          m.set(out, out | (of_entries.part(e, out.width()) & replicate(out.width(), which.at(e))));
      });
    };
    if (when.is_always())
      all();
    else
      m.when(when.when(), all);
  });
}

EntryLines entry_lines(MshrFrame& f) {
  f.m.section("Entries.");
  return {.in_use_q = f.m.reg("in_use_q", f.entries, 0, "entries that wait for a line"),
          .set_q = f.m.data_reg("set_q", f.entries * f.set_bits, "set of each entry"),
          .tag_q = f.m.data_reg("tag_q", f.entries * f.tag_bits, "tag of each entry")};
}

namespace {

std::optional<Expr> stored_register(MshrFrame& f) {
  if (!f.p.warps) return {};
  return f.m.data_reg("stored_q", f.entries * f.p.warps, "warps whose loads wait for the end of each entry");
}

}  // namespace

EntryFlags entry_flags(MshrFrame& f) {
  rtl::Module& m = f.m;
  const int n = f.entries;
  return {.pending_q =
              m.reg("pending_q", n * f.pending, 0,
                    f.by_chunk ? "chunks of each entry's line on their way" : "lines on their way, by entry"),
          .poisoned_q = m.reg("poisoned_q", n, 0,
                              "a store came after the fetch: only its MSHR targets may have the line"),
          .stored_q = stored_register(f),
          .flushed_q = m.reg("flushed_q", n, 0, "a flush came after the fetch: the entry matches nothing"),
          .awake_q = m.reg("awake_q", n, 0,
                           "a fill came since its oldest target was last looked at; not in the stage"),
          .counts = target_counts(m, f.count_widths())};
}

// Whether the MSHR target on offer is answered is known last in a cycle. So that it drives a few flops and
// not all entries, what follows for the entry is kept, done in the next cycle, and seen as done by all that
// read it.
LeftOver left_over(MshrFrame& f, const EntryLines& lines, const std::optional<Expr>& spent) {
  rtl::Module& m = f.m;
  const int n = f.entries;
  m.section("Entries as the cycle before left them.");
  LeftOver left;
  left.last_own =
      n > 1 ? m.data_reg("last_entry_bits_q", n, "the entry that the replay stage looked at, one-hot")
            : m.let("last_entry_bits", lit(1, 1), "the entry that the replay stage looked at");
  left.answered_q = m.reg("answered_q", 1, 0, "an MSHR target of that entry was answered");
  left.freed_q = m.reg("freed_q", 1, 0, "nobody waits in it any more");
  left.spent = spent;
  const Expr replayed = left.last_own & f.each(left.freed_q);
  left.gone = spent ? m.let("gone", replayed | *spent, "entries that were freed")
                    : m.let("gone", replayed, "the entry that was freed");
  left.in_use = m.let("in_use_now", lines.in_use_q & ~left.gone, "entries that wait for a line");
  if (f.place_width) {
    const Expr kept = m.reg("kept_q", 1, 0, "the stage stays at the entry, with its next MSHR target");
    left.behind = {kept, m.data_reg("passed_head_q", f.place_width, "the slot behind that MSHR target")};
  }
  return left;
}

FilledEntry fill_entry(MshrFrame& f, const MshrPorts& ports, const MshrState& state) {
  rtl::Module& m = f.m;
  m.section("Fills.");
  const Expr number = ports.request.fill.entry.value_or(Expr{});
  const Expr named = one_hot_of(m, "named", number, f.entries, "the entry that fill_entry names");
  const Expr filled =
      m.let("filled", named & f.each(ports.request.fill.valid), "the entry that a fill comes to, one-hot");
  const Expr shut = m.let("shut", state.flags.poisoned_q | state.flags.flushed_q,
                          "entries whose data nobody else may find");
  m.assign(ports.entry.fill_set, numbered(state.lines.set_q, number, f.set_bits));
  m.assign(ports.offer.fill_installs, ~numbered(shut, number, 1));
  return {named, filled};
}

// An MSHR target that was answered in the cycle before counts here still, and the oldest slot is still its
// own: the slot behind is the same.
NewTarget new_target(MshrFrame& f, const MshrProbe& probe, const std::optional<TargetRow>& matched) {
  rtl::Module& m = f.m;
  const Expr joins = m.let("joins", probe.allocate | probe.merge, "the probe's load becomes an MSHR target");
  if (!matched) return {joins, {}};
  const int bits = f.place_width, wide = bits + 1;
  const Expr behind = m.let("slot_behind", rtl::zext(matched->head, wide) + rtl::zext(matched->count, wide),
                            "the slot behind its MSHR targets");
  const Expr low = behind.slice(bits - 1, 0);
  if (f.merges == 1 << bits) {
    m.unused("unused_place", behind.bit(bits), "slots wrap");
    return {joins, m.let("new_slot", low & ~replicate(bits, probe.allocate), "of the new MSHR target")};
  }
  const auto most = static_cast<std::uint64_t>(f.merges);
  const Expr wrapped = mux(behind >= lit(wide, most), low - lit(bits, most), low);
  return {joins, m.let("new_slot", mux(probe.allocate, lit(bits, 0), wrapped), "of the new MSHR target")};
}

}  // namespace hw
