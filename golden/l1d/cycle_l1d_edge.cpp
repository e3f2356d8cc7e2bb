// The clock edge of the L1 data cache: every change of state that a cycle's decision asks for.
#include <algorithm>
#include <bit>

#include "golden/l1d/chunk_count.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/l1d/lfsr.h"

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
                 .way = now_.way};
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
  if (now_.granted == direct) {
    const auto id =
        static_cast<std::uint32_t>(in.memory_response_id & ((std::uint64_t{1} << params_.core_id_bits) - 1));
    give(id, in.memory_response_mask, in.memory_response_data ? in.memory_response_data->data() : nullptr);
    return;
  }
  const Held& request = probe_stage();
  const Entry& entry = entries_[replay_entry_];
  const bool is_hit = now_.granted == hit;
  const unsigned line = is_hit ? line_of(request.set, now_.way) : line_of(entry.set, entry.way);
  const std::uint64_t* data = with_data_ ? &data_[line * words_] : nullptr;
  is_hit ? give(request.id, request.mask, data) : give(replayed().id, replayed().mask, data);
}

void CycleL1d::give(std::uint32_t id, std::uint32_t mask, const std::uint64_t* data) {
  answer_valid_ = true;
  answer_id_ = id;
  answer_mask_ = mask;
  if (with_data_ && data) std::copy_n(data, words_, answer_data_.begin());
}

void CycleL1d::step_replay() {
  waiter_left_ = none;
  const bool granted = now_.granted == replay;
  const unsigned next = next_to_replay();
  bool left = now_.parks;
  if (granted) {
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
  if (!awake.any()) return none;
  const unsigned from = replay_pointer_;
  EntryBits after = awake;  // at or after the pointer
  after.words[from / 64] &= ~std::uint64_t{0} << (from % 64);
  if (from >= 64) after.words[0] = 0;
  const EntryBits& chosen = after.any() ? after : awake;
  return static_cast<unsigned>(chosen.words[0] ? std::countr_zero(chosen.words[0])
                                               : 64 + std::countr_zero(chosen.words[1]));
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

void CycleL1d::take_fill(const L1dIn& in) {
  const unsigned e = now_.fill_entry;
  Entry& entry = entries_[e];
  const unsigned line = line_of(entry.set, entry.way);
  const std::uint32_t filled = validity_of(in.memory_response_mask);
  note(&L1dCounters::fills);
  entry.pending &= ~filled;
  wake_.set(e);
  if (!entry.doomed && !entry.flushed) valid_[line] |= filled;
  if (!with_data_ || !in.memory_response_data) return;
  const unsigned chunk_words = words_ / chunks_;
  for (std::uint32_t left = in.memory_response_mask & all_chunks_; left; left &= left - 1) {
    const unsigned word = static_cast<unsigned>(std::countr_zero(left)) * chunk_words;
    std::copy_n(in.memory_response_data->data() + word, chunk_words, &data_[line * words_ + word]);
  }
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
  }
  if (now_.matched) fire_store(request);
  send_down(request, request.mask, std::uint64_t{1} << id_bits_ | request.id);
}

void CycleL1d::fire_store(const Held& request) {
  std::uint32_t& valid = valid_[line_of(request.set, now_.way)];
  if (now_.merges) {
    Entry& entry = entries_[now_.entry];
    if (!entry.doomed) {
      note(&L1dCounters::doomed);
      note(&L1dCounters::store_invalidations);
    }
    entry.doomed = true;
    valid = 0;
    return;
  }
  const std::uint32_t hit_bits = params_.store_scope == hw::StoreScope::mask ? request.mask : all_chunks_;
  if (valid & hit_bits) note(&L1dCounters::store_invalidations);
  valid &= ~hit_bits;
}

void CycleL1d::fire_load(const Held& request) {
  ++set_loads_[request.set];
  touch(request.set, now_.way);
  switch (now_.result) {
    case Result::hit:
      note(&L1dCounters::hits);
      return;
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
  if (!now_.merges) allocate(request);
  Entry& entry = entries_[now_.entry];
  const auto merges = static_cast<unsigned>(params_.mshr_merges);
  waiters_[now_.entry * merges + wrapped(entry.head + entry.count, merges)] = {request.id, request.mask};
  ++entry.count;
  if (!now_.missed) return;
  entry.pending |= now_.missed;
  const std::uint32_t fetched = sectored_ ? now_.missed : all_chunks_;
  note(&L1dCounters::requests_down);
  note(&L1dCounters::chunks_requested, chunk_count(fetched));
  const std::uint64_t lowest = sectored_ ? static_cast<unsigned>(std::countr_zero(fetched)) : 0;
  send_down(request, fetched, lowest << entry_bits_ | now_.entry);
}

// A new entry, and for a line that is not there its way too.
void CycleL1d::allocate(const Held& request) {
  const unsigned line = line_of(request.set, now_.way);
  if (now_.evicts) {
    note(&L1dCounters::evicted_lines);
    note(&L1dCounters::evicted_chunks, sectored_ ? chunk_count(valid_[line]) : chunks_);
  }
  if (now_.draws) lfsr_ = next_lfsr(lfsr_);
  if (!now_.matched) {
    blocks_[line] = request.block;
    valid_[line] = 0;
  }
  busy_[request.set] |= 1u << now_.way;
  owner_[line] = static_cast<std::uint8_t>(now_.entry);
  in_use_.set(now_.entry);
  entries_[now_.entry] = {.block = request.block, .set = request.set, .way = now_.way};
}

void CycleL1d::touch(unsigned set, unsigned way) {
  if (params_.replacement == hw::Replacement::nru) {
    nru_[set] |= 1u << way;
    if (nru_[set] == all_ways_) nru_[set] = 0;
  }
  if (params_.replacement != hw::Replacement::lru) return;
  std::uint8_t* age = &age_[line_of(set, 0)];
  const std::uint8_t before = age[way];
  for (unsigned w = 0; w < ways_; ++w) age[w] = static_cast<std::uint8_t>(age[w] + (age[w] < before));
  age[way] = 0;
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

// The entry whose last waiter was answered, unless this edge gave it another.
void CycleL1d::free_entries() {
  if (waiter_left_ == none) return;
  Entry& entry = entries_[waiter_left_];
  if (entry.count != 0) return;
  in_use_.clear(waiter_left_);
  wake_.clear(waiter_left_);
  busy_[entry.set] &= ~(1u << entry.way);
  entry.doomed = entry.flushed = false;
}

void CycleL1d::take_flush() {
  note(&L1dCounters::flushes);
  std::ranges::fill(valid_, 0);
  for (unsigned e = 0; e < entries_.size(); ++e) entries_[e].flushed = in_use_.test(e);
}

void CycleL1d::step_stages(const L1dIn& in) {
  const int last = params_.index.latency;
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
