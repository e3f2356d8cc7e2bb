#include "hw/mshr/target_counts.h"

#include <fmt/format.h>

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// One added and one removed leave the number as it is. A free entry has one load in row 0, so that a new one
// has.
rtl::Module counts_of_entries(const std::string& name, const TargetCountWidths& w, bool shows_now,
                              bool may_join, bool early) {
  rtl::Module m(
      name, fmt::format("Loads that wait in each of {} entr{} of an MSHR file, and the row of the oldest.",
                        w.entries, w.entries == 1 ? "y" : "ies"));
  const int n = w.entries;
  const Expr in_use = m.input("in_use", n, "entries that wait for a line");
  const Expr joined = may_join ? m.input("joined", n, "the entry that one more load waits in") : Expr{};
  const Expr answered = m.input("answered", 1, "a load was answered in the cycle before"),
             last = m.input("last_entry", n, "entry of the last MSHR target, one-hot");
  const Expr behind = w.row_bits ? m.input("behind", w.row_bits, "the row behind that load") : Expr{};
  const Expr count_out = m.output("count", n * w.count_bits, "loads of each entry, with the answered one"),
             now_out = shows_now ? m.output("count_now", n * w.count_bits, "without it")
                                 : m.wire("count_now", n * w.count_bits, "loads without it");
  const Expr count_q = m.reg("count_q", n * w.count_bits, 0, "loads that wait, of each entry");
  Expr head_q, head_out, head_now;
  if (w.row_bits) {
    head_out = m.output("head", n * w.row_bits, "row of each entry's oldest load, the answered one counted");
    head_now = m.output("head_now", n * w.row_bits, "row of the oldest without it");
    head_q = m.reg("head_q", n * w.row_bits, 0, "row of the oldest load, of each entry");
    m.assign(head_out, head_q);
  }
  m.assign(count_out, count_q);
  m.comb("Loads without the one that was answered.", [&] {
    m.loop("entry", n, [&](const Expr& e) {
      const Expr one = answered & last.at(e);
      m.set(now_out.part(e, w.count_bits), count_q.part(e, w.count_bits) - zext(one, w.count_bits));
      if (w.row_bits) m.set(head_now.part(e, w.row_bits), mux(one, behind, head_q.part(e, w.row_bits)));
    });
  });
  m.observe("count", now_out, {{"entry", n}});
  const Expr one = lit(w.count_bits, 1);

  m.clocked("Number of loads: a free entry has one, so that a new one has.", [&] {
    m.loop("count_of", n, [&](const Expr& e) {
      const Expr now = now_out.part(e, w.count_bits);
      const Expr more = !may_join ? now
                        : early   ? now + zext(joined.at(e), w.count_bits)
                                  : mux(joined.at(e), now + one, now);
      m.set(count_q.part(e, w.count_bits), mux(in_use.at(e), more, one));
    });
  });
  if (!w.row_bits) return m;
  m.clocked("Oldest loads: that of a free entry is in row 0.", [&] {
    m.loop("oldest_of", n, [&](const Expr& e) {
      m.set(head_q.part(e, w.row_bits), head_now.part(e, w.row_bits) & replicate(w.row_bits, in_use.at(e)));
    });
  });
  return m;
}

}  // namespace

TargetCounts target_counts(rtl::Module& m, const TargetCountWidths& w) {
  const int counts = w.entries * w.count_bits, rows = w.entries * w.row_bits;
  TargetCounts out;
  out.count = m.wire("count", counts, "loads that wait, and the one answered last");

  if (rows == 0) return out;
  out.head = m.wire("head", rows, "row of the oldest, or of the one answered last");
  out.head_now = m.wire("head_now", rows, "row of the oldest load, of each entry");
  return out;
}

const Expr& target_count_now(rtl::Module& m, const TargetCountWidths& w, TargetCounts& counts) {
  if (!counts.count_now) counts.count_now = m.wire("count_now", w.entries * w.count_bits, "loads that wait");
  return *counts.count_now;
}

void drive_target_counts(rtl::Module& m, const std::string& name, const TargetCountWidths& w,
                         const TargetCounts& counts, const TargetChanges& changes, bool may_join,
                         bool early) {
  std::vector<std::pair<std::string, Expr>> pins{{"in_use", changes.in_use},
                                                 {"answered", changes.answered},
                                                 {"last_entry", changes.last},
                                                 {"count", counts.count}};
  const bool shows_now = counts.count_now.has_value();
  if (shows_now) pins.emplace_back("count_now", *counts.count_now);

  if (may_join) pins.emplace_back("joined", changes.joined);
  if (w.row_bits)
    pins.insert(pins.end(),
                {{"behind", changes.behind}, {"head", counts.head}, {"head_now", counts.head_now}});
  m.instance(counts_of_entries(name, w, shows_now, may_join, early), "loads", pins,
             "Counts the loads of the entries.");
}

}  // namespace hw
