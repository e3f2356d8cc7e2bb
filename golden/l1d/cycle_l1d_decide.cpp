// What a cycle of the L1 data cache comes to: the probe, the waiting load, the answer stage.
#include <bit>

#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::decide(const L1dIn& in) {
  now_ = {};
  controls_ = in.controls;
  if (in.memory_response_valid && !(in.memory_response_id >> id_bits_ & 1)) {
    now_.fill = true;
    now_.fill_entry = static_cast<unsigned>(in.memory_response_id & ((std::uint64_t{1} << entry_bits_) - 1));
  }
  now_.frozen = adaptive_ && adaptive_->freezes();
  if (const Held& request = probe_stage(); request.valid) {
    if (now_.frozen)
      now_.stall = Stall::flush;
    else
      decide_probe(request);
  }
  decide_answer(in);
}

void CycleL1d::decide_probe(const Held& request) {
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
    case RequestKind::drop:
    case RequestKind::peek:
      break;  // of topologies that ask for them
  }
  now_.fires = !queue_full();
  if (queue_full()) now_.stall = Stall::queue;
}

void CycleL1d::decide_by(const Held& request, std::uint32_t wanted, std::uint32_t valid) {
  const std::uint32_t pending = now_.merges ? entries_[now_.entry].pending : 0;
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
    now_.stall = reserve(request);
    if (!now_.merges) now_.entry = free_entry();
    if (now_.stall == Stall::none) {
      if (now_.entry == none)
        now_.stall = Stall::mshr;
      else if (merge_full)
        now_.stall = Stall::merge;
      else if (queue_full())
        now_.stall = Stall::queue;
    }
  }
  now_.fires = now_.stall == Stall::none;
}

unsigned CycleL1d::free_entry() const {
  for (unsigned word = 0; word * 64 < entries_.size(); ++word)
    if (const auto e = static_cast<unsigned>(std::countr_one(in_use_.words[word])); e < 64)
      return word * 64 + e < entries_.size() ? word * 64 + e : none;
  return none;
}

void CycleL1d::decide_answer(const L1dIn& in) {
  const Held& request = probe_stage();
  bool asks[3] = {};
  const bool is_hit = request.valid && request.kind == RequestKind::load && now_.result == Result::hit &&
                      now_.stall == Stall::none;
  // A bank does one thing a cycle, and a fill goes first.
  asks[hit] = is_hit && !(now_.fill && hit_blocked(in, request));
  if (replay_valid_) {
    now_.parks = (validity_of(replayed().mask) & entries_[replay_entry_].pending) != 0;
    now_.replay_ready = !now_.parks;
    asks[replay] = now_.replay_ready && !(now_.fill && replay_blocked(in));
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
