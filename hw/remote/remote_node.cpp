#include "hw/remote/remote_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/probe_handler.h"
#include "hw/remote/probe_table.h"
#include "hw/remote/remote_node_builder.h"
#include "hw/remote/remote_ranges.h"
#include "hw/remote/sharing_predictor.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"
#include "hw/rtl/optional.h"
#include "hw/shared/l1_arbiter.h"
#include "hw/shared/written_filter.h"

namespace hw {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

namespace {

constexpr std::uint64_t most_open = (1u << open_bits) - 1;
constexpr std::uint64_t snoop_kind = 5;

}  // namespace

RemoteNodeBuilder::RemoteNodeBuilder(const RemoteNodeParams& p, const std::string& top)
    : p_(p),
      cache_(l1d(searched_cache(p), top + "_cache")),
      m_(top,
         "A core's L1 that serves misses of other cores, and looks for the core's own in theirs (DC-L1 "
         "thesis, chapter 3)."),
      own_(m_, p.core, p.cores),
      table_(table_params(p)),
      handler_(handler_params(p)),
      core_bits_(core_or_none_bits(p.cores)),
      entry_bits_(bits_to_number(p.l1d.mshr_entries)),
      sequence_bits_(sequence_bits(table_)),
      line_bits_(line_bits(handler_)),
      offset_bits_(bits_to_number(p.l1d.line_bytes)) {}

L1d RemoteNodeBuilder::run() {
  core_ports();
  network_ports();
  enter_cache();
  searched();
  answers();
  misses();
  replies();
  flush();
  return {m_, cache_.facts};
}

void RemoteNodeBuilder::core_ports() {
  std::vector<rtl::Field> asked = cache_fields("core_request"), answered = cache_fields("core_response");
  asked[0].width = answered[0].width = p_.l1d.core_id_bits;
  asked[1] = {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"};
  request_ = rtl::input_stream(m_, "request", asked, "a request of the core");
  response_ = rtl::output_stream(m_, "response", answered, "an answer to the core");
  flush_valid_ = m_.input("flush_valid", 1, "flush all L1s; no requests are taken");
  flush_all_ = m_.input("flush_all", 1, "all are ready: the flush takes effect");
  flush_ready_ = m_.output("flush_ready", 1, "nothing of this core is under way, and no probe is here");
}

void RemoteNodeBuilder::network_ports() {
  const int group = table_.group_bits, list = list_bits(handler_), pointer = pointer_bits(handler_);
  send_valid_ = m_.output("send_valid", 1, "a message for the network of requests");
  send_ready_ = m_.input("send_ready", 1, "the message is taken; else the next cycle may offer another one");
  send_.probe = m_.output("send_probe", 1, "the message is a probe, for a core; else a request to a slice");
  send_.destination = m_.output("send_destination", core_bits_, "of a probe");
  send_.leader = m_.output("send_leader", 1, "of a probe: it looks for the line itself");
  send_.tracked = m_.output("send_tracked", 1, "of a request: its reply carries the group");
  send_.group = m_.output("send_group", group, "of the search: {core, entry, sequence}");
  send_.targets = m_.output("send_targets", list, "of a probe: its list, the first target lowest");
  send_.pointer = m_.output("send_pointer", pointer, "of a probe: position of the next target");
  const std::vector<rtl::Field> fields = cache_fields("memory_request");
  constexpr std::array request{&Sent::id,   &Sent::kind,        &Sent::address,
                               &Sent::mask, &Sent::byte_enable, &Sent::data};
  for (std::size_t i = 0; i < request.size(); ++i)
    send_.*request[i] = m_.output("send_" + fields[i].name, fields[i].width, fields[i].doc);
  probe_came_ = m_.input("probe_valid", 1, "a probe comes; always taken");
  probe_ = {m_.input("probe_leader", 1, "the probe looks for the line itself"),
            m_.input("probe_group", group, "of its search: {core, entry, sequence}"),
            m_.input("probe_targets", list, "list of the probe, the first target lowest"),
            m_.input("probe_pointer", pointer, "position of this core, or behind the last"),
            m_.input("probe_line", line_bits_, "block address")};
  supply_ = rtl::output_stream(
      m_, "supply",
      {{"group", group, "of the search that the line is for"}, {"data", 8 * p_.l1d.line_bytes, "the line"}},
      "a line for the core that the group names");
  std::vector<rtl::Field> replied{{"core", 1, "a core sends the line; else it is of a slice"},
                                  {"supplier", bits_to_number(p_.cores), "the core that supplies the line"},
                                  {"tracked", 1, "of a slice: the request had a group"},
                                  {"group", group, "of the search"}};
  for (const rtl::Field& f : cache_fields("memory_response")) replied.push_back(f);
  reply_ = rtl::input_stream(m_, "reply", replied, "a message of the network of replies");
}

// The core's requests and snoops, in front of the L1.
void RemoteNodeBuilder::enter_cache() {
  m_.section("Into the L1: requests of the core, and snoops.");
  open_q_ = m_.reg("open_q", open_bits, 0, "requests of the core that have no answer yet");
  serves_ = m_.wire("serves", 1, "a snoop is sent to the L1");
  snoop_valid_ = m_.wire("snoop_valid", 1, "a snoop is pending");
  snoop_line_ = m_.wire("snoop_line", line_bits_, "block address of the snoop");
  searching_ = m_.wire("searching", table_.entries, "entries whose lines are searched for");
  late_ = m_.wire("late", table_.entries, "entries that L2 owes a reply that is of no use");
  const Channel in(m_, "l1_request", cache_fields("core_request"), "a request to the L1");
  Expr may = ~flush_valid_ & (open_q_ != lit(open_bits, most_open));
  if (p_.remote.own_store_guard) {
    filter_ready_ = m_.wire("filter_ready", 1, "the written filter is not being cleared");
    may = may & filter_ready_;
  }
  accepts_ = m_.let("may_enter", may, "a request of the core may be taken");
  const Expr local = m_.let("local_valid", request_.valid & accepts_, "the core has one");
  m_.assign(in.valid, local | snoop_valid_);
  m_.assign(request_.ready, accepts_ & ~serves_ & in.ready);
  snoop_ready_ = m_.let("snoop_ready", serves_ & in.ready, "the L1 takes the snoop");
  const std::map<std::string, Expr> of_snoop{{"id", cat({lit(1, 1), lit(p_.l1d.core_id_bits, 0)})},
                                             {"kind", lit(3, snoop_kind)},
                                             {"address", cat({snoop_line_, lit(offset_bits_, 0)})},
                                             {"mask", ones_of_mask()}};
  std::vector<Expr> word;
  for (const rtl::Field& f : cache_fields("core_request")) {
    const Expr& own = request_[f.name];
    const Expr wide = own.width() < f.width ? rtl::zext(own, f.width) : own;
    const auto snoops = of_snoop.find(f.name);
    word.push_back(snoops == of_snoop.end() ? wide : mux(serves_, snoops->second, wide));
  }
  m_.assign(in.word, cat(word));
  cache_pins_ = in.pins("core_request");
  events();
  m_.instance(l1_arbiter({.remote_wait_limit = p_.remote.wait_limit}, name("arbiter")), "arbiter",
              {{"local_valid", local},
               {"local_failed", failed_},
               {"served_valid", snoop_valid_},
               {"ready", in.ready},
               {"serves", serves_}},
              "Arbiter of the L1's requests.");
  const Expr entered = m_.let("entered", request_.transfer(), "a request of the core is taken"),
             answered = m_.let("answered", response_.transfer(), "an answer is taken");
  m_.clocked("Count those under way.", [&] {
    m_.when(entered & ~answered, [&] { m_.set(open_q_, open_q_ + lit(open_bits, 1)); }).otherwise([&] {
      m_.when(answered & ~entered, [&] { m_.set(open_q_, open_q_ - lit(open_bits, 1)); });
    });
  });
  if (p_.remote.own_store_guard)
    marks_ = m_.let("marks", entered & rtl::parity(request_["kind"]), "the request is a store or an atomic");
}

// A snoop never fails, so that a fail is one of the core.
void RemoteNodeBuilder::events() {
  std::vector<Expr> unread;
  rtl::Optional failed;
  for (const rtl::Signal& port : rtl::other_ports(cache_.module)) {
    if (!port.name.starts_with("event_")) continue;
    const Expr event = p_.l1d.counters ? m_.output(port.name, port.width, port.doc)
                                       : m_.wire(port.name, port.width, port.doc);
    cache_pins_.emplace_back(port.name, event);
    if (port.name.starts_with("event_reservation_fail"))
      failed |= event;
    else if (!p_.l1d.counters)
      unread.push_back(event);
  }
  failed_ = m_.let("failed", *failed, "a request of the core failed in the cycle before");
  constexpr std::size_t of_a_line = 8;
  for (std::size_t i = 0; i < unread.size(); i += of_a_line)
    m_.unused(fmt::format("unused_events{}", i / of_a_line),
              cat({unread.begin() + static_cast<std::ptrdiff_t>(i),
                   unread.begin() + static_cast<std::ptrdiff_t>(std::min(i + of_a_line, unread.size()))}),
              "nobody counts them");
}

// Probes of other cores, and what they find.
void RemoteNodeBuilder::searched() {
  m_.section("Probes that come: those of this core are back.");
  const Expr asker = probe_.group.slice(table_.group_bits - 1, table_.group_bits - core_bits_);
  const Expr mine = asker == own_.number(core_bits_);
  returns_ = m_.let("returns", probe_came_ & mine, "a probe of this core is back");
  const auto of_handler = [&](const char* kind, WaitingProbe& probe, const char* doc) {
    Pins pins;
    const auto wire = [&](const char* field, int width) {
      pins.emplace_back(fmt::format("{}_{}", kind, field),
                        m_.wire(fmt::format("{}_{}", kind, field), width, fmt::format("{}: {}", doc, field)));
      return pins.back().second;
    };
    probe.valid = wire("valid", 1);
    probe.destination = wire("destination", core_bits_);
    probe.leader = wire("leader", 1);
    probe.group = wire("group", table_.group_bits);
    probe.targets = wire("targets", list_bits(handler_));
    probe.pointer = wire("pointer", pointer_bits(handler_));
    probe.line = wire("line", line_bits_);
    probe.ready = wire("ready", 1);
    return pins;
  };
  snooped_ = m_.wire("snooped", 1, "the L1 answers a snoop");
  found_ = m_.wire("found", 1, "the line is there");
  answer_data_ = m_.wire("answer_data", 8 * p_.l1d.line_bytes, "data of the L1's answer");
  const Expr dropped = m_.wire("probe_dropped", 1, "a probe finds no slot and is lost");
  handler_idle_ = m_.wire("handler_idle", 1, "no probe is here");
  Pins pins{{"probe_valid", probe_came_ & ~returns_},
            {"probe_leader", probe_.leader},
            {"probe_group", probe_.group},
            {"probe_targets", probe_.targets},
            {"probe_pointer", probe_.pointer},
            {"probe_line", probe_.line},
            {"snoop_valid", snoop_valid_},
            {"snoop_ready", snoop_ready_},
            {"snoop_line", snoop_line_},
            {"answer_valid", snooped_},
            {"answer_found", found_},
            {"answer_data", answer_data_},
            {"reply_valid", supply_.valid},
            {"reply_ready", supply_.ready},
            {"reply_group", supply_["group"]},
            {"reply_data", supply_["data"]},
            {"dropped", dropped},
            {"idle", handler_idle_}};
  append(pins, of_handler("forwarded", forwarded_, "a probe that goes on or back"));
  if (handler_.deflected) append(pins, of_handler("deflected", deflected_, "a deflected probe"));
  m_.instance(probe_handler(handler_, name("handler")), "handler", pins, "Probes at this L1.");
  m_.unused("unused_dropped", dropped, "the search of a lost probe times out");
}

void RemoteNodeBuilder::answers() {
  m_.section("Answers of the L1.");
  const Channel answer(m_, "answer", cache_fields("core_response"), "an answer of the L1");
  append(cache_pins_, answer.pins("core_response"));
  const Expr id = m_.let("answer_id", answer["id"], "of a request of the core, or of a snoop"),
             snooped = id.bit(p_.l1d.core_id_bits);
  m_.assign(snooped_, answer.valid & snooped);
  m_.assign(found_, any(answer["mask"]));
  m_.assign(answer_data_, answer["data"]);
  m_.assign(answer.ready, snooped | response_.ready);
  m_.assign(response_.valid, answer.valid & ~snooped);
  m_.assign(response_["id"], id.slice(p_.l1d.core_id_bits - 1, 0));
  m_.assign(response_["mask"], answer["mask"]);
  m_.assign(response_["data"], answer["data"]);
}

// Lines that were searched for come through the table, all else as it is.
void RemoteNodeBuilder::replies() {
  m_.section("Replies for the L1.");
  const Channel fill(m_, "fill", cache_fields("memory_response"), "a reply for the L1");
  m_.assign(fill.valid, reply_.valid & (~of_search_ | goes_in_));
  m_.assign(fill.word, cat({mux(of_search_, fetch_id(entry_of(reply_["group"])), reply_["id"]),
                            reply_["mask"], reply_["data"]}));
  m_.assign(reply_.ready,
            p_.remote.table_stages ? mux(of_search_, looked_q_, fill.ready) : of_search_ | fill.ready);
  const int bits = table_.group_bits;
  m_.unused("unused_reply_asker", reply_["group"].slice(bits - 1, bits - core_bits_), "this core");
  append(cache_pins_, fill.pins("memory_response"));
}

void RemoteNodeBuilder::flush() {
  m_.section("The L1, and its flush.");
  const Expr ready = m_.wire("l1_flush_ready", 1, "the L1 can flush");
  const Expr none = ready & ~any(open_q_) & table_idle_ & handler_idle_ & outgoing_idle_;
  m_.assign(flush_ready_, none & clean_);
  append(cache_pins_, {{"flush_valid", flush_all_}, {"flush_ready", ready}});
  m_.instance(cache_.module, "cache", cache_pins_, "The L1 of the core.");
}

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
  return RemoteNodeBuilder(p, top).run();
}

}  // namespace hw
