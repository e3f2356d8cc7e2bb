#include "hw/remote/remote_node_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hw/check/first_error.h"
#include "hw/check/search_check.h"
#include "hw/remote/taken_requests.h"
#include "hw/rtl/module_data.h"
#include "hw/rtl/optional.h"
#include "hw/shared/l1_arbiter.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

constexpr std::uint64_t snoop_kind = 5;

// The word of a request: of the snoop where one is served, else of the core.
Expr entering_word(RemoteNodeFrame& n, const rtl::Stream& request, const Snoop& snoop, const Expr& serves) {
  const std::map<std::string, Expr> of_snoop{{"id", cat({lit(1, 1), lit(n.p.l1d.core_id_bits, 0)})},
                                             {"kind", lit(3, snoop_kind)},
                                             {"address", cat({snoop.line, lit(n.offset_bits, 0)})},
                                             {"mask", n.whole_line()}};
  std::vector<Expr> word;
  for (const rtl::Field& f : n.cache_fields("core_request")) {
    const Expr& own = request[f.name];
    const Expr wide = own.width() < f.width ? rtl::zext(own, f.width) : own;
    const auto snoops = of_snoop.find(f.name);
    word.push_back(snoops == of_snoop.end() ? wide : mux(serves, snoops->second, wide));
  }
  return cat(word);
}

// A snoop never fails, so that a fail is one of the core. Returns that one failed.
Expr cache_events(RemoteNodeFrame& n, Pins& cache) {
  std::vector<Expr> unread;
  rtl::Optional failed;
  for (const rtl::Signal& port : rtl::other_ports(n.cache.module)) {
    if (port.name.starts_with("ecc_")) cache.push_back(rtl::pass_on(n.m, port));
    if (!port.name.starts_with("event_")) continue;
    const Expr event = n.p.l1d.counters ? n.m.output(port.name, port.width, port.doc)
                                        : n.m.wire(port.name, port.width, port.doc);
    cache.emplace_back(port.name, event);
    if (port.name.starts_with("event_reservation_fail"))
      failed |= event;
    else if (!n.p.l1d.counters)
      unread.push_back(event);
  }
  const Expr fails = n.m.let("failed", *failed, "a request of the core failed in the cycle before");
  constexpr std::size_t of_a_line = 8;
  for (std::size_t i = 0; i < unread.size(); i += of_a_line)
    n.m.unused(fmt::format("unused_events{}", i / of_a_line),
               cat({unread.begin() + static_cast<std::ptrdiff_t>(i),
                    unread.begin() + static_cast<std::ptrdiff_t>(std::min(i + of_a_line, unread.size()))}),
               "nobody counts them");
  return fails;
}

// How many requests of the core have no answer: wires.
struct OpenRequests {
  Expr none, most;
};

// Follows what the L1 takes of the core. Returns the stores that mark their lines: in this cycle, or with
// stages those of the cycle before. The L1 looks them up in that cycle at the earliest.
std::optional<WriteGuard> follow_taken(RemoteNodeFrame& n, const CoreSide& core, const OpenRequests& open,
                                       const std::optional<Expr>& filter_ready) {
  rtl::Module& m = n.m;
  const Expr entered = m.let("entered", core.request.transfer(), "a request of the core is taken"),
             answered = m.let("answered", core.response.transfer(), "an answer is taken");
  Pins pins{{"entered", entered}, {"answered", answered}, {"none_open", open.none}, {"most_open", open.most}};
  std::optional<WriteGuard> guard;
  const bool late = filter_ready && n.p.remote.table_stages;
  if (filter_ready) {
    const Expr marks =
        m.let("marks", entered & rtl::parity(core.request["kind"]), "the request is a store or an atomic");
    const Expr line = core.request["address"].slice(n.p.l1d.address_bits - 1, n.offset_bits);
    if (late) {
      guard = WriteGuard{m.wire("marked", 1, "a store or an atomic was taken in the cycle before"),
                         m.wire("marked_line", n.line_bits, "block address of that request"), *filter_ready};
      append(pins,
             {{"marks", marks}, {"line", line}, {"marked", guard->marks}, {"marked_line", guard->line}});
    } else {
      guard = WriteGuard{marks, m.let("request_line", line, "block address of the core's request"),
                         *filter_ready};
    }
  }
  m.instance(taken_requests(late ? n.line_bits : 0, n.name("taken")), "taken", pins,
             "Requests that the L1 takes.");
  return guard;
}

}  // namespace

std::pair<CacheEntry, SearchStatus> enter_cache(RemoteNodeFrame& n, const CoreSide& core, Pins& cache) {
  rtl::Module& m = n.m;
  m.section("Into the L1: requests of the core, and snoops.");
  const OpenRequests requests{m.wire("none_open", 1, "no request of the core is open"),
                              m.wire("most_open", 1, "no more requests may be open")};
  const Expr serves = m.wire("serves", 1, "a snoop is sent to the L1"),
             snoops = m.wire("snoop_valid", 1, "a snoop is pending"),
             snoop_line = m.wire("snoop_line", n.line_bits, "block address of the snoop");
  const SearchStatus status{
      .searching = m.wire("searching", n.table.entries, "entries whose lines are searched for"),
      .late = m.wire("late", n.table.entries, "entries that L2 owes a reply that is of no use")};
  const Channel in(m, "l1_request", n.cache_fields("core_request"), "a request to the L1");
  Expr may = ~core.flush_valid & ~requests.most;
  std::optional<Expr> filter_ready;
  if (n.p.remote.own_store_guard) {
    filter_ready = m.wire("filter_ready", 1, "the written filter is not being cleared");
    may = may & *filter_ready;
  }
  const Expr accepts = m.let("may_enter", may, "a request of the core may be taken");
  const Expr local = m.let("local_valid", core.request.valid & accepts, "the core has one");
  m.assign(in.valid, local | snoops);
  m.assign(core.request.ready, accepts & ~serves & in.ready);
  const Snoop snoop{snoops, m.let("snoop_ready", serves & in.ready, "the L1 takes the snoop"), snoop_line};
  m.assign(in.word, entering_word(n, core.request, snoop, serves));
  append(cache, in.pins("core_request"));
  const Expr failed = cache_events(n, cache);
  m.instance(l1_arbiter({.remote_wait_limit = n.p.remote.wait_limit}, n.name("arbiter")), "arbiter",
             {{"local_valid", local},
              {"local_failed", failed},
              {"served_valid", snoop.valid},
              {"ready", in.ready},
              {"serves", serves}},
             "Arbiter of the L1's requests.");
  const CacheEntry entry{requests.none, snoop, follow_taken(n, core, requests, filter_ready)};
  return {entry, status};
}

void cache_answers(RemoteNodeFrame& n, const rtl::Stream& response, const SnoopAnswer& snoop, Pins& cache) {
  rtl::Module& m = n.m;
  const int id_bits = n.p.l1d.core_id_bits;
  m.section("Answers of the L1.");
  const Channel answer(m, "answer", n.cache_fields("core_response"), "an answer of the L1");
  append(cache, answer.pins("core_response"));
  const Expr id = m.let("answer_id", answer["id"], "of a request of the core, or of a snoop"),
             snooped = id.bit(id_bits);
  m.assign(snoop.valid, answer.valid & snooped);
  m.assign(snoop.found, rtl::any(answer["mask"]));
  m.assign(snoop.data, answer["data"]);
  m.assign(answer.ready, snooped | response.ready);
  m.assign(response.valid, answer.valid & ~snooped);
  m.assign(response["id"], id.slice(id_bits - 1, 0));
  m.assign(response["mask"], answer["mask"]);
  m.assign(response["data"], answer["data"]);
}

Channel cache_replies(RemoteNodeFrame& n, const rtl::Stream& reply, const ReplyLookup& lookup, Pins& cache) {
  rtl::Module& m = n.m;
  m.section("Replies for the L1.");
  const Channel fill(m, "fill", n.cache_fields("memory_response"), "a reply for the L1");
  const Expr group = reply["group"];
  m.assign(fill.valid, reply.valid & (~lookup.of_search | lookup.goes_in));
  m.assign(fill.word, cat({mux(lookup.of_search, n.fetch_id(n.entry_of(group)), reply["id"]), reply["mask"],
                           reply["data"]}));
  m.assign(reply.ready, lookup.looked_q ? mux(lookup.of_search, *lookup.looked_q, fill.ready)
                                        : lookup.of_search | fill.ready);
  const int bits = n.table.group_bits;
  m.unused("unused_reply_asker", group.slice(bits - 1, bits - n.core_bits), "this core");
  append(cache, fill.pins("memory_response"));
  return fill;
}

void check_replies(RemoteNodeFrame& n, const FrontMiss& miss, const Expr& shared, const ReplyLookup& lookup,
                   const Channel& fill, Pins& cache) {
  if (!n.p.l1d.check.ports) return;
  rtl::Module& m = n.m;
  m.section("Checks of replies.");
  const Expr l1_error = m.wire("l1_protocol_error", 1, "the L1 has found a broken rule"),
             l1_code = m.wire("l1_protocol_error_code", protocol_code_bits, "that rule"),
             code = m.wire("first_error", protocol_code_bits, "rule that was broken first; 0 for none");
  m.unused("unused_l1_protocol_error", l1_error, "the code says it too");
  append(cache, {{"protocol_error", l1_error}, {"protocol_error_code", l1_code}});
  const Expr fill_id = m.let("fill_id", fill["id"], "id of the reply for the L1");
  m.instance(search_check(n.table.entries, fill_id.width(), n.name("search_check")), "search_check",
             {{"miss_valid", miss.takes & shared},
              {"miss_entry", miss.entry},
              {"fill_valid", fill.valid},
              {"fill_id", fill_id},
              {"of_search", lookup.of_search},
              {"l1_code", l1_code},
              {"code", code}},
             "Checks that lines of searches come as their replies.");
  add_protocol_ports(m, code);
}

void cache_flush(RemoteNodeFrame& n, const CoreSide& core, const CacheEntry& entry, const ProbesHere& probes,
                 const Searches& searches, const rtl::Condition& clean, Pins cache) {
  rtl::Module& m = n.m;
  m.section("The L1, and its flush.");
  const Expr ready = m.wire("l1_flush_ready", 1, "the L1 can flush");
  const Expr none = ready & entry.none_open & searches.idle & probes.idle & ~searches.probe.valid;
  m.assign(core.flush_ready, none & clean);
  append(cache, {{"flush_valid", core.flush_all}, {"flush_ready", ready}});
  m.instance(n.cache.module, "cache", cache, "The L1 of the core.");
}

}  // namespace hw
