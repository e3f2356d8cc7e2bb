#include "hw/remote/remote_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/remote/core_selector.h"
#include "hw/remote/probe_handler.h"
#include "hw/remote/probe_table.h"
#include "hw/remote/remote_node_cache.h"
#include "hw/remote/remote_node_misses.h"
#include "hw/remote/remote_node_searches.h"
#include "hw/remote/remote_node_sends.h"
#include "hw/remote/remote_ranges.h"
#include "hw/remote/sharing_predictor.h"
#include "hw/remote/waiting_snoops.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr;

// A probe that the handler sends on, with pins of the handler.
WaitingProbe probe_of_handler(RemoteNodeFrame& n, const char* kind, const char* doc, Pins& handler) {
  const auto wire = [&](const char* field, int width) {
    handler.emplace_back(fmt::format("{}_{}", kind, field), n.m.wire(fmt::format("{}_{}", kind, field), width,
                                                                     fmt::format("{}: {}", doc, field)));
    return handler.back().second;
  };
  return {.valid = wire("valid", 1),
          .destination = wire("destination", n.core_bits),
          .fields = {.leader = wire("leader", 1),
                     .group = wire("group", n.table.group_bits),
                     .targets = wire("targets", list_bits(n.handler)),
                     .pointer = wire("pointer", pointer_bits(n.handler)),
                     .line = wire("line", n.line_bits)},
          .ready = wire("ready", 1)};
}

// With stages, snoops of the handler wait for the L1 in two slots.
Snoop snoop_of_handler(RemoteNodeFrame& n, const Snoop& snoop) {
  if (!n.p.remote.table_stages) return snoop;
  return {.valid = n.m.wire("asked_valid", 1, "the handler has a snoop"),
          .ready = n.m.wire("asked_ready", 1, "there is a slot for it"),
          .line = n.m.wire("asked_line", n.line_bits, "block address of that snoop")};
}
void wait_for_l1(RemoteNodeFrame& n, const Snoop& asked, const Snoop& snoop) {
  if (!n.p.remote.table_stages) return;
  n.m.instance(waiting_snoops(n.line_bits, n.name("snoops")), "snoops",
               {{"in_valid", asked.valid},
                {"in_ready", asked.ready},
                {"in_line", asked.line},
                {"out_valid", snoop.valid},
                {"out_ready", snoop.ready},
                {"out_line", snoop.line}},
               "Snoops wait for the L1.");
}

// Probes of other cores, and what they find. `answer`: wires that the L1's answers drive.
std::pair<ProbesHere, SnoopAnswer> probes_here(RemoteNodeFrame& n, const NetworkSide& network,
                                               const Snoop& snoop) {
  rtl::Module& m = n.m;
  m.section("Probes that come: those of this core are back.");
  const ProbeFields& probe = network.probe;
  const Expr asker = probe.group.slice(n.table.group_bits - 1, n.table.group_bits - n.core_bits);
  const Expr mine = asker == n.own.number(n.core_bits);
  const Expr returns = m.let("returns", network.probe_comes & mine, "a probe of this core is back");
  const SnoopAnswer answer{.valid = m.wire("snooped", 1, "the L1 answers a snoop"),
                           .found = m.wire("found", 1, "the line is there"),
                           .data = m.wire("answer_data", 8 * n.p.l1d.line_bytes, "data of the L1's answer")};
  const Expr dropped = m.wire("probe_dropped", 1, "a probe finds no slot and is lost"),
             idle = m.wire("handler_idle", 1, "no probe is here");
  const Snoop asked = snoop_of_handler(n, snoop);
  Pins pins{{"probe_valid", network.probe_comes & ~returns},
            {"probe_leader", probe.leader},
            {"probe_group", probe.group},
            {"probe_targets", probe.targets},
            {"probe_pointer", probe.pointer},
            {"probe_line", probe.line},
            {"snoop_valid", asked.valid},
            {"snoop_ready", asked.ready},
            {"snoop_line", asked.line},
            {"answer_valid", answer.valid},
            {"answer_found", answer.found},
            {"answer_data", answer.data},
            {"reply_valid", network.supply.valid},
            {"reply_ready", network.supply.ready},
            {"reply_group", network.supply["group"]},
            {"reply_data", network.supply["data"]},
            {"dropped", dropped},
            {"idle", idle}};
  ProbesHere here{.returns = returns,
                  .idle = idle,
                  .forwarded = probe_of_handler(n, "forwarded", "a probe that goes on or back", pins),
                  .deflected = {}};
  if (n.handler.deflected) here.deflected = probe_of_handler(n, "deflected", "a deflected probe", pins);
  m.instance(probe_handler(n.handler, n.name("handler")), "handler", pins, "Probes at this L1.");
  wait_for_l1(n, asked, snoop);
  m.unused("unused_dropped", dropped, "the search of a lost probe times out");
  return {here, answer};
}

}  // namespace

void check(const RemoteNodeParams& p) {
  check(table_params(p));
  check(selector_params(p.remote, p.cores, p.core));
  check(p.remote.predictor);
  require_in(RemoteRanges::wait_limit, "remote.wait_limit", p.remote.wait_limit, "use 64");
  const int most_bits =
      std::min(static_cast<int>(RemoteRanges::filter_bits.most), line_bits(handler_params(p)));
  if (p.remote.own_store_guard)
    require_in({RemoteRanges::filter_bits.least, most_bits}, "remote.filter_bits", p.remote.filter_bits,
               fmt::format("use {}", std::min(13, most_bits)));
  check(searched_cache(p));
  check(handler_params(p));
}

L1d remote_node(const RemoteNodeParams& p, const std::string& top) {
  check(p);
  RemoteNodeFrame n(
      p, l1d(searched_cache(p), top + "_cache"),
      rtl::Module(top,
                  "A core's L1 that serves misses of other cores, and looks for the core's own in "
                  "theirs (DC-L1 thesis, chapter 3)."));
  const CoreSide core(n);
  const NetworkSide network(n);
  Pins cache;
  const auto [entry, status] = enter_cache(n, core, cache);
  const auto [probes, answer] = probes_here(n, network, entry.snoop);
  cache_answers(n, core.response, answer, cache);

  const FrontMiss miss = front_miss(n, cache);
  const GuardAnswer guard = guard_misses(n, core, entry, miss, status.late);
  const Expr miss_ready = n.m.wire("miss_ready", 1, "a search may begin"),
             direct_q = n.m.reg("direct_q", 1, 0, "a miss waits to be sent to its slice");
  n.m.assign(miss.takes, miss.fetch & guard.known & ~direct_q & (guard.plain | miss_ready));
  const ReplyLookup lookup = look_up_reply(n, network.reply);
  const SharingGuess guess = guess_sharing(n, miss, guard.plain, lookup, core.flush_all);
  const DirectLoad direct = direct_load(n, miss, guess.shared, direct_q);
  const Searches own =
      searches(n, core, network, status, miss, miss_ready, guess, lookup, probes.returns, cache);
  send_messages(n, network.send, miss, direct, probes, own);

  const Channel fill = cache_replies(n, network.reply, lookup, cache);
  check_replies(n, miss, guess.shared, lookup, fill, cache);
  cache_flush(n, core, entry, probes, own, guard.clean, cache);
  return {n.m, n.cache.facts};
}

}  // namespace hw
