#include "hw/l1d/shell.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/l1d/commit.h"
#include "hw/l1d/events.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/miss_queue.h"
#include "hw/l1d/mshr.h"
#include "hw/l1d/probe_ports.h"
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
      tags_(tag_organisation(p.tags).make(
          {.params = tag_params(p), .tag_bits = tag_bits(), .module = m_, .controls = ports_.controls})),
      bypass_(p.bypass, m_),
      front_(p, m_, *index_, *tags_, tag_organisation(p.tags).compares_first) {}

rtl::Module L1dShell::run() {
  front_.run(ports_, probe_);
  parts();
  responses();
  judge();
  const AnswerStage answer = answer_stage(m_, ports_, probe_, direct_, *tags_);
  probe_.answers = answer.answers;
  commit(m_, probe_, *tags_, bypass_, front_, *index_);
  index_->watch(probe_);
  tags_->add_tags(probe_);
  entries();
  queue();
  tags_->add_data(probe_, answer.read_data);
  tags_->watch(probe_);
  if (!p_.counters && !p_.probe_ports) return m_;
  m_.section("What a load comes to.");
  const LoadResults results = load_results(m_, probe_, *tags_);
  if (p_.counters) add_events(m_, probe_, *tags_, results);
  if (p_.probe_ports) add_probe_ports(m_, p_, probe_, results);
  return m_;
}

// Wires of the parts' answers; the parts follow below.
void L1dShell::parts() {
  const int set_bits = probe_.request.set_index.width(), chunks = chunks_of_line(p_);
  const rtl::Stream& memory = ports_.memory_response;
  Entry& entry = probe_.entry;
  m_.section("What the parts say.");
  tags_->lookup();
  entry.match = m_.wire("entry_match", 1, "an MSHR entry has the line");
  entry.doomed = m_.wire("entry_doomed", 1, "a store came after it");
  entry.room = m_.wire("entry_room", 1, "it can take one more load");
  if (tags_->by_chunk()) entry.pending = m_.wire("entry_pending", chunks, "its chunks on their way");
  tags_->matched_place();
  entry.has_free = m_.wire("has_free", 1, "an MSHR entry is free");
  if (entry_bits(p_)) entry_ = m_.wire("entry", entry_bits(p_), "the entry that matched, else the free one");
  probe_.fill = {.valid = {},
                 .set_index = m_.wire("fill_set", set_bits, "set of the fill"),
                 .lands = {},
                 .mask = memory["mask"],
                 .data = memory["data"],
                 .found = {}};
  tags_->filled_place();
  probe_.fill.lands = m_.wire("fill_lands", 1, "its chunks may be found");
  probe_.replay.ready = m_.wire("replay_ready", 1, "a waiting load can be answered");
  probe_.replay.set_index = m_.wire("replay_set", set_bits, "its set");
  tags_->replayed_place();
  probe_.replay.id = m_.wire("replay_id", p_.core_id_bits, "its id");
  probe_.replay.mask = m_.wire("replay_mask", chunks, "its chunks");
  tags_->released_place();
  probe_.has_place = m_.wire("has_place", 1, "the miss queue has a place");
}

void L1dShell::responses() {
  const rtl::Stream& memory = ports_.memory_response;
  const Expr id = memory["id"];
  const int low = id.width() - 1, used = std::max(p_.core_id_bits, entry_bits(p_));
  m_.section("Answers from memory: fills, and direct answers to the core.");
  const Expr direct_id = m_.let("response_direct", id.bit(low), "it is not a fetch that is answered");
  probe_.fill.valid = m_.let("fill", memory.valid & ~direct_id, "a fetch is answered");
  direct_ = m_.let("direct", memory.valid & direct_id, "a request of the core is answered");
  if (used < low) m_.unused("unused_id", id.slice(low - 1, used), "the mask says which chunks come");
  m_.assign(ports_.flush_ready, front_.empty(probe_));
  const Expr flushed = ports_.flush_valid & ports_.flush_ready;
  probe_.flush = m_.let("flush", index_->flushes().known() ? flushed | index_->flushes() : flushed,
                        "all lines become invalid");
  probe_.fill.found =
      m_.let("fill_sets_valid", probe_.fill.valid & probe_.fill.lands, "its chunks may be found");
}

void L1dShell::judge() {
  const Request& request = probe_.request;
  m_.section("What the request comes to.");
  const Expr probed = index_->held_up().known() ? m_.let("probed", request.valid & ~index_->held_up(),
                                                         "it is looked up under sel as it is")
                                                : request.valid;
  const Expr is_load = probed & ~rtl::any(request.kind);
  Verdict& verdict = probe_.verdict;
  if (const Expr before = bypass_.before_lookup(request); before.known()) {
    verdict.load = m_.let("load", is_load & ~before, "it is a load that is looked up");
    verdict.passes = m_.let("passes", is_load & before, "it is a load that is not");
  } else {
    verdict.load = m_.let("load", is_load, "it is a load");
  }
  verdict.other = m_.let("other", probed & rtl::any(request.kind), "it goes to memory as it is");
  verdict.changes_line =
      m_.let("changes_line", verdict.other & ~rtl::all(request.kind), "it is a store or an atomic");
  tags_->judge(probe_, verdict);
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
       {"probe_mask", probe_.request.mask},
       {"allocate", commit.new_entry},
       {"merge", commit.merge}});
  add(tags_->taken_pins());
  add({{"doom", commit.doom},
       {"fill", fill.valid},
       {"replay_granted", probe_.answers.replay},
       {"flush", probe_.flush},
       {"match", entry.match},
       {"match_doomed", entry.doomed},
       {"match_room", entry.room}});
  add(tags_->matched_pins());
  add({{"has_free", entry.has_free}, {"fill_set", fill.set_index}});
  add(tags_->filled_pins());
  add({{"fill_lands", fill.lands}, {"replay_ready", replay.ready}, {"replay_set", replay.set_index}});
  add(tags_->replayed_pins());
  add({{"replay_id", replay.id}, {"replay_mask", replay.mask}});
  add(tags_->released_pins());
  if (const int bits = entry_bits(p_))
    add({{"fill_entry", ports_.memory_response["id"].slice(bits - 1, 0)}, {"entry", entry_}});
  if (entry.pending.known())
    add({{"missed", probe_.verdict.missed}, {"fill_mask", fill.mask}, {"match_pending", entry.pending}});
  add(tags_->chunk_pins(probe_));
  m_.instance(mshr(p_, tag_bits(), m_.name() + "_mshr"), "mshr", pins, "MSHR file.");
}

void L1dShell::queue() {
  const Request& request = probe_.request;
  const Expr &missed = probe_.verdict.missed, &bypass = probe_.commit.bypass;
  const Expr chunk =
      missed.known() && missed.width() > 1
          ? number_of(lowest_of(m_, "lowest_missed", missed, "names the fetch among those of its entry"))
          : Expr{};
  const Expr name = join_known({chunk, entry_});
  const rtl::Stream& out = ports_.memory_request;
  const int low = out["id"].width() - 1;
  const Expr fetch_id = name.known() ? rtl::zext(name, low) : lit(low, 0);
  const Expr other = probe_.verdict.other;
  const Expr own = bypass.known() ? other | bypass : other;  // answered to the core as it comes
  const Expr id = cat({own, mux(own, rtl::zext(request.id, low), fetch_id)});
  const Expr fetched = missed.known() ? missed : rtl::ones(request.mask.width());
  m_.instance(miss_queue(p_, m_.name() + "_miss_queue"), "miss_queue",
              {{"push", probe_.commit.push},
               {"push_kind", request.kind},
               {"push_id", id},
               {"push_block_address", request.block_address},
               {"push_mask", mux(own, request.mask, fetched)},
               {"push_byte_enable", request.byte_enable},
               {"push_data", request.data},
               {"has_place", probe_.has_place},
               {"memory_request_valid", out.valid},
               {"memory_request_ready", out.ready},
               {"memory_request_id", out["id"]},
               {"memory_request_kind", out["kind"]},
               {"memory_request_address", out["address"]},
               {"memory_request_mask", out["mask"]},
               {"memory_request_byte_enable", out["byte_enable"]},
               {"memory_request_data", out["data"]}},
              "Miss queue.");
}

}  // namespace hw
