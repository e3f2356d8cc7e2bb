#include "hw/l1d/shell.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/check/first_error.h"
#include "hw/l1d/commit.h"
#include "hw/l1d/events.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/miss_queue.h"
#include "hw/l1d/monitors.h"
#include "hw/l1d/recovery.h"
#include "hw/l1d/request_kind.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/tag_kinds.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

namespace {

std::string description(const L1dParams& p) {
  const int chunks = chunks_of_line(p);
  return fmt::format(
      "Non-blocking L1 data cache of {} bytes: {} sets of {} way{}, lines of {} bytes in {} "
      "chunk{}, {} tags (baseline of the TSC, ACI and Decoupled-L1D papers).",
      p.capacity_bytes, sets_of(p), p.ways, p.ways == 1 ? "" : "s", p.line_bytes, chunks,
      chunks == 1 ? "" : "s", tag_organisation(p.tags).name);
}

}  // namespace

L1dShell::L1dShell(const L1dParams& p, const std::string& top)
    : p_(p),
      m_(top, description(p)),
      index_(index_socket(p, m_, tag_organisation(p.tags).compares_first)),
      ports_(m_, p),
      bypass_({p.bypass, ports_.controls.signals(), sets_of(p), p.ways}, m_),
      tags_(tag_organisation(p.tags).make(tag_socket())),
      stores_(store_policy(p.store_policy)),
      front_(p, m_, *index_, *tags_, bypass_, tag_organisation(p.tags).compares_first) {}

TagSocket L1dShell::tag_socket() const {
  TagSocket socket{
      .params = tag_params(p_), .tag_bits = tag_bits(), .module = m_, .controls = ports_.controls.signals()};
  socket.params.closed_ways = bypass_.closes_ways();
  return socket;
}

rtl::Module L1dShell::run() {
  const auto monitors = monitors_of({p_, ports_.controls, ports_.monitor_inputs, *index_});
  front_.run(ports_, probe_);
  parts();
  responses();
  judge();
  const AnswerStage answer =
      answer_stage(m_, ports_, probe_, direct_, *tags_, recovery_ ? &*recovery_ : nullptr);
  probe_.answers = answer.answers;
  commit(m_, probe_, *tags_, bypass_, *stores_, front_, *index_);
  ProbeEvent event(m_, probe_);
  for (const auto& monitor : monitors)
    if (monitor->moves_index()) monitor->watch(m_, event);
  tags_->add_tags(probe_);
  entries();
  queue();
  tags_->add_data(probe_, answer.read_data);
  if (is_protected(p_.ecc)) report_errors();
  for (const auto& monitor : monitors)
    if (!monitor->moves_index()) monitor->watch(m_, event);
  if (p_.counters) add_events(m_, probe_, event, *tags_, *stores_);
  if (p_.probe_ports) add_probe_ports(m_, event);
  if (p_.check.ports) check_answers();
  return m_;
}

// Wires of the parts' answers; the parts follow below.
void L1dShell::parts() {
  const int set_bits = probe_.request.set_index.width(), chunks = chunks_of_line(p_);
  const rtl::Stream& memory = ports_.memory_response;
  Entry& entry = probe_.entry;
  m_.section("Results of the parts.");
  tags_->lookup();
  entry.match = m_.wire("entry_match", 1, "an MSHR entry has the line");
  entry.poisoned = m_.wire("entry_poisoned", 1, "a store came after it");
  if (warps_distinguished(p_)) {
    entry.waits = m_.wire("entry_waits", 1, "a load of the request's warp may not wait in it");
    if (!p_.counters)
      m_.unused("unused_poisoned", entry.poisoned, "only events ask whether it is the first store");
  }
  entry.mergeable = m_.wire("entry_mergeable", 1, "the entry can take one more load");
  if (tags_->by_chunk())
    entry.pending = m_.wire("entry_pending", chunks, "chunks of the entry's line on their way");
  if (p_.snoops) entry.searched = m_.wire("entry_searched", 1, "the line of that entry is searched for");
  tags_->matched_place();
  entry.has_free = m_.wire("has_free", 1, "an MSHR entry is free");
  if (const int bits = entry_bits(mshr_params(p_)))
    entry_ = m_.wire("entry", bits, "the entry that matched, else the free one");
  probe_.fill = {.valid = {},
                 .set_index = m_.wire("fill_set", set_bits, "set of the fill"),
                 .installs = {},
                 .mask = memory["mask"],
                 .data = memory["data"],
                 .found = {}};
  std::optional<Expr> way;
  if (const int bits = way_id_bits(p_), low = bits_to_number(p_.mshr_entries); bits)
    way = memory["id"].slice(low + bits - 1, low);
  tags_->filled_place(way);
  probe_.fill.installs = m_.wire("fill_installs", 1, "the fill's chunks may be found");
  probe_.replay.ready = m_.wire("replay_ready", 1, "a waiting load can be answered");
  probe_.replay.set_index = m_.wire("replay_set", set_bits, "set of the waiting load");
  tags_->replayed_place();
  probe_.replay.id = m_.wire("replay_id", p_.core_id_bits, "id of the waiting load");
  probe_.replay.mask = m_.wire("replay_mask", chunks, "chunks of the waiting load");
  if (protects_data(p_.ecc)) {
    probe_.replay.line =
        m_.wire("replay_line", probe_.request.block_address.width(), "line of the waiting load");
    probe_.replay.late = m_.wire("replay_late", 1, "a store may have gone to it since");
  }
  const Protection protection = p_.ecc.mshr;
  if (protects_mshr(p_.ecc)) {
    probe_.replay.wrong = m_.wire("replay_wrong", 1, "what is stored of it cannot be corrected");
    request_wrong_ =
        m_.wire("request_wrong", 1, "what is stored of the first queued request cannot be either");
  }
  if (protection == Protection::secded) {
    probe_.replay.corrected = m_.wire("replay_corrected", 1, "a wrong bit of the waiting load was corrected");
    request_corrected_ = m_.wire("request_corrected", 1, "one of the first queued request was");
  }
  tags_->released_place();
  if (!protects_data(p_.ecc)) {
    probe_.queue_not_full = m_.wire("queue_not_full", 1, "the miss queue has a free slot");
    return;
  }
  queue_free_ = m_.wire("queue_free", 1, "the miss queue has a free slot");
  recovery_.emplace(m_, p_, probe_, queue_free_);
}

void L1dShell::responses() {
  const rtl::Stream& memory = ports_.memory_response;
  const Expr id = memory["id"];
  const int low = id.width() - 1, used = std::max(p_.core_id_bits, entry_bits(mshr_params(p_)));
  m_.section("Answers from memory: fills, and direct answers to the core.");
  const Expr direct_id = m_.let("response_direct", id.bit(low), "no fetch is answered");
  probe_.fill.valid = m_.let("fill", memory.valid & ~direct_id, "a fetch is answered");
  direct_ = m_.let("direct", memory.valid & direct_id, "a request of the core is answered");
  if (used < low) m_.unused("unused_id", id.slice(low - 1, used), "the mask says which chunks come");
  m_.assign(ports_.flush_ready, front_.empty(probe_));
  const Expr flushed = ports_.flush_valid & ports_.flush_ready;
  probe_.flush = m_.let("flush", flushed | index_->moves().flush, "all lines become invalid");
  probe_.fill.found = m_.let("fill_sets_valid", probe_.fill.valid & probe_.fill.installs,
                             "a fill comes whose chunks may be found");
}

void L1dShell::judge() {
  const Request& request = probe_.request;
  m_.section("The decision about the request.");
  Expr probed = index_->held_up().can_be() ? m_.let("probed", request.valid & ~index_->held_up(),
                                                    "the request is looked up under sel as it is")
                                           : request.valid;
  probe_.present = probed;
  if (tags_->tags_wait().can_be())
    probed = m_.let("decided", probed & ~tags_->tags_wait(), "the tags of what its set has in use are right");
  Decision& decision = probe_.decision;
  Expr is_load = probed & ~rtl::any(request.kind);
  if (p_.drops) {
    const Expr& drop = request[extra::drop];
    is_load = is_load & ~drop;
    decision.drops = m_.let("drops", probed & drop, "the request drops its line, and nothing is sent");
  }
  if (p_.snoops) {
    const Expr& snoop = request[extra::snoop];
    is_load = is_load & ~snoop;
    decision.snoops = m_.let("snoops", probed & snoop, "the request asks whether its line is there");
  }
  if (const rtl::Condition before = bypass_.before_lookup(request); before.can_be()) {
    decision.load = m_.let("load", is_load & ~before, "the request is a load that is looked up");
    decision.passes = m_.let("passes", is_load & before, "the request is a load that is not looked up");
  } else {
    decision.load = m_.let("load", is_load, "the request is a load");
  }
  decision.other = m_.let("other", probed & rtl::any(request.kind), "the request goes to memory as it is");
  decision.changes_line =
      m_.let("changes_line", decision.other & ~rtl::all(request.kind), "the request is a store or an atomic");
  if (const auto& searched = probe_.entry.searched)
    decision.held = m_.let("held", decision.changes_line & probe_.entry.match & *searched,
                           "the store waits for the search for its line");
  tags_->judge(probe_, decision);
  if (answers_at_once(p_)) {
    probe_.ahead.there =
        m_.reg("read_ahead_q", 1, 0, "the data of the probe's line, if it hits, was read as it entered");
    probe_.ahead.answers = m_.let("answered_at_once", probe_.ahead.there & (decision.load & decision.hit),
                                  "the probe's hit is answered in this cycle");
  }
  probe_.open_ways = bypass_.open_ways(probe_);
}

void L1dShell::entries() {
  const Commit& commit = probe_.commit;
  const Entry& entry = probe_.entry;
  const Fill& fill = probe_.fill;
  const Replay& replay = probe_.replay;
  Pins pins;
  const auto add = [&](const Pins& more) { pins.insert(pins.end(), more.begin(), more.end()); };
  add({{"moves", probe_.next.moves}});
  if (!index_->tag_is_line()) add({{"enter_set", probe_.next.set_index}});
  add({{"enter_tag", probe_.next.tag},
       {"probe_set", probe_.request.set_index},
       {"probe_tag", probe_.request.tag},
       {"probe_id", probe_.request.id},
       {"probe_mask", probe_.request.mask}});
  if (recovery_)
    add({{"probe_line", probe_.request.block_address},
         {"replay_line", replay.line},
         {"replay_late", replay.late}});
  add({{"allocate", commit.new_entry}, {"merge", commit.merge}});
  add(tags_->taken_pins());
  add({{"poison", commit.poison},
       {"fill", fill.valid},
       {"replay_granted", probe_.answers.replay},
       {"flush", probe_.flush},
       {"match", entry.match},
       {"match_poisoned", entry.poisoned},
       {"match_mergeable", entry.mergeable}});
  if (entry.waits)
    add({{"probe_warp", probe_.request[sideband::warp]},
         {"poison_all", is_kind(m_, probe_.request.kind, RequestKind::atomic)},
         {"match_waits", *entry.waits}});
  if (entry.searched) add({{"searching", ports_.controls["searching"]}, {"match_searched", *entry.searched}});
  add(tags_->matched_pins());
  add({{"has_free", entry.has_free}, {"fill_set", fill.set_index}});
  add(tags_->filled_pins());
  add({{"fill_installs", fill.installs}, {"replay_ready", replay.ready}, {"replay_set", replay.set_index}});
  add(tags_->replayed_pins());
  add({{"replay_id", replay.id}, {"replay_mask", replay.mask}});
  if (replay.wrong.can_be()) add({{"replay_wrong", replay.wrong.when()}});
  if (replay.corrected.can_be()) add({{"replay_corrected", replay.corrected.when()}});
  add(tags_->released_pins());
  if (const int bits = entry_bits(mshr_params(p_)))
    add({{"fill_entry", ports_.memory_response["id"].slice(bits - 1, 0)}, {"entry", entry_}});
  if (entry.pending)
    add({{"missed", *probe_.decision.missed}, {"fill_mask", fill.mask}, {"match_pending", *entry.pending}});
  add(tags_->chunk_pins(probe_));
  m_.instance(tags_->mshr_file(mshr_params(p_), m_.name() + "_mshr"), "mshr", pins, "MSHR file.");
}

void L1dShell::queue() {
  const Request& request = probe_.request;
  const std::optional<Expr>& missed = probe_.decision.missed;
  std::vector<Expr> name;
  if (missed && missed->width() > 1)
    name.push_back(
        number_of(lowest_of(m_, "lowest_missed", *missed, "names the fetch among those of its entry")));
  if (way_id_bits(p_))
    name.push_back(m_.let("way_number", number_of(*tags_->taken_way()), "number of the new entry's way"));
  if (entry_bits(mshr_params(p_))) name.push_back(entry_);
  const rtl::Stream& out = ports_.memory_request;
  const int low = out["id"].width() - 1;
  int used = 0;
  for (const Expr& part : name) used += part.width();
  if (used < low) name.insert(name.begin(), lit(low - used, 0));
  const Expr fetch_id = cat(name);
  const Expr other = probe_.decision.other;
  const Expr own = other | probe_.commit.bypass;  // answered to the core as it comes
  const Expr id = cat({own, mux(own, rtl::zext(request.id, low), fetch_id)});
  const Expr fetched = missed ? *missed : rtl::ones(request.mask.width());
  const Expr mask = mux(own, request.mask, fetched);
  const auto or_again = [&](const Expr& of_probe, const Expr& again) {
    return recovery_ ? recovery_->pushed(again, of_probe) : of_probe;
  };
  Expr again_id, again_mask, again_line;
  if (recovery_) {
    again_id = cat({lit(1, 1), rtl::zext(recovery_->id(), low)});
    again_mask = recovery_->mask();
    again_line = recovery_->line();
  }
  const Expr push = recovery_ ? probe_.commit.push | recovery_->pushes() : probe_.commit.push;
  Pins pins{{"push", push},
            {"push_kind", or_again(request.kind, lit(2, 0))},
            {"push_id", or_again(id, again_id)},
            {"push_block_address", or_again(request.block_address, again_line)},
            {"push_mask", or_again(mask, again_mask)},
            {"queue_not_full", recovery_ ? queue_free_ : probe_.queue_not_full},
            {"memory_request_valid", out.valid},
            {"memory_request_ready", out.ready},
            {"memory_request_id", out["id"]},
            {"memory_request_kind", out["kind"]},
            {"memory_request_address", out["address"]},
            {"memory_request_mask", out["mask"]},
            {"memory_request_byte_enable", out["byte_enable"]},
            {"memory_request_data", out["data"]}};
  if (const auto& payload = front_.payload)
    pins.insert(pins.end(), {{"payload_enters", payload->enters},
                             {"payload_byte_enable", payload->written.byte_enable},
                             {"payload_data", payload->written.data}});
  else
    pins.insert(pins.begin() + 5,
                {{"push_byte_enable", request.written->byte_enable}, {"push_data", request.written->data}});
  if (p_.pc_bits)
    pins.insert(pins.end(), {{"push_pc", or_again(request[sideband::pc], lit(p_.pc_bits, 0))},
                             {"memory_request_pc", out["pc"]}});
  if (request_wrong_.can_be()) pins.emplace_back("request_wrong", request_wrong_.when());
  if (request_corrected_.can_be()) pins.emplace_back("request_corrected", request_corrected_.when());
  m_.instance(miss_queue(p_, m_.name() + "_miss_queue"), "miss_queue", pins, "Miss queue.");
}

void L1dShell::report_errors() {
  EccEvents events = recovery_ ? recovery_->events() : EccEvents{};
  events.refetched = events.refetched | tags_->tags_wrong();
  if (protects_mshr(p_.ecc)) {
    const Replay& replay = probe_.replay;
    const Expr request_id = ports_.memory_request["id"].slice(p_.core_id_bits - 1, 0);
    events = with_stuck_rows(m_, events, {replay.wrong, replay.corrected, replay.id},
                             {request_wrong_, request_corrected_, request_id}, probe_.answers.replay);
  }
  add_ecc_ports(m_, p_.core_id_bits, events);
}

CheckedRequests checked_requests(const L1dParams& p) {
  const int chunks = chunks_of_line(p);
  return {.id_bits = memory_id_bits(p),
          .fetch_bits = fetch_id_bits(p),
          .core_bits = p.core_id_bits,
          .chunks = chunks,
          .timeout = p.check.timeout};
}

void L1dShell::check_answers() {
  const rtl::Stream &request = ports_.memory_request, &response = ports_.memory_response;
  const Expr kind = request["kind"];
  m_.section("Responses of memory.");
  const Expr writes =
      m_.let("sent_writes", (kind == lit(2, 1)) | (rtl::all(kind) & rtl::any(request["byte_enable"])),
             "the response to the request that is sent has mask 0");
  const Expr mask = request["mask"];
  const Expr code = m_.wire("protocol_code", protocol_code_bits, "rule that was broken first; 0 for none");
  m_.instance(answer_check(checked_requests(p_), m_.name() + "_answer_check"), "answers",
              {{"sent", request.transfer()},
               {"sent_id", request["id"]},
               {"sent_mask", mask & rtl::replicate(mask.width(), ~writes)},
               {"offered", response.valid},
               {"came", response.transfer()},
               {"came_id", response["id"]},
               {"came_mask", response["mask"]},
               {"code", code}},
              "Responses against requests in flight.");
  add_protocol_ports(m_, code);
}

}  // namespace hw
