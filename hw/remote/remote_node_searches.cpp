#include "hw/remote/remote_node_searches.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/outgoing_probes.h"
#include "hw/remote/probe_table.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

Expr lines_of_searches(RemoteNodeFrame& n, const FrontMiss& miss, const Expr& shared) {
  rtl::Module& m = n.m;
  const Expr line_q = m.data_reg("line_q", n.table.entries * n.line_bits, "line of each search");
  m.clocked("Lines that are searched for.", [&] {
    m.loop("entry", n.table.entries, [&](const Expr& e) {
      m.when(miss.takes & shared & (miss.entry == e.slice(n.entry_bits - 1, 0)),
             [&] { m.set(line_q.part(e, n.line_bits), miss.line); });
    });
  });
  return line_q;
}

// The search that takes a list of targets.
struct TakingSearch {
  Expr take, entry, sequence;
};

// What the selector draws enters the queue of probes, and so does a leader for candidates. `table`: pins.
// Returns the pins of the queue.
Pins lists(RemoteNodeFrame& n, const TakingSearch& search, const Expr& core_fills, const Expr& supplier,
           const Expr& clear, Pins& table) {
  rtl::Module& m = n.m;
  m.section("Lists of targets, and the probes that share them.");
  const Expr valid = m.wire("list_valid", 1, "there is a list"),
             probes = m.wire("list_probes", probes_out_bits(n.table), "probes that share it"),
             free_slots = m.wire("free_slots", probe_count_bits(n.table.outgoing), "free slots for probes");
  Pins selector{{"take", search.take}, {"reply", core_fills}, {"reply_core", supplier},
                {"clear", clear},      {"valid", valid},      {"probes", probes}};
  Pins queue{{"list_take", search.take},
             {"list_probes", probes},
             {"probe_entry", search.entry},
             {"probe_sequence", search.sequence},
             {"free_slots", free_slots}};
  const auto target = [&](const std::string& name, int bits, const char* doc, Pins& from) {
    const Expr core = m.wire(name, bits, doc);
    from.emplace_back(name, core);
    queue.emplace_back(name, core);
  };
  for (int t = 0; t < n.p.remote.coverage; ++t)
    target(fmt::format("target{}", t), bits_to_number(n.p.cores), "core that is searched, in this order",
           selector);
  append(table, {{"list_valid", valid}, {"list_probes", probes}, {"free_slots", free_slots}});
  if (most_candidates(n.table)) target("search", 1, "a leader searches candidates", table);
  for (int t = 0; t < most_candidates(n.table); ++t)
    target(fmt::format("search_target{}", t), n.core_bits, "candidate that is searched, in this order",
           table);
  n.own.pass_on(selector);
  m.instance(core_selector(selector_params(n.p.remote, n.p.cores, n.p.core), n.name("selector")), "selector",
             selector, "Selects the cores to be searched.");
  return queue;
}

// `line`: of the search that takes a list.
OwnProbe outgoing(RemoteNodeFrame& n, Pins pins, const Expr& line) {
  const auto wire = [&](const char* field, int width) {
    pins.emplace_back(
        fmt::format("sent_{}", field),
        n.m.wire(fmt::format("outgoing_{}", field), width, fmt::format("a probe of this core: {}", field)));
    return pins.back().second;
  };
  const OwnProbe probe{.valid = wire("valid", 1),
                       .ready = wire("ready", 1),
                       .leader = wire("leader", 1),
                       .entry = wire("entry", n.entry_bits),
                       .sequence = wire("sequence", n.sequence_bits),
                       .targets = wire("targets", list_bits(n.handler)),
                       .line = wire("line", n.line_bits)};
  pins.emplace_back("probe_line", line);
  n.m.instance(outgoing_probes(n.p, n.name("outgoing")), "outgoing", pins, "Probes of this core wait.");
  return probe;
}

L2Ask ask_wires(RemoteNodeFrame& n) {
  rtl::Module& m = n.m;
  return {.valid = m.wire("ask_valid", 1, "a line is to be requested from L2 after a search"),
          .late = m.wire("ask_timed_out", 1, "since its search has taken too long"),
          .entry = m.wire("ask_entry", n.entry_bits, "entry of that search"),
          .sequence = m.wire("ask_sequence", n.sequence_bits, "sequence of that search"),
          .take = m.wire("ask_take", 1, "the request is sent")};
}

Pins returning_pins(RemoteNodeFrame& n, const ProbeFields& probe, const Expr& returns) {
  return {{"return_valid", returns},
          {"return_entry", n.entry_of(probe.group)},
          {"return_sequence", n.sequence_of(probe.group)}};
}

Pins scout_pins(RemoteNodeFrame& n, const ProbeFields& probe) {
  Pins pins{{"return_scout", ~probe.leader}};
  for (int k = 0; k < scout_places(n.table); ++k)
    pins.emplace_back(fmt::format("return_found{}", k),
                      probe.targets.slice((k + 1) * n.core_bits - 1, k * n.core_bits));
  return pins;
}

Pins reply_pins(RemoteNodeFrame& n, const rtl::Stream& reply, const ReplyLookup& lookup) {
  return {{"reply_valid", lookup.looks_up},
          {"reply_l2", ~reply["core"]},
          {"reply_entry", n.entry_of(reply["group"])},
          {"reply_sequence", n.sequence_of(reply["group"])},
          {"reply_fills", lookup.table.fills},
          {"reply_tracked", lookup.table.tracked}};
}

Pins ask_pins(const L2Ask& ask) {
  return {{"ask_valid", ask.valid},
          {"ask_timed_out", ask.late},
          {"ask_entry", ask.entry},
          {"ask_sequence", ask.sequence},
          {"ask_take", ask.take}};
}

}  // namespace

Searches searches(RemoteNodeFrame& n, const CoreSide& core, const NetworkSide& network,
                  const SearchStatus& status, const FrontMiss& miss, const Expr& miss_ready,
                  const SharingGuess& guess, const ReplyLookup& reply, const Expr& returns, Pins& cache) {
  rtl::Module& m = n.m;
  const Expr lines = lines_of_searches(n, miss, guess.shared);
  const Expr idle = m.wire("table_idle", 1, "no search goes on");
  const L2Ask ask = ask_wires(n);
  const TakingSearch search{
      .take = m.wire("list_take", 1, "a search takes a list of targets"),
      .entry = m.wire("search_entry", n.entry_bits, "entry of that search"),
      .sequence = m.wire("search_sequence", n.sequence_bits, "sequence of that search")};
  if (!n.p.remote.own_store_guard)
    m.unused("unused_searching", status.searching, "stores do not wait for searches");
  Pins table{{"miss_valid", miss.takes & guess.shared},
             {"miss_ready", miss_ready},
             {"miss_entry", miss.entry},
             {"miss_tracked", guess.tracked},
             {"searching", status.searching},
             {"late", status.late},
             {"idle", idle},
             {"list_take", search.take},
             {"probe_entry", search.entry},
             {"probe_sequence", search.sequence}};
  append(table, returning_pins(n, network.probe, returns));
  append(table, reply_pins(n, network.reply, reply));
  append(table, ask_pins(ask));
  if (guess.slot) append(table, {{"miss_slot", *guess.slot}, {"reply_slot", reply.table.slot.value()}});
  if (most_candidates(n.table)) append(table, scout_pins(n, network.probe));
  append(cache, {{"searching", n.p.remote.own_store_guard ? status.searching : lit(n.table.entries, 0)}});
  if (most_candidates(n.table)) n.own.pass_on(table);
  const Pins queue = lists(n, search, reply.core_fills, network.reply["supplier"], core.flush_all, table);
  const OwnProbe probe = outgoing(n, queue, numbered(lines, search.entry, n.line_bits));
  m.instance(probe_table(n.table, n.name("table")), "probe_table", table, "Searches of this core.");
  return {idle, lines, ask, probe};
}

}  // namespace hw
