#include "golden/l1d/cycle_l1d.h"

#include <algorithm>

#include "golden/l1d/lfsr.h"

namespace golden {
namespace {

// Bits that tell n things apart.
unsigned bits_for(int n) { return static_cast<unsigned>(std::bit_width(static_cast<unsigned>(n) - 1)); }

unsigned fetch_bits(const hw::L1dParams& p, bool by_chunk) {
  return bits_for(p.mshr_entries) + (by_chunk ? bits_for(hw::chunks_of_line(p)) : 0);
}

}  // namespace

CycleL1d::CycleL1d(const hw::L1dParams& params, bool with_data, bool by_chunk, int stages)
    : params_(params),
      with_data_(with_data),
      by_chunk_(by_chunk),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(params))),
      words_(static_cast<unsigned>(params.line_bytes) / 8),
      all_chunks_(~0u >> (32 - chunks_)),
      index_(params.index),
      entries_(static_cast<size_t>(params.mshr_entries)),
      entry_bits_(bits_for(params.mshr_entries)),
      id_bits_(std::max(static_cast<unsigned>(params.core_id_bits), fetch_bits(params, by_chunk))),
      waiters_(entries_.size() * static_cast<size_t>(params.mshr_merges)),
      last_stage_(stages),
      queue_(static_cast<size_t>(params.miss_queue)),
      payloads_(with_data ? static_cast<size_t>(stages + 1 + params.miss_queue) : 0),
      set_loads_(static_cast<size_t>(hw::sets_of(params))) {
  if (!is_adaptive(params)) return;
  adaptive_.emplace(monitor_params(params), cycles_of_change(params));
  select();
}

void CycleL1d::reset() {
  reset_tags();
  lfsr_ = lfsr_seed;
  std::ranges::fill(entries_, Entry{});
  in_use_ = wake_ = {};
  replay_valid_ = false;
  replay_entry_ = replay_pointer_ = 0;
  std::ranges::fill(stages_, Held{});
  queue_head_ = queue_count_ = payload_next_ = 0;
  out_valid_ = answer_valid_ = false;
  answer_pointer_ = hit;
  last_probe_ = {};
  replay_lost_ = false;
  if (!adaptive_) return;
  adaptive_->reset();
  select();
}

const L1dOut& CycleL1d::outputs(const L1dIn& in) {
  decide(in);
  decided_ = true;
  out_.core_request_ready = !in.flush_valid && !now_.frozen && first_stage_free();
  out_.core_response_valid = answer_valid_;
  if (answer_valid_) {
    out_.core_response_id = answer_id_;
    out_.core_response_mask = answer_mask_;
    out_.core_response_data = with_data_ ? &answer_data_ : nullptr;
  }
  out_.memory_request_valid = out_valid_;
  if (out_valid_) {
    const Queued& oldest = queue_[queue_head_];
    const bool carries = with_data_ && oldest.kind != RequestKind::load;
    out_.memory_request_id = oldest.id;
    out_.memory_request_kind = oldest.kind;
    out_.memory_request_address = oldest.address;
    out_.memory_request_mask = oldest.mask;
    out_.memory_request_byte_enable = carries ? &payloads_[oldest.payload].byte_enable : nullptr;
    out_.memory_request_data = carries ? &payloads_[oldest.payload].data : nullptr;
  }
  out_.memory_response_ready = now_.fill || now_.granted == direct;
  out_.flush_ready = empty_stages();
  return out_;
}

void CycleL1d::edge(const L1dIn& in) {
  if (!decided_) outputs(in);
  decided_ = false;
  while (noted_count_) events_.*noted_[--noted_count_] = 0;
  if (in.rst) return reset();
  // What reads the state at the beginning of the cycle comes before what changes it; of two changes of one
  // bit the later one wins.
  note_probe();
  begin_edge(in);
  take_answer(in);
  step_replay();
  step_queue(in);
  if (now_.fill) fill_entry(in);
  if (now_.fires) fire(probe_stage());
  if (now_.fill && entries_[now_.fill_entry].count) wake_.set(now_.fill_entry);
  free_entries();
  if ((in.flush_valid && out_.flush_ready) || (adaptive_ && adaptive_->flushes())) take_flush();
  if (adaptive_) step_adaptive();
  step_stages(in);
  end_cycle(in);
}

bool CycleL1d::empty_stages() const {
  for (int i = 0; i <= last_stage_; ++i)
    if (stages_[i].valid) return false;
  return true;
}

// Bubbles close: a stage is free or becomes free when one from it on is empty, or the probe fires.
bool CycleL1d::first_stage_free() const {
  for (int i = 0; i <= last_stage_; ++i)
    if (!stages_[i].valid) return true;
  return now_.fires;
}

bool CycleL1d::idle() const { return empty_stages() && !in_use_.any() && !queue_count_ && !answer_valid_; }

CycleL1d::EntryState CycleL1d::entry(unsigned e) const {
  const Entry& entry = entries_[e];
  return {.in_use = in_use_.test(e),
          .set = entry.set,
          .tag = index_.tag_of(entry.block),
          .way = entry.way,
          .pending = entry.pending,
          .doomed = entry.doomed,
          .flushed = entry.flushed,
          .wake = wake_.test(e),
          .count = entry.count,
          .head = entry.head};
}

}  // namespace golden
