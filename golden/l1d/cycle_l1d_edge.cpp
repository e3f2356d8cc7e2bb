// The clock edge of the L1 data cache: every change of state that a cycle's decision asks for.
#include <algorithm>
#include <bit>

#include "golden/cache/chunk_count.h"
#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::note(std::uint64_t L1dCounters::*counter, std::uint64_t n) {
  events_.*counter = n;
  counters_.*counter += n;
  noted_[noted_count_++] = counter;
}

void CycleL1d::note_probe(const L1dIn& in) {
  const Held& request = path_.probe();
  const Decision& v = now_.probe;
  // One by one: an aggregate would be made on the stack and copied in wider pieces, for which a core waits.
  Probe& p = last_probe_;
  p.occupied = request.valid;
  p.fired = v.fires;
  p.set = request.set;
  p.kind = request.kind;
  p.result = v.result;
  p.stall = v.stall;
  p.bypass_wanted = v.bypass_wanted;
  p.bypass = v.bypass;
  p.sideband = request.sideband;
  p.entry = v.entry;
  p.place = v.line.place;
  p.present = v.line.valid != 0;
  p.poisoned = v.merges() && mshrs_[v.line.entry].poisoned;
  p.own_store = v.merges() && mshrs_[v.line.entry].stored & warp_of(request);
  p.mask = request.mask;
  p.written = v.written;
  p.at_once = now_.at_once;
  p.moved_back = now_.moves_back;
  p.beside = now_.at_once && now_.granted != AnswerStage::nobody;
  p.passed = now_.passes && (slice_ || path_.before_probe() || enters(in));
  replay_lost_ = now_.replay_ready && now_.granted != AnswerStage::replay;
  switch (v.stall) {
    case Stall::line:
      return note(&L1dCounters::reservation_fail_line);
    case Stall::mshr:
      return note(&L1dCounters::reservation_fail_mshr);
    case Stall::merge:
      return note(&L1dCounters::reservation_fail_merge);
    case Stall::queue:
      return note(&L1dCounters::reservation_fail_queue);
    default:
      return;
  }
}

void CycleL1d::note_lost(Lost lost) {
  if (lost.lines) note(&L1dCounters::evicted_lines, lost.lines);
  if (lost.chunks) note(&L1dCounters::evicted_chunks, lost.chunks);
}

// A load that went past the cache before the lookup was seen by nobody.
std::optional<ProbeEvent> CycleL1d::probe_event() const {
  const Decision& v = now_.probe;
  if (!v.fires || v.bypass == Bypass::unseen) return {};
  const Held& request = path_.probe();
  return ProbeEvent{.block = request.block,
                    .set = request.set,
                    .kind = request.kind,
                    .result = v.result,
                    .missed = v.result == Result::bypass ? chunk_count(request.mask) : chunks_in(v.missed),
                    .id = request.id};
}

void CycleL1d::notify_policy(const L1dIn& in) {
  const Held& request = path_.probe();
  const Decision& v = now_.probe;
  const bool is_load = request.kind == RequestKind::load;
  if (v.fires && is_load)
    policy_->served(policy_load(request), v.result, v.line.found ? v.line.place : nowhere, v.merges());
  const bool takes = !is_load && v.line.found && stores_->invalidates(request.kind, v.merges());
  if (v.fires && takes && !tags_->keeps_some(request, v.line))
    policy_->invalidated(request.set, v.line.place);
  if (now_.fill.valid && installs(now_.fill.entry))
    policy_->filled(mshrs_[now_.fill.entry].set, tags_->place_of_entry(now_.fill.entry));
  if (flushes(in)) policy_->flushed();
}

void CycleL1d::take_answer(const L1dIn& in) {
  answer_.step(in.core_response_ready && !now_.corrects);
  if (now_.reads_again) return read_again();
  if (now_.moves_back) {
    answer_.take_again(path_.probe().id, path_.probe().mask);
    if (with_data_) answer_.data() = shown_;
    return;
  }
  Slots slots;
  switch (now_.granted) {
    case AnswerStage::hit: {
      const Held& request = path_.probe();
      const bool absent = now_.probe.result == Result::absent;
      answer_.take(now_.granted, request.id, absent ? 0 : request.mask);
      if (!with_data_ || absent) return;
      tags_->slots_of(request, now_.probe.line, request.mask, slots);
      if (request.kind == RequestKind::snoop) return read_snooped(request, slots);
      return read_data({.id = request.id,
                        .block = request.block,
                        .mask = request.mask,
                        .set = request.set,
                        .place = now_.probe.line.place,
                        .slots = slots,
                        .stays = now_.probe.merges()});
    }
    case AnswerStage::replay: {
      const MshrFile::Target& target = mshrs_.replayed();
      const unsigned e = mshrs_.replayed_entry();
      answer_.take(now_.granted, target.id, target.mask);
      if (!with_data_) return;
      tags_->slots_of_entry(e, target.mask, slots);
      const bool stored = now_.probe.fires && changes_memory(path_.probe().kind) && now_.probe.entry == e;
      return read_data({.id = target.id,
                        .block = mshrs_[e].block,
                        .mask = target.mask,
                        .set = mshrs_[e].set,
                        .place = tags_->place_of_entry(e),
                        .slots = slots,
                        .replayed = true,
                        .late = mshrs_[e].poisoned || mshrs_[e].flushed || stored});
    }
    case AnswerStage::direct: {
      const std::uint64_t core_ids = (std::uint64_t{1} << core_id_bits_) - 1;
      answer_.take(now_.granted, in.memory_response_id & core_ids, in.memory_response_mask);
      if (with_data_ && in.memory_response_data)
        std::copy_n(in.memory_response_data->data(), words_, answer_.data().begin());
      return;
    }
    case AnswerStage::nobody:
      return;
  }
}

// Of a request that enters the tag-lookup stage at this edge: behind it the answer stage is empty, and no
// bank serves anything else.
bool CycleL1d::reads_ahead(const L1dIn& in) const {
  const bool stores = now_.probe.fires && now_.probe.written;
  return at_once_ && !now_.frozen && !answer_.valid() && !in.memory_response_valid && !now_.replay_ready &&
         !stores;
}

void CycleL1d::step_replay() {
  const bool answered = now_.granted == AnswerStage::replay;
  if (answered) tags_->answered(mshrs_.replayed_entry(), mshrs_.replayed().mask);
  mshrs_.step_replay(now_.parks, answered);
}

void CycleL1d::take_fill(const L1dIn& in) {
  const Fill& fill = now_.fill;
  note(&L1dCounters::fills);
  tags_->fill(fill.entry, validity_of(fill.chunks), installs(fill.entry));
  mshrs_.fill(fill.entry, validity_of(fill.chunks));
  if (!with_data_ || !in.memory_response_data) return;
  Slots slots;
  tags_->slots_of_entry(fill.entry, fill.chunks, slots);
  data_->write(mshrs_[fill.entry].set, slots, fill.chunks, *in.memory_response_data);
  if (protected_) protected_->write(mshrs_[fill.entry].set, slots, fill.chunks, *in.memory_response_data);
}

void CycleL1d::fire(const Held& request) {
  const Decision& v = now_.probe;
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
      break;  // counted as an access alone
    case RequestKind::snoop:
      return;  // changes nothing either
  }
  const bool poisons = v.merges() && !mshrs_[v.entry].poisoned;
  if (poisons) note(&L1dCounters::doomed);
  if (v.merges())
    mshrs_.poison(v.entry, request.kind == RequestKind::store ? warp_of(request) : ~std::uint64_t{0});
  const bool lost =
      v.line.found && stores_->invalidates(request.kind, v.merges()) && tags_->invalidate(request, v.line);
  if (stores_->counts(request.kind) && (poisons || (lost && !v.merges())))
    note(&L1dCounters::store_invalidations);
  if (v.written) write_line(request);
  if (request.kind != RequestKind::drop)
    send_down(request, request.mask, std::uint64_t{1} << id_bits_ | request.id);
}

void CycleL1d::write_line(const Held& store) {
  note(&L1dCounters::store_updates);
  if (!with_data_) return;
  Slots slots;
  tags_->slots_of(store, now_.probe.line, now_.probe.written, slots);
  const RequestPath::Payload& payload = path_.payload(store.payload);
  data_->write(store.set, slots, now_.probe.written, payload.data, payload.byte_enable);
  if (protected_) protected_->write(store.set, slots, now_.probe.written, payload.data, payload.byte_enable);
}

void CycleL1d::fire_load(const Held& request) {
  const Decision& v = now_.probe;
  ++set_loads_[request.set];
  switch (v.result) {
    case Result::hit:
      note(&L1dCounters::hits);
      tags_->load(request, v);
      return;
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
  if (!v.merges()) mshrs_.take(v.entry, request.block, request.set);
  note_lost(tags_->load(request, v));
  mshrs_.wait(v.entry, {request.id, request.mask});
  mshrs_.fetch(v.entry, v.missed);
  // In coarse mode its requested chunks may be there while the rest of the line is fetched.
  if (!(validity_of(request.mask) & mshrs_[v.entry].pending)) mshrs_.wake(v.entry);
  if (!v.missed) return;
  const std::uint32_t fetched = by_chunk_ ? v.missed : all_chunks_;
  note(&L1dCounters::requests_down);
  note(&L1dCounters::chunks_requested, chunk_count(fetched));
  const std::uint64_t lowest = by_chunk_ ? static_cast<unsigned>(std::countr_zero(fetched)) : 0;
  const std::uint64_t place = way_id_bits_ ? tags_->place_of_entry(v.entry) : lowest;
  send_down(request, fetched, place << entry_bits_ | v.entry);
}

// Sent like a load past the cache: the answer is a direct one. Nothing else changes, but for a filter's
// own count.
void CycleL1d::fire_bypass(const Held& request) {
  note(&L1dCounters::bypasses);
  if (const auto counter = counter_of(now_.probe.bypass)) note(counter);
  note(&L1dCounters::requests_down);
  note(&L1dCounters::chunks_requested, chunk_count(request.mask));
  if (now_.probe.bypass == Bypass::filtered) note_lost(tags_->filter(request, now_.probe));
  send_down(request, request.mask, std::uint64_t{1} << id_bits_ | request.id);
}

void CycleL1d::send_down(const Held& request, std::uint32_t mask, std::uint64_t id) {
  queue_.push({.kind = request.kind,
               .mask = mask,
               .payload = request.payload,
               .id = id,
               .address = index_.address_of(request.block),
               .pc = request.sideband.pc});
}

// An answer or a fill of the entry is over.
void CycleL1d::settle(unsigned e) {
  tags_->settle(e, mshrs_[e].pending);
  if (!mshrs_.in_use().test(e) || mshrs_[e].count || mshrs_[e].pending) return;
  mshrs_.free(e);
  tags_->dealloc(e);
}

void CycleL1d::take_flush() {
  note(&L1dCounters::flushes);
  tags_->flush();
  mshrs_.flush();
}

void CycleL1d::notify_monitors(const L1dIn& in) {
  if (monitors_.empty()) return;
  for (const auto& monitor : monitors_) monitor->notify(in.monitor_inputs);
  for (const auto& monitor : monitors_) {
    if (last_event_) monitor->observe(*last_event_, 0);
    monitor->edge(counters_.loads);
  }
  show();
}

void CycleL1d::enter_path(const L1dIn& in) {
  const std::uint64_t block = index_.block_of(in.core_request_address);
  path_.accept(in, block, index_.set_of(block));
}

void CycleL1d::step_path(const L1dIn& in) {
  const bool arrives = enters(in);
  const bool leaves = slice_ && path_accepts() && !slice_->empty();
  if (now_.frozen)  // looked up again before they move again
    path_.reindex([this](std::uint64_t block) { return index_.set_of(block); });
  else
    path_.step(now_.probe.fires, last_probe_.passed);
  if (slice_) {
    if (leaves) enter_path(slice_->front());
    slice_->step(leaves, arrives ? &in : nullptr);
  } else if (arrives) {
    enter_path(in);
  }
  const bool left = !last_probe_.occupied || last_probe_.fired || last_probe_.passed;
  read_ahead_ = path_.probe().valid && left && reads_ahead(in);
  if (monitors_.empty() && tags_->tag_arrays().empty()) return;
  // While the adaptive index changes, what stands in the tag-lookup stage counts as having just come.
  const bool comes = left || now_.frozen;
  if (path_.probe().valid && comes) {
    for (const auto& monitor : monitors_) monitor->enter(path_.probe().set, in.controls);
    tags_->enter(path_.probe().set);
  }
  if (kind_.compare_stages) read_tags();
}

// As a request enters the compare stage; when the adaptive index has moved, of the one in the tag-lookup
// stage first.
void CycleL1d::read_tags() {
  if (now_.frozen && monitors_freeze()) return tags_->compare(path_.probe().set);
  const Held& next = *path_.before_probe();
  if (next.valid && (path_.arrived() || now_.frozen)) tags_->compare(next.set);
}

}  // namespace golden
