#include "hw/mshr/target_counts.h"

#include <fmt/format.h>

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// Rows of the oldest loads: a register, and without the one that was answered.
struct HeadNets {
  Expr now, q;
};

HeadNets head_nets(rtl::Module& m, int bits) {
  const Expr head = m.output("head", bits, "row of each entry's oldest load, the answered one counted");
  const HeadNets nets{.now = m.output("head_now", bits, "row of the oldest without it"),
                      .q = m.reg("head_q", bits, 0, "row of the oldest load, of each entry")};
  m.assign(head, nets.q);
  return nets;
}

// One added and one removed leave the number as it is. A free entry has one load in row 0, so that a new one
// has.
rtl::Module counts_of_entries(const std::string& name, const TargetCountWidths& w, bool shows_now,
                              bool may_join, bool early) {
  rtl::Module m(
      name, fmt::format("Loads that wait in each of {} entr{} of an MSHR file, and the row of the oldest.",
                        w.entries, w.entries == 1 ? "y" : "ies"));
  const int n = w.entries;
  const Expr in_use = m.input("in_use", n, "entries that wait for a line");
  std::optional<Expr> joined, behind;
  if (may_join) joined = m.input("joined", n, "the entry that one more load waits in");
  const Expr answered = m.input("answered", 1, "a load was answered in the cycle before"),
             last = m.input("last_entry", n, "entry of the last MSHR target, one-hot");
  if (w.row_bits) behind = m.input("behind", w.row_bits, "the row behind that load");
  const Expr count_out = m.output("count", n * w.count_bits, "loads of each entry, with the answered one"),
             now_out = shows_now ? m.output("count_now", n * w.count_bits, "without it")
                                 : m.wire("count_now", n * w.count_bits, "loads without it");
  const Expr count_q = m.reg("count_q", n * w.count_bits, 0, "loads that wait, of each entry");
  std::optional<HeadNets> heads;
  if (w.row_bits) heads = head_nets(m, n * w.row_bits);
  m.assign(count_out, count_q);
  m.comb("Loads without the one that was answered.", [&] {
    m.loop("entry", n, [&](const Expr& e) {
      const Expr one = answered & last.at(e);
      m.set(now_out.part(e, w.count_bits), count_q.part(e, w.count_bits) - zext(one, w.count_bits));
      if (heads) m.set(heads->now.part(e, w.row_bits), mux(one, *behind, heads->q.part(e, w.row_bits)));
    });
  });
  m.observe("count", now_out, {{"entry", n}});
  const Expr one = lit(w.count_bits, 1);

  m.clocked("Number of loads: a free entry has one, so that a new one has.", [&] {
    m.loop("count_of", n, [&](const Expr& e) {
      const Expr now = now_out.part(e, w.count_bits);
      const Expr more = !joined ? now
                        : early ? now + zext(joined->at(e), w.count_bits)
                                : mux(joined->at(e), now + one, now);
      m.set(count_q.part(e, w.count_bits), mux(in_use.at(e), more, one));
    });
  });
  if (!heads) return m;
  m.clocked("Oldest loads: that of a free entry is in row 0.", [&] {
    m.loop("oldest_of", n, [&](const Expr& e) {
      const Expr now = heads->now.part(e, w.row_bits);
      m.set(heads->q.part(e, w.row_bits), now & replicate(w.row_bits, in_use.at(e)));
    });
  });
  return m;
}

}  // namespace

TargetCounts target_counts(rtl::Module& m, const TargetCountWidths& w, const std::optional<Expr>& heads) {
  TargetCounts out{
      .count = m.wire("count", w.entries * w.count_bits, "loads that wait, and the one answered last")};
  if (!heads) return out;
  const Expr head =
      m.wire("head", heads->width(), "row of each entry's oldest load, or of the one answered last");
  out.rows = {head, *heads};
  return out;
}

Expr target_count_now(rtl::Module& m, const TargetCountWidths& w) {
  return m.wire("count_now", w.entries * w.count_bits, "loads that wait");
}

void drive_target_counts(rtl::Module& m, const std::string& name, const TargetCountWidths& w,
                         const TargetCounts& counts, const TargetChanges& changes, bool early) {
  std::vector<std::pair<std::string, Expr>> pins{{"in_use", changes.in_use},
                                                 {"answered", changes.answered},
                                                 {"last_entry", changes.last},
                                                 {"count", counts.count}};
  if (counts.count_now) pins.emplace_back("count_now", *counts.count_now);
  if (changes.joined) pins.emplace_back("joined", *changes.joined);
  if (counts.rows) {
    pins.emplace_back("behind", *changes.behind);
    pins.emplace_back("head", counts.rows->head);
    pins.emplace_back("head_now", counts.rows->head_now);
  }
  m.instance(counts_of_entries(name, w, counts.count_now.has_value(), changes.joined.has_value(), early),
             "loads", pins, "Counts the loads of the entries.");
}

}  // namespace hw
