#include "hw/remote/probe_table_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hw/prim/one_hot.h"
#include "hw/remote/candidates.h"
#include "hw/remote/own_core.h"
#include "hw/remote/selective_queue.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

LineArrived line_arrived(const TableParts& t, const ProbeTablePorts::Reply& reply) {
  auto& [m, p, entries, stages] = t;
  const auto& now = entries.fields();
  m.section("A line that has come.");
  const Expr here = entries.decoded("reply_bits", reply.entry, "the entry that it is for");
  const Expr sequence = entries.field_of("reply_sequence_now", now.sequence, here, "the entry's sequence");
  // The comparison is known last, so that all else stands beside it.
  const Expr known = m.let("reply_known", sequence == reply.sequence, "the line is of the entry's search");
  const Expr first = m.let("reply_first", ~rtl::any(here & now.came), "no line has come before");
  const Expr asked = m.let("reply_asked", reply.valid & reply.l2 & rtl::any(here & entries.in().waiting),
                           "L2 has been asked");
  const Expr none = stages ? entries.in().free | stages->sequence.fresh() : entries.in().free;
  const Expr idle = m.let("reply_idle", rtl::any(here & none), "the entry has no search");
  const Expr awaited = m.let("reply_awaited", reply.valid & ~reply.l2 & first & ~idle,
                             "a core's, where the search waits for one");
  const Expr data = m.let(stages ? "data_now" : "data", known & awaited,
                          "a core's, which the search has waited for"),
             answer = m.let(stages ? "answer_now" : "answer", known & asked, "L2's reply to a request");
  m.assign(reply.fills, known & (awaited | (asked & first)));
  m.assign(reply.tracked, rtl::any(here & now.tracked));
  if (reply.slot)
    m.assign(*reply.slot,
             entries.field_of("slot_now", now.slot.value(), here, "the predictor's entry of the miss"));
  const LineHere comes{here, reply.entry, data, answer};
  const LineHere line = stages ? kept_line(t, comes) : comes;
  const Expr data_bits = m.let("data_bits", line.bits & entries.each(line.data),
                               "the entry whose line a core has sent"),
             answer_bits = m.let("answer_bits", line.bits & entries.each(line.answer),
                                 "the entry that L2 has answered");
  return {line.data, line.entry, data_bits, answer_bits};
}

namespace {

ProbeBack come_back(const TableParts& t, const ProbeTablePorts::Return& back) {
  auto& [m, p, entries, stages] = t;
  const Expr here =
      entries.decoded(stages ? "return_bits_now" : "returned_bits", back.entry, "the entry that it is of");
  const Expr sequence =
      entries.field_of("return_sequence_now", entries.fields().sequence, here, "the entry's sequence");
  const Expr comes = stages ? back.valid & ~rtl::any(here & stages->sequence.fresh()) : back.valid;
  const Expr known =
      m.let("return_known", comes & (sequence == back.sequence), "the probe is of this search");
  return {here, back.entry, known, back.findings};
}

// Candidates with those of a scout, and whether there are some, which is known apart from the joining ones.
struct Candidates {
  Expr all, some;
};
Candidates join_candidates(const TableParts& t, const Expr& returned, const ScoutFindings& findings) {
  auto& [m, p, entries, stages] = t;
  const Expr found = m.wire("found", p.cores, "cores that it has found the line in");
  std::vector<std::pair<std::string, Expr>> pins;
  for (std::size_t k = 0; k < findings.found.size(); ++k)
    pins.emplace_back(fmt::format("found{}", k), findings.found[k]);
  pins.emplace_back("cores", found);
  m.instance(found_cores(p, m.name() + "_found"), "found_in", pins, "Reads its list.");
  const Expr before = entries.field_of("candidates_before", entries.fields().candidates.value(), returned,
                                       "candidates known before");
  const Expr joining =
      m.let("joining", found & rtl::replicate(p.cores, findings.scout), "cores that a scout has found");
  const Expr all = m.let("joined", before | joining, "all candidates");
  const Expr some =
      m.let("some_joined", rtl::any(returned & entries.in().some_candidates.value()) | rtl::any(joining),
            "there are candidates");
  return {all, some};
}

}  // namespace

ProbeReturned probe_returned(const TableParts& t, const ProbeTablePorts::Return& port) {
  auto& [m, p, entries, stages] = t;
  m.section("A probe that comes back.");
  const ProbeBack comes = come_back(t, port), back = stages ? kept_back(t, comes) : comes;
  const auto level = [&](ProbeState s) { return code_of(m, s); };
  const Expr state = entries.field_of("return_state", entries.fields().state, back.bits, "the entry's state");
  const Expr first = m.let("return_first", state == level(ProbeState::level1), "of the first level");
  const Expr out = entries.field_of("return_out", entries.fields().out, back.bits, "probes under way");
  const Expr one = lit(out.width(), 1);
  const Expr last = m.let("return_last", out == one, "no other probe is under way");
  const Expr less_out =
      m.let("less_out", mux(last, out, out - one), "one less; the last one's bit is a second level's");
  const Expr bits = m.let("return_bits", back.bits & entries.in().level1 & entries.each(back.known),
                          "the entry, in its first level");
  const Expr ends = back.findings ? m.let("level_ends", (first & last) | (state == level(ProbeState::level2)),
                                          "no probe of the level is under way")
                                  : m.let("level_ends", first & last, "no probe is under way");
  const Expr end_bits =
      m.let("level_end_bits", back.bits & entries.each(back.known & ends), "the entry whose level ends");
  if (!back.findings) return {bits, less_out, end_bits, level(ProbeState::ask_l2), {}};
  const Candidates joined = join_candidates(t, back.bits, *back.findings);
  const Expr next =
      m.let("level_next", mux(first & joined.some, level(ProbeState::level2), level(ProbeState::ask_l2)),
            "a leader searches the candidates, or nobody has the line");
  return {bits, less_out, end_bits, next, joined.all};
}

std::pair<SearchQueue, QueueChanges> search_queue(const TableParts& t, const ProbeTablePorts::Miss& miss,
                                                  const LineArrived& line) {
  auto& [m, p, entries, stages] = t;
  const int entry_bits = miss.entry.width();
  m.section("Searches by their age.");
  const Expr full = m.wire("queue_full", 1, "no search may begin"),
             old = m.wire("old", 1, "the oldest search has taken too long"),
             head = m.wire("head", entry_bits, "entry of the oldest search"),
             empty = m.wire("queue_empty", 1, "there is no search"),
             some_waiting = m.wire("some_waiting", 1, "a search may take targets"),
             first_waiting = m.wire("first_waiting", entry_bits, "the entry of the oldest that may");
  m.assign(miss.ready, ~full);
  const Expr begins = m.let("misses", miss.valid & ~full, "a search begins");
  const char* const waits_no_longer =
      stages ? "that search is chosen for targets" : "that search takes targets";
  const QueueChanges changes{.waits_no_longer = m.wire("waits_no_longer", 1, waits_no_longer),
                             .asks = m.wire("asked_now", 1, "an L2 request is sent"),
                             .asked = m.wire("ask_number", entry_bits, "entry of the request")};
  const Expr head_bits = entries.decoded("head_bits", head, "entry of the oldest search, one-hot");
  const Expr timed_bits =
      m.let("timed_bits", head_bits & entries.each(old), "the entry of the search that has taken too long");
  m.instance(selective_queue(p, m.name() + "_queue"), "queue",
             {{"push", begins},
              {"push_entry", miss.entry},
              {"ends", line.data},
              {"ended", line.entry},
              {"asks", changes.asks},
              {"asked", changes.asked},
              {"takes", changes.waits_no_longer},
              {"full", full},
              {"empty", empty},
              {"old", old},
              {"head", head},
              {"some_waiting", some_waiting},
              {"first_waiting", first_waiting}},
             "The oldest search first.");
  return {{empty, old, head, some_waiting, first_waiting, begins, timed_bits}, changes};
}

namespace {

// At most one search has taken too long and is not sent: the oldest.
AskingEntry asking_entry(const TableParts& t) {
  auto& [m, p, entries, stages] = t;
  const Expr& asking = entries.in().asking;
  const Expr late =
      m.let("asking_late", asking & entries.fields().timed_out, "the search that has taken too long");
  const Expr some_late = m.let("some_late", rtl::any(late), "there is one");
  const Expr lowest = lowest_of(m, "asks_lowest", asking, "the lowest entry that may ask");
  const Expr first = m.let("asks_first", mux(some_late, late, lowest), "the entry that goes first");
  const Expr number = number_of(m, "asks_first_number", first, "number of the entry that asks");
  return {{first, number, rtl::any(asking)}, some_late};
}

}  // namespace

Expr l2_asked(const TableParts& t, const ProbeTablePorts::Ask& ask, const QueueChanges& changes) {
  auto& [m, p, entries, stages] = t;
  m.section("Requests to L2.");
  const AskingEntry now = asking_entry(t), asking = stages ? kept_asking(t, now) : now;
  const FoundEntry& first = asking.found;
  m.assign(changes.asked, first.number);
  m.assign(ask.valid, first.some);
  m.assign(ask.timed_out, asking.late);
  m.assign(ask.entry, changes.asked);
  m.assign(ask.sequence, entries.field_of("ask_sequence_now", entries.fields().sequence, first.bits,
                                          "sequence of the entry that asks"));
  m.assign(changes.asks, ask.take & first.some);
  return m.let("asked_bits", first.bits & entries.each(ask.take), "the entry whose request is sent");
}

namespace {

FoundEntry leading_entry(const TableParts& t) {
  auto& [m, p, entries, stages] = t;
  const auto& in = entries.in();
  const Expr ready = m.let("level2_ready", in.level2.value() & in.some_candidates.value(),
                           "entries whose candidates are not searched yet");
  const Expr first = lowest_of(m, "level2_first", ready, "the lowest of them");
  const Expr number = number_of(m, "level2_number", first, "number of the entry with candidates");
  return {first, number, rtl::any(ready)};
}

}  // namespace

LeaderSent leader_sent(const TableParts& t, const ProbeTablePorts::Leader& leader, const Expr& free_slots) {
  auto& [m, p, entries, stages] = t;
  m.section("A leader for the candidates.");
  const FoundEntry now = leading_entry(t);
  std::optional<LeadingEntry> kept;
  if (stages) kept = kept_leading(t);
  const FoundEntry first = kept ? kept->found : now;
  const Expr sent = m.let("searches", first.some & rtl::any(free_slots), "a leader is sent to them");
  m.assign(leader.valid, sent);
  const Expr sent_bits =
      m.let("searched_bits", first.bits & entries.each(sent), "the entry that is sent for");
  const Expr read = entries.field_of("search_cores", entries.fields().candidates.value(), first.bits,
                                     "candidates that are searched");
  std::vector<std::pair<std::string, Expr>> pins{
      {"cores", kept ? read_candidates(t, *kept, now, sent, read) : read}};
  for (std::size_t k = 0; k < leader.targets.size(); ++k)
    pins.emplace_back(fmt::format("target{}", k), leader.targets[k]);
  OwnCore(m, p.core, p.cores).pass_on(pins);
  m.instance(candidate_list(p, m.name() + "_list"), "order", pins, "In the order of the search.");
  return {sent, first.bits, first.number, sent_bits};
}

ListTaken list_taken(const TableParts& t, const ProbeTablePorts::List& list,
                     const ProbeTablePorts::Probe& probe, const SearchQueue& queue,
                     const std::optional<LeaderSent>& leader, const Expr& waits_no_longer) {
  auto& [m, p, entries, stages] = t;
  m.section("Targets of a search.");
  const int bits = std::max(list.free_slots.width(), list.probes.width());
  const Expr most = lit(list.probes.width(), static_cast<std::uint64_t>(std::min(p.probes, p.coverage)));
  const Expr probes = p.coverage >= p.probes ? list.probes
                                             : m.let("probes", mux(most < list.probes, most, list.probes),
                                                     "probes that have targets");
  const Expr fits = m.let("fits", rtl::zext(list.free_slots, bits) >= rtl::zext(probes, bits),
                          "the outgoing queue is not full");
  std::optional<ChosenSearch> chosen;
  if (stages) chosen = chosen_search(t, queue);
  const FoundEntry first =
      chosen ? chosen->found
             : FoundEntry{entries.decoded("waiting_bits", queue.first_waiting, "entry of that search"),
                          queue.first_waiting, queue.some_waiting};
  const Expr may = list.valid & first.some & fits;
  const Expr takes =
      m.let("takes", leader ? may & ~leader->valid : may, "the oldest search that waits takes the list");
  m.assign(list.take, takes);
  if (chosen)
    choose_next(t, queue, *chosen, takes, waits_no_longer);
  else
    m.assign(waits_no_longer, takes);
  const Expr listed_bits =
      m.let("listed_bits", first.bits & entries.each(takes), "the entry that takes the list");
  const Expr probed = leader ? m.let("probed_bits", mux(leader->valid, leader->bits, first.bits),
                                     "entry of the probes, one-hot")
                             : first.bits;
  m.assign(probe.entry, leader ? mux(leader->valid, leader->number, first.number) : first.number);
  m.assign(probe.sequence, entries.field_of("probe_sequence_now", entries.fields().sequence, probed,
                                            "sequence of the probes"));
  return {listed_bits, probes};
}

SearchBegun search_begun(const TableParts& t, const ProbeTablePorts::Miss& miss, const Expr& begins) {
  auto& [m, p, entries, stages] = t;
  m.section("A search begins.");
  const Expr here = entries.decoded("miss_bits", miss.entry, "entry of the miss");
  const Expr bits = m.let("missed_bits", here & entries.each(begins), "the entry that is taken");
  const Expr before = entries.field_of("miss_sequence", entries.fields().sequence, here,
                                       "sequence of the entry's search before");
  if (stages) {
    stages->sequence.follow(stages->kept, bits, before);
    return {bits, stages->sequence.next(), stages->sequence.fresh()};
  }
  const Expr next =
      m.let("next_sequence", before + lit(before.width(), 1), "sequence of the search that begins");
  return {bits, next, bits};
}

}  // namespace hw
