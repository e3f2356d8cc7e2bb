// What a cycle of the L1 data cache comes to: the probe, the waiting load, the answer stage.
#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::decide(const L1dIn& in) {
  // A constant: fields that are set one by one and copied in wider pieces would make the copy wait for them.
  static constexpr Decisions nothing{};
  now_ = nothing;
  if (steers_) steer(in.controls);
  if (in.memory_response_valid && !(in.memory_response_id >> id_bits_ & 1)) {
    const std::uint64_t entries = (std::uint64_t{1} << entry_bits_) - 1;
    now_.fill = {.valid = true,
                 .entry = static_cast<unsigned>(in.memory_response_id & entries),
                 .chunks = in.memory_response_mask & all_chunks_};
  }
  now_.frozen = monitors_freeze();
  if (const Held& request = path_.probe(); request.valid) {
    if (!now_.frozen && !tags_->tag_arrays().empty()) {
      now_.emptied = tags_->wrong_ways(request.set);
      now_.tags_wait = tags_->tags_wait(request.set);
    }
    if (now_.frozen)
      now_.probe.stall = Stall::flush;
    else if (now_.tags_wait)
      now_.probe.stall = Stall::tags;
    else
      decide_probe(request);
  }
  decide_answer(in);
  now_.passes = snoops_ && snoop_passes(in);
}

// Who fails is no snoop, so nobody is parked yet.
bool CycleL1d::snoop_passes(const L1dIn& in) const {
  if (!path_.probe().valid || !is_reservation_fail(now_.probe.stall)) return false;
  if (const Held* next = path_.before_probe()) return next->valid && next->kind == RequestKind::snoop;
  if (slice_) return !slice_->empty() && slice_->front().core_request_kind == RequestKind::snoop;
  return in.core_request_kind == RequestKind::snoop;
}

void CycleL1d::steer(Controls controls) {
  for (const auto& monitor : monitors_) monitor->drive(controls);
  if (controls == controls_) return;
  controls_ = controls;
  tags_->steer(controls);
  if (policy_) policy_->steer(controls);
}

void CycleL1d::decide_probe(const Held& request) {
  Decision& v = now_.probe;
  switch (request.kind) {
    case RequestKind::load:
      return decide_load(request);
    case RequestKind::store:
      v.result = Result::store;
      break;
    case RequestKind::atomic:
      v.result = Result::atomic;
      break;
    case RequestKind::non_l1:
      v.result = Result::non_l1;
      break;
    case RequestKind::drop:
      v.result = Result::drop;
      break;
    case RequestKind::snoop:
      tags_->lookup(request, v.line);
      v.entry = v.line.entry;
      v.result = v.line.valid ? Result::found : Result::absent;
      return;  // it fires when the answer stage takes it
  }
  if (request.kind != RequestKind::non_l1) {
    tags_->lookup(request, v.line);
    v.entry = v.line.entry;
  }
  const bool searched = snoops_ && v.merges() && (controls_["searching"] >> v.entry & 1);
  if (changes_memory(request.kind) && searched) {
    v.stall = Stall::line;
    return;
  }
  if (request.kind != RequestKind::drop && queue_closed(request))
    v.stall = Stall::queue;
  else if (request.kind == RequestKind::store)
    decide_store(request);
  v.fires = v.stall == Stall::none;
}

void CycleL1d::decide_store(const Held& request) {
  if (!stores_->updates()) return;
  Decision& v = now_.probe;
  const std::uint32_t held = by_chunk_ ? v.line.valid : v.line.valid ? all_chunks_ : 0;
  v.written = stores_->writes(request.kind, v.merges(), held, chunks_with_bytes(request));
  if (v.written && banks_taken(request)) v.stall = Stall::bank;
}

// Without data a store is taken to write something of all that it names.
std::uint32_t CycleL1d::chunks_with_bytes(const Held& store) const {
  if (!with_data_) return store.mask;
  const ByteMask& enables = path_.payload(store.payload).byte_enable;
  const unsigned bytes = 8 * words_ / chunks_;
  const std::uint64_t chunk = ~std::uint64_t{0} >> (64 - bytes);
  std::uint32_t chunks = 0;
  for (unsigned c = 0; c < chunks_; ++c)
    if (enables[c * bytes / 64] >> c * bytes % 64 & chunk) chunks |= 1u << c;
  return chunks;
}

// Chunks are written side by side, so that a fill of other chunks leaves free banks.
bool CycleL1d::banks_taken(const Held& store) const {
  const std::uint32_t chunks = now_.probe.written;
  Slots written, others;
  tags_->slots_of(store, now_.probe.line, chunks, written);
  if (now_.fill.valid) {
    if (chunks & now_.fill.chunks) return true;
    tags_->slots_of_entry(now_.fill.entry, now_.fill.chunks, others);
    if (DataStore::share_a_bank(written, chunks, others, now_.fill.chunks)) return true;
  }
  if (!replay_ready()) return false;
  const std::uint32_t read = mshrs_.replayed().mask;
  tags_->slots_of_entry(mshrs_.replayed_entry(), read, others);
  return DataStore::share_a_bank(written, chunks, others, read);
}

bool CycleL1d::replay_ready() const {
  return mshrs_.replays() && !mshrs_.stuck() &&
         !(validity_of(mshrs_.replayed().mask) & mshrs_[mshrs_.replayed_entry()].pending);
}

void CycleL1d::decide_load(const Held& request) {
  if (policy_ && policy_->before_lookup(policy_load(request))) return bypass(Bypass::unseen);
  look_up(request);
  if (!policy_ || !finds_nothing_to_reserve(now_.probe.stall)) return;
  if (!policy_->in_place_of_fail(policy_load(request))) return;
  now_.probe.bypass_wanted = now_.probe.stall;
  if (!queue_closed(request)) return bypass(Bypass::stalled);
  now_.probe.stall = Stall::queue;
}

// Who waits in a poisoned entry gets data from before the store. Another warp may wait there as well, until
// the data has come.
bool CycleL1d::waits_behind_store(const Held& load) const {
  const Decision& v = now_.probe;
  const MshrFile::Entry& entry = mshrs_[v.entry];
  if (!entry.poisoned) return false;
  return v.pending != v.wanted || entry.stored & warp_of(load);
}

void CycleL1d::look_up(const Held& request) {
  Decision& v = now_.probe;
  tags_->lookup(request, v.line);
  v.entry = v.line.entry;
  const bool widened = std::ranges::any_of(monitors_, [](const auto& monitor) { return monitor->widens(); });
  v.wanted = widened ? all_chunks_ : validity_of(request.mask);
  if (v.merges()) v.pending = v.wanted & mshrs_[v.entry].pending;
  v.missed = v.wanted & ~(v.line.valid | v.pending);
  if (v.merges() && waits_behind_store(request)) {
    v.stall = Stall::line;
    return;
  }
  if (!(v.wanted & ~v.line.valid)) return;  // a hit fires when the answer stage takes it
  if (v.missed) {
    v.result = v.missed != v.wanted ? Result::partial_miss : Result::miss;
    if (fetches_lines_) v.missed = all_chunks_ & ~(v.line.valid | (v.merges() ? mshrs_[v.entry].pending : 0));
    return reserve(request);
  }
  v.result = Result::hit_pending;
  v.stall = mshrs_.full(v.entry) ? Stall::merge : Stall::none;
  v.fires = v.stall == Stall::none;
}

// Several causes: the first in the order line, MSHR, merge, queue.
void CycleL1d::reserve(const Held& request) {
  Decision& v = now_.probe;
  if (!v.merges()) v.entry = mshrs_.free_entry();
  switch (tags_->reserve(request, v, policy_ ? policy_->open_ways(request.set) : ~std::uint64_t{0})) {
    case Reservation::filtered:
      return bypass(Bypass::filtered);
    case Reservation::later:
      v.stall = Stall::plan;
      return;
    case Reservation::none:
      v.stall = Stall::line;
      if (policy_ && policy_->in_place_of_allocation(policy_load(request))) bypass(Bypass::closed);
      return;
    case Reservation::some:
      break;
  }
  if (v.entry == no_entry)
    v.stall = Stall::mshr;
  else if (v.merges() && mshrs_.full(v.entry))
    v.stall = Stall::merge;
  else if (queue_closed(request))
    v.stall = Stall::queue;
  v.fires = v.stall == Stall::none;
}

// It needs a slot of the miss queue alone.
void CycleL1d::bypass(Bypass reason) {
  Decision& v = now_.probe;
  v.result = Result::bypass;
  v.bypass = reason;
  v.missed = 0;
  v.entry = no_entry;
  v.fires = !queue_closed(path_.probe());
  v.stall = v.fires ? Stall::none : Stall::queue;
}

// A bank does one thing a cycle, and a fill goes first.
bool CycleL1d::fill_blocks_hit(const Held& request) const {
  if (!now_.fill.valid) return false;
  Slots read, filled;
  tags_->slots_of(request, now_.probe.line, request.mask, read);
  tags_->slots_of_entry(now_.fill.entry, now_.fill.chunks, filled);
  return DataStore::share_a_bank(read, request.mask, filled, now_.fill.chunks);
}

bool CycleL1d::fill_blocks_replay() const {
  if (!now_.fill.valid) return false;
  Slots read, filled;
  const std::uint32_t mask = mshrs_.replayed().mask;
  tags_->slots_of_entry(mshrs_.replayed_entry(), mask, read);
  tags_->slots_of_entry(now_.fill.entry, now_.fill.chunks, filled);
  return DataStore::share_a_bank(read, mask, filled, now_.fill.chunks);
}

void CycleL1d::decide_answer(const L1dIn& in) {
  const Held& request = path_.probe();
  Decision& v = now_.probe;
  std::array<bool, 3> asks{};
  const bool is_snoop = request.valid && request.kind == RequestKind::snoop;
  const bool is_hit =
      (is_snoop || (request.valid && request.kind == RequestKind::load && v.result == Result::hit)) &&
      v.stall == Stall::none;
  now_.at_once = read_ahead_ && is_hit && !is_snoop;
  now_.moves_back = now_.at_once && !in.core_response_ready;
  asks[AnswerStage::hit] =
      is_hit && !now_.at_once && (v.result == Result::absent || !fill_blocks_hit(request));
  if (mshrs_.replays()) {
    now_.replay_ready = replay_ready();
    now_.parks = !now_.replay_ready && !mshrs_.stuck();
    asks[AnswerStage::replay] = now_.replay_ready && !fill_blocks_replay();
  }
  asks[AnswerStage::direct] = in.memory_response_valid && !now_.fill.valid;
  bool not_full = answer_.not_full(in.core_response_ready) && !now_.moves_back;
  if (recovery_) {
    now_.corrects = recovery_->slow();
    not_full &= !now_.corrects;
    if (recovery_->waits()) asks[AnswerStage::hit] = asks[AnswerStage::replay] = false;
    now_.reads_again = recovery_->to_be_read() && not_full && !in.memory_response_valid;
    now_.fetches_again = recovery_->fetches() && !queue_.full();
  }
  if (not_full) now_.granted = answer_.grant(asks);
  if (now_.at_once) v.fires = true;
  if (!is_hit || now_.at_once) return;
  v.fires = now_.granted == AnswerStage::hit;
  if (!v.fires)
    v.stall = !not_full ? Stall::answer : asks[AnswerStage::hit] ? Stall::arbitration : Stall::bank;
}

}  // namespace golden
