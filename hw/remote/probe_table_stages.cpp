#include "hw/remote/probe_table_stages.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

void KeptForACycle::clocked(rtl::Module& m) const {
  m.clocked("Entries that are found and messages that come have their effect in the next cycle.", [&] {
    for (const auto& [q, now] : bits_) m.set(q, now);
  });
  m.clocked("Numbers and fields of both.", [&] {
    for (const auto& [q, now] : data_) m.set(q, now);
  });
}

namespace {

// One more than `before`, in two halves; `carry`: the lower one is all ones.
Expr one_more(const Expr& before, const std::optional<Expr>& carry) {
  const int bits = before.width(), low = bits / 2, high = bits - low;
  const Expr one = lit(high, 1);
  if (!carry) return before + one;
  const Expr below = before.slice(low - 1, 0), above = before.slice(bits - 1, low);
  return rtl::cat({mux(*carry, above + one, above), below + lit(low, 1)});
}

std::optional<Expr> carry_of(rtl::Module& m, int bits) {
  if (bits < 2) return {};
  return m.data_reg("sequence_carry_q", 1, "the lower half of that sequence is all ones");
}

}  // namespace

LateSequence::LateSequence(rtl::Module& m, int entries, int bits)
    : fresh_q_(m.reg("fresh_q", entries, 0, "the search began in the cycle before")),
      before_q_(m.data_reg("sequence_before_q", bits, "sequence of the search before it")),
      carry_q_(carry_of(m, bits)),
      next_(m.let("next_sequence", one_more(before_q_, carry_q_), "sequence of the search that begins")) {}

void LateSequence::follow(KeptForACycle& kept, const Expr& begun_bits, const Expr& before) const {
  kept.bits(fresh_q_, begun_bits);
  kept.data(before_q_, before);
  if (carry_q_) kept.data(*carry_q_, rtl::all(before.slice(before.width() / 2 - 1, 0)));
}

// A line that has come has its effect in the next cycle. Another one does not come before.
LineHere kept_line(const TableParts& t, const LineHere& now) {
  const Expr data_q = t.m.reg("data_q", 1, 0, "a core's line has come, which its search has waited for"),
             answer_q = t.m.reg("answer_q", 1, 0, "L2's reply to a request has come"),
             entry_q = t.m.data_reg("line_entry_q", now.entry.width(), "entry of that line");
  KeptForACycle& kept = t.stages->kept;
  kept.bits(data_q, now.data);
  kept.bits(answer_q, now.answer);
  kept.data(entry_q, now.entry);
  t.m.observe("data", data_q);
  t.m.observe("answer", answer_q);
  t.m.observe("line_entry", entry_q);
  return {t.entries.decoded("line_bits", entry_q, "the entry, one-hot"), entry_q, data_q, answer_q};
}

// A probe that comes back has its effect in the next cycle, since its entry is not taken again by then.
ProbeBack kept_back(const TableParts& t, const ProbeBack& now) {
  const Expr back_q = t.m.reg("back_q", 1, 0, "a probe of a search has come back"),
             entry_q = t.m.data_reg("back_entry_q", now.entry.width(), "entry of that probe");
  KeptForACycle& kept = t.stages->kept;
  kept.bits(back_q, now.known);
  kept.data(entry_q, now.entry);
  std::optional<ScoutFindings> findings;
  if (now.findings) {
    findings = ScoutFindings{.scout = t.m.data_reg("back_scout_q", 1, "the probe is a scout"), .found = {}};
    kept.data(findings->scout, now.findings->scout);
    for (std::size_t k = 0; k < now.findings->found.size(); ++k) {
      const Expr& found = now.findings->found[k];
      findings->found.push_back(t.m.data_reg(fmt::format("back_found{}_q", k), found.width(),
                                             fmt::format("position {} of the list of that probe", k)));
      kept.data(findings->found[k], found);
    }
  }
  t.m.observe("back", back_q);
  t.m.observe("back_entry", entry_q);
  return {t.entries.decoded("returned_bits", entry_q, "the entry that it is of"), entry_q, back_q, findings};
}

ChosenSearch chosen_search(const TableParts& t, const SearchQueue& queue) {
  const Expr chosen_q = t.m.reg("chosen_q", 1, 0, "a search is chosen for targets"),
             entry_q = t.m.data_reg("chosen_entry_q", queue.head.width(), "entry of that search");
  const Expr bits = t.entries.decoded("chosen_bits", entry_q, "the entry, one-hot");
  const Expr waits = t.m.let("chosen_waits", chosen_q & rtl::any(bits & t.entries.in().targets.value()),
                             "the chosen search waits for targets");
  const Expr late =
      t.m.let("chosen_late", queue.old & (queue.head == entry_q), "the chosen search has taken too long");
  t.m.observe("chosen", chosen_q);
  t.m.observe("chosen_entry", entry_q);
  return {chosen_q, entry_q, waits, {bits, entry_q, waits & ~late}};
}

void choose_next(const TableParts& t, const SearchQueue& queue, const ChosenSearch& chosen, const Expr& takes,
                 const Expr& waits_no_longer) {
  const Expr chooses = t.m.let("chooses", queue.some_waiting & ~chosen.chosen_q, "a search is chosen");
  t.m.assign(waits_no_longer, chooses);
  t.stages->kept.bits(chosen.chosen_q, chooses | (chosen.waits & ~takes));
  t.stages->kept.data(chosen.entry_q, mux(chooses, queue.first_waiting, chosen.entry_q));
}

AskingEntry kept_asking(const TableParts& t, const AskingEntry& now) {
  const Expr asks_q = t.m.reg("asks_q", 1, 0, "an entry had a request to L2 in the cycle before"),
             entry_q = t.m.data_reg("ask_entry_q", now.found.number.width(), "the entry that went first"),
             late_q = t.m.data_reg("ask_late_q", 1, "the search of that entry had taken too long");
  KeptForACycle& kept = t.stages->kept;
  kept.bits(asks_q, now.found.some);
  kept.data(entry_q, now.found.number);
  kept.data(late_q, now.late);
  const Expr bits = t.entries.decoded("ask_bits", entry_q, "the entry, one-hot");
  const Expr still = t.m.let("ask_bits_still", bits & t.entries.in().asking & t.entries.each(asks_q),
                             "the entry, if it has not gone");
  t.m.observe("asks", asks_q);
  t.m.observe("ask_entry", entry_q);
  t.m.observe("ask_late", late_q);
  return {{still, entry_q, rtl::any(still)}, late_q};
}

LeadingEntry kept_leading(const TableParts& t) {
  const Expr leads_q = t.m.reg("leads_q", 1, 0, "an entry with candidates is found"),
             entry_q = t.m.data_reg("lead_entry_q", bits_to_number(t.p.entries), "number of that entry"),
             read_q = t.m.reg("lead_read_q", 1, 0, "candidates of the entry are read");
  const Expr bits = t.entries.decoded("lead_bits", entry_q, "the entry, one-hot");
  const Expr goes_on = t.m.let("leads_on", leads_q & rtl::any(bits & t.entries.in().level2.value()),
                               "the entry is in the second level");
  t.m.observe("leads", leads_q);
  t.m.observe("lead_entry", entry_q);
  t.m.observe("lead_read", read_q);
  return {leads_q, entry_q, read_q, goes_on, {bits, entry_q, read_q & goes_on}};
}

Expr read_candidates(const TableParts& t, const LeadingEntry& leading, const FoundEntry& now,
                     const Expr& sent, const Expr& cores) {
  const Expr cores_q = t.m.data_reg("lead_cores_q", t.p.cores, "candidates of the entry");
  const Expr ends = t.m.let("lead_ends", sent | ~leading.goes_on, "a leader is sent, or none is needed");
  KeptForACycle& kept = t.stages->kept;
  kept.bits(leading.leads_q, mux(leading.leads_q, ~ends, now.some));
  kept.bits(leading.read_q, leading.leads_q & ~ends);
  kept.data(leading.entry_q, mux(leading.leads_q, leading.entry_q, now.number));
  kept.data(cores_q, cores);
  return cores_q;
}

}  // namespace hw
