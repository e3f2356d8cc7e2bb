#include "hw/remote/probe_table_ports.h"

#include <fmt/format.h>

#include <functional>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector_params.h"

namespace hw {
namespace {

using rtl::Expr;
using Ports = ProbeTablePorts;

std::optional<Expr> if_any(int bits, const std::function<Expr()>& port) {
  return bits ? std::optional(port()) : std::nullopt;
}

Ports::Miss miss_ports(rtl::Module& m, const ProbeTableParams& p) {
  const int slot_bits = bits_to_number(p.predictor_entries);
  return {.valid = m.input("miss_valid", 1, "a miss is taken to be shared; its entry is free"),
          .ready = m.output("miss_ready", 1, "the search of the miss begins"),
          .entry = m.input("miss_entry", bits_to_number(p.entries), "number of its MSHR entry"),
          .tracked = m.input("miss_tracked", 1, "the predictor has an entry for its instruction"),
          .slot = if_any(slot_bits, [&] { return m.input("miss_slot", slot_bits, "number of that entry"); })};
}

Ports::Status status_ports(rtl::Module& m, const ProbeTableParams& p) {
  return {
      .searching = m.output("searching", p.entries, "the entry's line is searched for, L2 is not asked yet"),
      .late = m.output("late", p.entries, "the entry has its data and waits for a reply of L2"),
      .idle = m.output("idle", 1, "no entry is in use, no slot of the queue taken")};
}

Ports::List list_ports(rtl::Module& m, const ProbeTableParams& p) {
  return {
      .valid = m.input("list_valid", 1, "there is a list of targets"),
      .probes = m.input("list_probes", probes_out_bits(p), "probes that share them"),
      .free_slots = m.input("free_slots", probe_count_bits(p.outgoing), "free slots of the outgoing queue"),
      .take = m.output("list_take", 1, "the list is taken, and its probes enter the outgoing queue")};
}

Ports::Probe probe_ports(rtl::Module& m, const ProbeTableParams& p) {
  std::optional<Expr> search;
  if (most_candidates(p)) search = m.output("search", 1, "a leader for candidates enters the outgoing queue");
  Ports::Probe probe{.entry = m.output("probe_entry", bits_to_number(p.entries), "of these probes"),
                     .sequence = m.output("probe_sequence", sequence_bits(p), "of these probes"),
                     .leader = {}};
  if (!search) return probe;
  probe.leader = Ports::Leader{.valid = *search, .targets = {}};
  for (int k = 0; k < most_candidates(p); ++k)
    probe.leader->targets.push_back(m.output(fmt::format("search_target{}", k), core_or_none_bits(p.cores),
                                             "target of that leader, in this order; all ones for none"));
  return probe;
}

Ports::Return return_ports(rtl::Module& m, const ProbeTableParams& p) {
  const Expr valid = m.input("return_valid", 1, "a probe has come back");
  std::optional<ScoutFindings> findings;
  if (most_candidates(p))
    findings = ScoutFindings{.scout = m.input("return_scout", 1, "the probe is a scout"), .found = {}};
  Ports::Return back{.valid = valid,
                     .entry = m.input("return_entry", bits_to_number(p.entries), "entry of the probe"),
                     .sequence = m.input("return_sequence", sequence_bits(p), "sequence of the probe"),
                     .findings = findings};
  for (int k = 0; findings && k < scout_places(p); ++k)
    back.findings->found.push_back(
        m.input(fmt::format("return_found{}", k), core_or_none_bits(p.cores),
                "an entry of the probe's list: a core that has the line, or all ones"));
  return back;
}

Ports::Reply reply_ports(rtl::Module& m, const ProbeTableParams& p) {
  const int slot_bits = bits_to_number(p.predictor_entries);
  return {
      .valid = m.input("reply_valid", 1, "the line has come"),
      .l2 = m.input("reply_l2", 1, "from L2; else from a core"),
      .entry = m.input("reply_entry", bits_to_number(p.entries), "entry of the line"),
      .sequence = m.input("reply_sequence", sequence_bits(p), "sequence of the line"),
      .fills = m.output("reply_fills", 1, "the line is the first of its search and fills the cache"),
      .tracked = m.output("reply_tracked", 1, "the predictor has an entry for the miss' instruction"),
      .slot = if_any(slot_bits, [&] { return m.output("reply_slot", slot_bits, "number of that entry"); })};
}

Ports::Ask ask_ports(rtl::Module& m, const ProbeTableParams& p) {
  return {
      .valid = m.output("ask_valid", 1, "a line is to be requested from L2"),
      .timed_out = m.output("ask_timed_out", 1, "since its search has taken too long; else nobody has it"),
      .entry = m.output("ask_entry", bits_to_number(p.entries), "entry of the request"),
      .sequence = m.output("ask_sequence", sequence_bits(p), "sequence of the request"),
      .take = m.input("ask_take", 1, "the request is sent; counts while `ask_valid`")};
}

}  // namespace

ProbeTablePorts::ProbeTablePorts(rtl::Module& m, const ProbeTableParams& p)
    : miss(miss_ports(m, p)),
      status(status_ports(m, p)),
      list(list_ports(m, p)),
      probe(probe_ports(m, p)),
      back(return_ports(m, p)),
      reply(reply_ports(m, p)),
      ask(ask_ports(m, p)) {}

}  // namespace hw
