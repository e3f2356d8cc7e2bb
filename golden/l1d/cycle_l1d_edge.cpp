// The clock edge of the L1 data cache: every change of state that a cycle's decision asks for.
#include <algorithm>
#include <bit>

#include "golden/l1d/chunk_count.h"
#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::note(std::uint64_t L1dCounters::*counter, std::uint64_t n) {
  events_.*counter = n;
  counters_.*counter += n;
  noted_[noted_count_++] = counter;
}

void CycleL1d::note_probe() {
  const Held& request = probe_stage();
  last_probe_ = {.occupied = request.valid,
                 .fired = now_.fires,
                 .set = request.set,
                 .kind = request.kind,
                 .result = now_.result,
                 .stall = now_.stall,
                 .entry = now_.entry,
                 .way = now_.way,
                 .doomed = now_.merges && entries_[now_.entry].doomed};
  replay_lost_ = now_.replay_ready && now_.granted != replay;
  switch (now_.stall) {
    case Stall::line:
      note(&L1dCounters::reservation_fail_line);
      break;
    case Stall::mshr:
      note(&L1dCounters::reservation_fail_mshr);
      break;
    case Stall::merge:
      note(&L1dCounters::reservation_fail_merge);
      break;
    case Stall::queue:
      note(&L1dCounters::reservation_fail_queue);
      break;
    default:
      return;
  }
}

void CycleL1d::take_answer(const L1dIn& in) {
  if (in.core_response_ready) answer_valid_ = false;
  if (now_.granted == nobody) return;
  answer_pointer_ = static_cast<Asker>((now_.granted + 1) % 3);
  switch (now_.granted) {
    case hit:
      give(probe_stage().id, probe_stage().mask);
      if (with_data_) read_hit(probe_stage(), answer_data_);
      return;
    case replay:
      give(replayed().id, replayed().mask);
      if (with_data_) read_replay(answer_data_);
      return;
    default:
      give(in.memory_response_id & ((std::uint64_t{1} << params_.core_id_bits) - 1), in.memory_response_mask);
      if (with_data_ && in.memory_response_data)
        std::copy_n(in.memory_response_data->data(), words_, answer_data_.begin());
  }
}

void CycleL1d::give(std::uint64_t id, std::uint32_t mask) {
  answer_valid_ = true;
  answer_id_ = id;
  answer_mask_ = mask;
}

void CycleL1d::step_replay() {
  waiter_left_ = none;
  const bool granted = now_.granted == replay;
  const unsigned next = next_to_replay();
  bool left = now_.parks;
  if (granted) {
    waiter_answered();
    Entry& entry = entries_[replay_entry_];
    left = entry.count == 1;
    entry.head = wrapped(entry.head + 1, static_cast<unsigned>(params_.mshr_merges));
    --entry.count;
    waiter_left_ = replay_entry_;
  }
  if (left) wake_.clear(replay_entry_);
  if (replay_valid_ && !left) return;
  replay_valid_ = next != none;
  if (!replay_valid_) return;
  replay_entry_ = next;
  replay_pointer_ = wrapped(next + 1, static_cast<unsigned>(entries_.size()));
}

unsigned CycleL1d::next_to_replay() const {
  EntryBits awake = wake_;
  if (replay_valid_) awake.clear(replay_entry_);
  const unsigned after = awake.first_from(replay_pointer_);
  return after == none ? awake.first_from(0) : after;
}

// Comes before this edge's request is written, which can be read in the next cycle only.
void CycleL1d::step_queue(const L1dIn& in) {
  const bool leaves = out_valid_ && in.memory_request_ready;
  if (leaves) {
    queue_head_ = wrapped(queue_head_ + 1, static_cast<unsigned>(queue_.size()));
    --queue_count_;
  }
  if (leaves || !out_valid_) out_valid_ = queue_count_ != 0;
}

void CycleL1d::fill_entry(const L1dIn& in) {
  const std::uint32_t filled = validity_of(in.memory_response_mask);
  note(&L1dCounters::fills);
  take_fill(in, filled);
  entries_[now_.fill_entry].pending &= ~filled;
}

void CycleL1d::fire(const Held& request) {
  note(&L1dCounters::accesses);
  switch (request.kind) {
    case RequestKind::load:
      note(&L1dCounters::loads);
      return fire_load(request);
    case RequestKind::store:
      note(&L1dCounters::stores);
      break;
    case RequestKind::atomic:
      note(&L1dCounters::atomics);
      break;
    case RequestKind::non_l1:
      note(&L1dCounters::non_l1);
      break;
    case RequestKind::drop:
    case RequestKind::peek:
      break;  // of topologies that ask for them
  }
  if (now_.merges && !entries_[now_.entry].doomed) {
    note(&L1dCounters::doomed);
    note(&L1dCounters::store_invalidations);
    entries_[now_.entry].doomed = true;
  }
  if (now_.matched) take_store(request);
  send_down(request, request.mask, std::uint64_t{1} << id_bits_ | request.id);
}

void CycleL1d::fire_load(const Held& request) {
  ++set_loads_[request.set];
  switch (now_.result) {
    case Result::hit:
      note(&L1dCounters::hits);
      return take_load(request);
    case Result::bypass:
      return fire_bypass(request);
    case Result::hit_pending:
      note(&L1dCounters::hit_pending);
      break;
    case Result::partial_miss:
      note(&L1dCounters::partial_misses);
      break;
    default:
      note(&L1dCounters::misses);
      break;
  }
  if (!now_.merges) {
    in_use_.set(now_.entry);
    entries_[now_.entry] = {.block = request.block, .set = request.set, .way = now_.way};
  }
  take_load(request);
  Entry& entry = entries_[now_.entry];
  const auto merges = static_cast<unsigned>(params_.mshr_merges);
  waiters_[now_.entry * merges + wrapped(entry.head + entry.count, merges)] = {request.id, request.mask};
  ++entry.count;
  if (!now_.missed) return;
  entry.pending |= now_.missed;
  const std::uint32_t fetched = by_chunk_ ? now_.missed : all_chunks_;
  note(&L1dCounters::requests_down);
  note(&L1dCounters::chunks_requested, chunk_count(fetched));
  const std::uint64_t lowest = by_chunk_ ? static_cast<unsigned>(std::countr_zero(fetched)) : 0;
  send_down(request, fetched, lowest << entry_bits_ | now_.entry);
}

// Asked for like a load past the cache: the answer is a direct one.
void CycleL1d::fire_bypass(const Held& request) {
  note(&L1dCounters::bypasses);
  note(&L1dCounters::requests_down);
  note(&L1dCounters::chunks_requested, chunk_count(request.mask));
  take_load(request);
  send_down(request, request.mask, std::uint64_t{1} << id_bits_ | request.id);
}

void CycleL1d::send_down(const Held& request, std::uint32_t mask, std::uint64_t id) {
  queue_[wrapped(queue_head_ + queue_count_, static_cast<unsigned>(queue_.size()))] = {
      .kind = request.kind,
      .mask = mask,
      .payload = request.payload,
      .id = id,
      .address = index_.address_of(request.block)};
  ++queue_count_;
}

void CycleL1d::free(unsigned e) {
  in_use_.clear(e);
  wake_.clear(e);
  entries_[e].doomed = entries_[e].flushed = false;
}

void CycleL1d::take_flush() {
  note(&L1dCounters::flushes);
  drop_all();
  for (unsigned e = 0; e < entries_.size(); ++e) entries_[e].flushed = in_use_.test(e);
}

void CycleL1d::step_adaptive() {
  const Held& request = probe_stage();
  const bool changes = adaptive_->flushes();
  adaptive_->clock(now_.fires && request.kind == RequestKind::load, request.block, is_miss(now_.result));
  if (changes) select();
}

void CycleL1d::select() {
  const auto sel = adaptive_->sel();
  index_.select(sel);
  if (history_.empty() || !std::ranges::equal(history_.back().sel, sel))
    history_.emplace_back(counters_.loads, sel);
}

void CycleL1d::step_stages(const L1dIn& in) {
  if (now_.frozen) {  // looked up anew before they move again
    for (Held& request : stages_) request.set = index_.set_of(request.block);
    return;
  }
  const int last = last_stage_;
  if (now_.fires) stages_[last].valid = false;
  for (int i = last; i > 0; --i)
    if (!stages_[i].valid && stages_[i - 1].valid) {
      stages_[i] = stages_[i - 1];
      stages_[i - 1].valid = false;
    }
  if (in.core_request_valid && out_.core_request_ready) accept(in);
}

void CycleL1d::accept(const L1dIn& in) {
  const std::uint64_t block = index_.block_of(in.core_request_address);
  stages_[0] = {.valid = true,
                .kind = in.core_request_kind,
                .id = in.core_request_id,
                .mask = in.core_request_mask,
                .set = index_.set_of(block),
                .payload = payload_next_,
                .block = block};
  if (!with_data_ || in.core_request_kind == RequestKind::load) return;
  Payload& payload = payloads_[payload_next_];
  payload_next_ = wrapped(payload_next_ + 1, static_cast<unsigned>(payloads_.size()));
  payload.byte_enable = in.core_request_byte_enable ? *in.core_request_byte_enable : ByteMask{};
  if (in.core_request_data) std::copy_n(in.core_request_data->begin(), words_, payload.data.begin());
}

}  // namespace golden
