#include "golden/l1d/cycle_l1d.h"

#include <algorithm>
#include <bit>

#include "golden/cache/chunk_count.h"
#include "golden/l1d/memory_ids.h"

namespace golden {
namespace {

int stages_of(const hw::L1dParams& p) { return p.index.latency + tag_kind(p.tags).compare_stages; }

}  // namespace

CycleL1d::CycleL1d(const hw::L1dParams& params, bool with_data, std::unique_ptr<Policy> policy)
    : kind_(tag_kind(params.tags)),
      blocking_stages_(params.index_blocking ? params.index.latency : 0),
      with_data_(with_data),
      by_chunk_(hw::by_chunk(params.tags)),
      snoops_(params.snoops),
      corrects_(params.ecc.data == hw::Protection::secded),
      protects_tags_(hw::protects_tags(params.ecc)),
      protects_rows_(hw::protects_mshr(params.ecc)),
      lines_share_(hw::traits_of(params.tags).in_slots || params.tags == hw::TagKind::decoupled),
      at_once_(hw::answers_at_once(params)),
      warps_(hw::warps_distinguished(params)),
      has_events_(params.counters),
      shows_probe_(params.probe_ports),
      ways_(static_cast<unsigned>(params.ways)),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(params))),
      words_(static_cast<unsigned>(params.line_bytes) / 8),
      all_chunks_(~0u >> (32 - chunks_)),
      core_id_bits_(static_cast<unsigned>(params.core_id_bits)),
      entry_bits_(static_cast<unsigned>(bits_for(params.mshr_entries))),
      way_id_bits_(static_cast<unsigned>(golden::way_id_bits(params))),
      id_bits_(static_cast<unsigned>(golden::memory_id_bits(params)) - 1),
      index_(params.index),
      path_(stages_of(params), with_data ? stages_of(params) + 1 + params.miss_queue : 0, words_),
      tags_(kind_.store(params)),
      mshrs_(params.mshr_entries, params.mshr_merges),
      queue_(params.miss_queue),
      policy_(std::move(policy)),
      stores_(StorePolicy::make(params)),
      fetches_lines_(params.fetch == hw::FetchSize::line),
      monitors_(cycle_monitors(params)),
      steers_(hw::is_steered(params) || !monitors_.empty() || policy_),
      check_params_(with_data ? params.check : hw::CheckParams{}),
      set_loads_(static_cast<size_t>(hw::sets_of(params))) {
  if (with_data)
    data_.emplace(hw::sets_of(params), hw::bytes_of_set(params) / params.chunk_bytes,
                  static_cast<unsigned>(params.chunk_bytes) / 8);
  if (hw::protects_mshr(params.ecc)) protect_rows(params);
  if (hw::protects_data(params.ecc)) {
    if (with_data) protected_.emplace(params, params.ecc);
    recovery_.emplace(corrects_);
  }
  if (params.request_slice) slice_.emplace();
  reset();
}

void CycleL1d::reset() {
  tags_->reset();
  mshrs_.reset();
  path_.reset();
  if (slice_) slice_->reset();
  queue_.reset();
  answer_.reset();
  if (recovery_) recovery_->reset();
  load_reported_ = request_reported_ = load_corrected_ = false;
  last_probe_ = {};
  last_event_.reset();
  replay_lost_ = false;
  read_ahead_ = false;
  if (policy_) policy_->reset();
  for (const auto& monitor : monitors_) monitor->reset(counters_.loads);
  if (check_params_.ports) check_.emplace(static_cast<int>(id_bits_) + 1, check_params_.timeout);
  show();
}

// What the monitors have decided.
void CycleL1d::show() {
  for (const auto& monitor : monitors_) {
    monitor->choose(index_);
    monitor->show(out_.decisions);
  }
}

const L1dOut& CycleL1d::outputs(const L1dIn& in) {
  if (check_) show_checks(in);
  if (out_.undefined) return out_;
  decide(in);
  decided_ = true;
  out_.core_request_ready = !in.flush_valid && (slice_ ? slice_->not_full() : path_accepts());
  out_.core_response_valid = answer_.valid() && !(recovery_ && recovery_->withheld());
  if (answer_.valid()) {
    out_.core_response_id = answer_.id();
    out_.core_response_mask = answer_.mask();
    out_.core_response_data = with_data_ ? &answer_.data() : nullptr;
  }
  out_.response_of_lookup = now_.at_once;
  if (now_.at_once) show_hit();
  const MissQueue::Request* oldest = queue_.front();
  out_.memory_request_valid = oldest != nullptr && !queue_.stuck();
  if (oldest) {
    const bool carries = with_data_ && oldest->kind != RequestKind::load;
    out_.memory_request_id = oldest->id;
    out_.memory_request_kind = oldest->kind;
    out_.memory_request_address = oldest->address;
    out_.memory_request_mask = oldest->mask;
    out_.memory_request_pc = oldest->pc;
    out_.memory_request_byte_enable = carries ? &path_.payload(oldest->payload).byte_enable : nullptr;
    out_.memory_request_data = carries ? &path_.payload(oldest->payload).data : nullptr;
  }
  out_.memory_response_ready = now_.fill.valid || now_.granted == AnswerStage::direct;
  out_.flush_ready = front_empty();
  if (shows_probe_) show_probe();
  if (recovery_) show_recovery();
  if (protects_tags_) out_.ecc_refetched = now_.emptied || (recovery_ && out_.ecc_refetched);
  if (protects_rows_) show_rows();
  return out_;
}

// The data as it is in this cycle: nothing changes a line between its read and its hit.
void CycleL1d::show_hit() {
  const Held& request = path_.probe();
  out_.core_response_valid = true;
  out_.core_response_id = request.id;
  out_.core_response_mask = request.mask;
  out_.core_response_data = with_data_ ? &shown_ : nullptr;
  if (!with_data_) return;
  Slots slots;
  tags_->slots_of(request, now_.probe.line, request.mask, slots);
  data_->read(request.set, slots, request.mask, shown_);
}

void CycleL1d::show_probe() {
  const std::optional<ProbeEvent> event = probe_event();
  out_.probe_valid = event && event->is_load();
  if (!out_.probe_valid) return;
  out_.probe_block_address = event->block;
  out_.probe_set = event->set;
  out_.probe_miss = event->is_miss();
  out_.probe_result = probe_result(event->result);
  out_.probe_chunks = event->missed;
}

void CycleL1d::edge(const L1dIn& in) {
  if (!decided_) outputs(in);
  decided_ = false;
  while (noted_count_) events_.*noted_[--noted_count_] = 0;
  if (in.rst) return reset();
  if (check_) check_edge(in);
  if (broken()) return;
  // What reads the state at the beginning of the cycle comes before what changes it; of two changes of one
  // bit the later one wins.
  last_event_ = probe_event();
  note_probe(in);
  if (policy_) notify_policy(in);
  if (kind_.plans) {
    const Held& load = path_.probe();
    const bool poisoned = now_.probe.merges() && mshrs_[now_.probe.line.entry].poisoned;
    const bool decided = load.valid && !now_.frozen && !now_.tags_wait;
    const bool waits = decided && load.kind == RequestKind::load && !now_.probe.fires;
    // What is there now may go, since its data or its tag is wrong.
    const bool misses = now_.probe.missed || recovery_ || protects_tags_;
    tags_->plan(waits && !poisoned && misses ? &load : nullptr, now_.probe);
  }
  step_recovery();
  if (protects_rows_) step_rows();
  take_answer(in);
  const unsigned left = now_.granted == AnswerStage::replay ? mshrs_.replayed_entry() : no_entry;
  step_replay();
  queue_.step(in.memory_request_ready && out_.memory_request_valid);
  if (now_.fill.valid) take_fill(in);
  const unsigned probed_set = path_.probe().set;
  if (now_.probe.fires) fire(path_.probe());
  if (now_.emptied) tags_->empty(probed_set, now_.emptied);
  fetch_again();
  if (now_.fill.valid && mshrs_[now_.fill.entry].count) mshrs_.wake(now_.fill.entry);
  if (left != no_entry) settle(left);
  if (left != no_entry && recovery_) recovery_->stays(lines_share_ || mshrs_.in_use().test(left));
  if (now_.fill.valid) settle(now_.fill.entry);
  if (flushes(in)) take_flush();
  notify_monitors(in);
  step_path(in);
}

// A fill is always taken, and its entry counts in the same cycle; of a wrong one there may be none.
void CycleL1d::show_checks(const L1dIn& in) {
  const bool fills = in.memory_response_valid && !(in.memory_response_id >> id_bits_ & 1);
  const AnswerCheck::Transfer answer{in.memory_response_id, in.memory_response_mask};
  out_.protocol_error_code = check_->code();
  out_.protocol_error = check_->code() != hw::ProtocolError::none;
  out_.undefined = broken() || (fills && check_->fault(answer) != hw::ProtocolError::none);
  if (out_.undefined) out_.memory_response_ready = true;
}

void CycleL1d::check_edge(const L1dIn& in) {
  std::optional<AnswerCheck::Transfer> request, answer;
  if (!broken() && out_.memory_request_valid && in.memory_request_ready) {
    static constexpr ByteMask none{};
    const ByteMask* const bytes = out_.memory_request_byte_enable;
    const RequestKind kind = out_.memory_request_kind;
    const bool writes =
        kind == RequestKind::store || (kind == RequestKind::non_l1 && bytes && *bytes != none);
    request = {out_.memory_request_id, writes ? 0 : out_.memory_request_mask};
  }
  if (!broken() && in.memory_response_valid && out_.memory_response_ready)
    answer = {in.memory_response_id, in.memory_response_mask};
  check_->edge(request, answer);
}

bool CycleL1d::idle() const {
  return front_empty() && mshrs_.empty() && queue_.empty() && !answer_.valid() &&
         !(recovery_ && recovery_->waits());
}

bool CycleL1d::rests() const {
  return !check_ && front_empty() && !path_.aside().valid && queue_.empty() && !answer_.valid() &&
         !mshrs_.replays() && !mshrs_.wake().any() && !last_probe_.occupied && !last_event_ &&
         !(recovery_ && recovery_->waits()) &&
         std::ranges::all_of(monitors_, [](const auto& monitor) { return monitor->rests(); });
}

bool CycleL1d::holds(std::uint64_t address) const {
  const std::uint64_t block = index_.block_of(address), tag = index_.tag_of(block);
  const unsigned set = index_.set_of(block);
  for (unsigned w = 0; w < ways_; ++w)
    if (const WayState way = tags_->way(set, w); way.valid && way.tag == tag) return true;
  return false;
}

std::vector<std::uint64_t> CycleL1d::resident_lines() const {
  std::vector<std::uint64_t> lines = tags_->resident_blocks();
  for (std::uint64_t& line : lines) line = index_.address_of(line);
  return lines;
}

std::vector<const History*> CycleL1d::histories() const {
  std::vector<const History*> all;
  for (const auto& monitor : monitors_) monitor->add_histories(all);
  return all;
}

CycleL1d::EntryState CycleL1d::entry(unsigned e) const {
  const MshrFile::Entry& entry = mshrs_[e];
  return {.in_use = mshrs_.in_use().test(e),
          .set = entry.set,
          .tag = index_.tag_of(entry.block),
          .way = static_cast<unsigned>(tags_->place_of_entry(e)),
          .pending = entry.pending,
          .poisoned = entry.poisoned,
          .flushed = entry.flushed,
          .wake = mshrs_.wake().test(e),
          .count = entry.count,
          .head = entry.head};
}

unsigned CycleL1d::chunks_in(std::uint32_t validity) const {
  return by_chunk_ ? chunk_count(validity) : validity ? chunks_ : 0;
}

PolicyLoad CycleL1d::policy_load(const Held& request) const {
  return {.address = index_.address_of(request.block),
          .set = request.set,
          .sideband = request.sideband,
          .id = request.id};
}

}  // namespace golden
