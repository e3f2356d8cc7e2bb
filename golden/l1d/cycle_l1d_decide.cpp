// What a cycle of the L1 data cache comes to: the probe, the waiting load, the answer stage.
#include <bit>

#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::decide(const L1dIn& in) {
  now_ = {};
  if (in.memory_response_valid && !(in.memory_response_id >> id_bits_ & 1)) {
    now_.fill = true;
    now_.fill_entry = static_cast<unsigned>(in.memory_response_id & ((std::uint64_t{1} << entry_bits_) - 1));
  }
  if (const Held& request = probe_stage(); request.valid) decide_probe(request);
  decide_answer(in);
}

void CycleL1d::match(const Held& request) {
  const unsigned first = line_of(request.set, 0);
  for (unsigned w = 0; w < ways_; ++w) {
    if (blocks_[first + w] != request.block) continue;
    // A busy way is its entry's; one whose entry is flushed is found by nobody.
    const bool busy = busy_[request.set] >> w & 1;
    if (busy ? entries_[owner_[first + w]].flushed : !valid_[first + w]) continue;
    now_.matched = true;
    now_.merges = busy;
    now_.way = w;
    if (busy) now_.entry = owner_[first + w];
    return;
  }
}

void CycleL1d::decide_probe(const Held& request) {
  const bool queue_full = queue_count_ == queue_.size();
  switch (request.kind) {
    case RequestKind::load:
      match(request);
      decide_load(request);
      return;
    case RequestKind::store:
      now_.result = Result::store;
      match(request);
      break;
    case RequestKind::atomic:
      now_.result = Result::atomic;
      match(request);
      break;
    case RequestKind::non_l1:
      now_.result = Result::non_l1;
      break;
  }
  now_.fires = !queue_full;
  if (queue_full) now_.stall = Stall::queue;
}

void CycleL1d::decide_load(const Held& request) {
  const std::uint32_t wanted = validity_of(request.mask);
  std::uint32_t valid = 0, pending = 0;
  if (now_.matched) valid = valid_[line_of(request.set, now_.way)];
  if (now_.merges) pending = entries_[now_.entry].pending;
  now_.missed = wanted & ~(valid | pending);
  const bool merge_full =
      now_.merges && entries_[now_.entry].count == static_cast<unsigned>(params_.mshr_merges);
  if (now_.merges && entries_[now_.entry].doomed) {
    now_.stall = Stall::line;
    return;
  }
  if (!(wanted & ~valid)) {  // fires when the answer stage takes it
    now_.result = Result::hit;
    return;
  }
  if (!now_.missed) {
    now_.result = Result::hit_pending;
    now_.stall = merge_full ? Stall::merge : Stall::none;
  } else {
    now_.result = wanted & (valid | pending) ? Result::partial_miss : Result::miss;
    if (!now_.matched) now_.stall = reserve_line(request);
    if (!now_.merges) now_.entry = free_entry();
    if (now_.stall == Stall::none) {
      if (now_.entry == none)
        now_.stall = Stall::mshr;
      else if (merge_full)
        now_.stall = Stall::merge;
      else if (queue_count_ == queue_.size())
        now_.stall = Stall::queue;
    }
  }
  now_.fires = now_.stall == Stall::none;
}

Stall CycleL1d::reserve_line(const Held& request) {
  const unsigned first = line_of(request.set, 0);
  const std::uint32_t free = all_ways_ & ~busy_[request.set];
  for (unsigned w = 0; w < ways_; ++w) {
    if (!(free >> w & 1) || valid_[first + w]) continue;
    now_.way = w;
    return Stall::none;
  }
  if (!free) return Stall::line;
  now_.way = victim(request.set, free);
  now_.evicts = true;
  return Stall::none;
}

unsigned CycleL1d::victim(unsigned set, std::uint32_t eligible) {
  if (params_.replacement == hw::Replacement::nru) {
    const std::uint32_t unused = eligible & ~nru_[set];
    return static_cast<unsigned>(std::countr_zero(unused ? unused : eligible));
  }
  if (params_.replacement == hw::Replacement::random) {
    now_.draws = true;
    unsigned n = 0;
    for (unsigned w = 0; w < ways_; ++w) n += eligible >> w & 1;
    unsigned chosen = lfsr_ % n;
    while (chosen--) eligible &= eligible - 1;
    return static_cast<unsigned>(std::countr_zero(eligible));
  }
  unsigned oldest = static_cast<unsigned>(std::countr_zero(eligible));
  for (unsigned w = oldest + 1; w < ways_; ++w)
    if ((eligible >> w & 1) && age_[line_of(set, w)] > age_[line_of(set, oldest)]) oldest = w;
  return oldest;
}

unsigned CycleL1d::free_entry() const {
  for (unsigned word = 0; word < 2; ++word)
    if (const auto e = static_cast<unsigned>(std::countr_one(in_use_.words[word])); e < 64)
      return word * 64 + e < entries_.size() ? word * 64 + e : none;
  return none;
}

// A bank does one thing a cycle, and a fill goes first.
bool CycleL1d::bank_taken(const L1dIn& in, unsigned way, std::uint32_t mask) const {
  return now_.fill && entries_[now_.fill_entry].way == way && (mask & in.memory_response_mask);
}

void CycleL1d::decide_answer(const L1dIn& in) {
  const Held& request = probe_stage();
  bool asks[3] = {};
  const bool is_hit = request.valid && request.kind == RequestKind::load && now_.result == Result::hit &&
                      now_.stall == Stall::none;
  asks[hit] = is_hit && !bank_taken(in, now_.way, request.mask);
  if (replay_valid_) {
    const Entry& entry = entries_[replay_entry_];
    const std::uint32_t mask = replayed().mask;
    now_.parks = (validity_of(mask) & entry.pending) != 0;
    now_.replay_ready = !now_.parks;
    asks[replay] = now_.replay_ready && !bank_taken(in, entry.way, mask);
  }
  asks[direct] = in.memory_response_valid && !now_.fill;
  const bool room = !answer_valid_ || in.core_response_ready;
  for (unsigned i = 0; room && i < 3 && now_.granted == nobody; ++i)
    if (const auto asker = static_cast<Asker>(wrapped(answer_pointer_ + i, 3)); asks[asker])
      now_.granted = asker;
  if (!is_hit) return;
  now_.fires = now_.granted == hit;
  if (!now_.fires) now_.stall = !room ? Stall::answer : asks[hit] ? Stall::arbitration : Stall::bank;
}

}  // namespace golden
