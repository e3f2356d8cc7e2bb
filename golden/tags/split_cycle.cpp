#include "golden/tags/split_cycle.h"

#include <algorithm>
#include <bit>

#include "golden/l1d/chunk_count.h"
#include "golden/l1d/lfsr.h"

namespace golden {
namespace {

constexpr std::uint64_t bit(unsigned s) { return std::uint64_t{1} << s; }
unsigned lowest(std::uint64_t bits) { return static_cast<unsigned>(std::countr_zero(bits)); }

}  // namespace

CycleSplit::CycleSplit(const hw::L1dParams& params, bool with_data)
    : CycleL1d(params, with_data, true, params.index.latency + 1),
      rules_(params),
      chunk_words_(words_ / chunks_),
      bits_(static_cast<size_t>(hw::sets_of(params))),
      shared_(bits_.size() * rules_.groups),
      blocks_(bits_.size() * rules_.slots),
      positions_(blocks_.size()),
      owner_(blocks_.size()),
      data_(with_data ? blocks_.size() * chunk_words_ : 0),
      slots_(entries_.size() * chunks_),
      waits_(slots_.size()),
      held_(entries_.size()),
      selector_({.sets = hw::sets_of(params),
                 .fine_sets = params.mode.fine_sets,
                 .coarse_sets = params.mode.coarse_sets,
                 .threshold = params.mode.threshold}) {
  reset();
}

void CycleSplit::reset_tags() {
  std::ranges::fill(bits_, SplitBits{});
  std::ranges::fill(waits_, 0);
  std::ranges::fill(held_, 0);
  planned_ = placed_ = coarse_ = false;
  selector_.edge({.rst = true});
  shown_ = {};
  const bool selects = params_.mode.kind == hw::ModeKind::dueling && !params_.mode.follow;
  if (selects && (mode_history_.empty() || mode_history_.back().coarse))
    mode_history_.push_back({counters().loads, false});
  out_.decisions["mode_coarse"] = false;
}

std::uint64_t CycleSplit::shared_tag(std::uint64_t block) const {
  return index_.tag_of(block) >> params_.split.private_tag_bits;
}

// Those of them that hold one of these chunks of their lines.
std::uint64_t CycleSplit::slots_in(std::uint32_t set, std::uint64_t slots, std::uint32_t positions) const {
  std::uint64_t found = 0;
  for (; slots; slots &= slots - 1)
    if (positions >> positions_[set * rules_.slots + lowest(slots)] & 1) found |= slots & -slots;
  return found;
}

std::uint64_t CycleSplit::slots_of_entry(unsigned e, std::uint32_t chunks) const {
  std::uint64_t slots = 0;
  for (; chunks; chunks &= chunks - 1) slots |= bit(slots_[e * chunks_ + lowest(chunks)]);
  return slots;
}

std::uint64_t CycleSplit::slots_of_fill(const L1dIn& in) const {
  return slots_of_entry(now_.fill_entry, in.memory_response_mask & all_chunks_);
}

void CycleSplit::match(const Held& request) {
  const SplitBits& bits = bits_[request.set];
  const std::uint64_t* blocks = &blocks_[request.set * rules_.slots];
  matching_ = 0;
  positions_there_ = 0;
  for (std::uint64_t left = bits.valid; left; left &= left - 1) {
    const unsigned s = lowest(left);
    if (blocks[s] != request.block) continue;
    matching_ |= bit(s);
    positions_there_ |= 1u << positions_[request.set * rules_.slots + s];
  }
  now_.matched = matching_ != 0;
  // An entry in use has a busy slot.
  for (std::uint64_t left = bits.busy; left; left &= left - 1) {
    const unsigned e = owner_[request.set * rules_.slots + lowest(left)];
    if (entries_[e].block != request.block || entries_[e].flushed) continue;
    now_.matched = now_.merges = true;
    now_.entry = e;
    return;
  }
}

void CycleSplit::decide_load(const Held& request) {
  effective_ = coarse_ ? all_chunks_ : request.mask;
  pending_ = now_.merges ? effective_ & entries_[now_.entry].pending : 0;
  decide_by(request, effective_, positions_there_);
}

Stall CycleSplit::reserve(const Held&) {
  if (!planned_) return Stall::plan;
  return plan_.count == chunk_count(now_.missed) ? Stall::none : Stall::line;
}

bool CycleSplit::hit_blocked(const L1dIn& in, const Held& request) const {
  return slots_in(request.set, matching_, request.mask) & slots_of_fill(in);
}

bool CycleSplit::replay_blocked(const L1dIn& in) const {
  return slots_of_entry(replay_entry_, replayed().mask) & slots_of_fill(in);
}

void CycleSplit::read_hit(const Held& request, LineData& line) const {
  for (std::uint64_t left = slots_in(request.set, matching_, request.mask); left; left &= left - 1) {
    const size_t at = request.set * rules_.slots + lowest(left);
    std::copy_n(&data_[at * chunk_words_], chunk_words_, &line[positions_[at] * chunk_words_]);
  }
}

void CycleSplit::read_replay(LineData& line) const {
  const size_t first = entries_[replay_entry_].set * rules_.slots;
  for (std::uint32_t left = replayed().mask; left; left &= left - 1) {
    const unsigned c = lowest(left);
    std::copy_n(&data_[(first + slots_[replay_entry_ * chunks_ + c]) * chunk_words_], chunk_words_,
                &line[c * chunk_words_]);
  }
}

// Places for the next cycle, from the state that this one began with.
void CycleSplit::begin_edge(const L1dIn&) {
  const Held& request = probe_stage();
  placed_ = now_.fires && request.kind == RequestKind::load && now_.missed;
  const bool doomed = now_.merges && entries_[now_.entry].doomed;
  planned_ = request.valid && request.kind == RequestKind::load && !now_.fires && !doomed && now_.missed;
  if (!planned_) return;  // a load that fires has its plan still
  plan_bits_ = bits_[request.set];
  plan_wanted_ = chunk_count(now_.missed);
  plan_ = rules_.choose(plan_bits_, {&shared_[request.set * rules_.groups], rules_.groups},
                        shared_tag(request.block), slots_in(request.set, matching_, effective_), plan_wanted_,
                        lfsr_);
}

void CycleSplit::waiter_answered() {
  for (std::uint32_t left = replayed().mask; left; left &= left - 1)
    --waits_[replay_entry_ * chunks_ + lowest(left)];
}

void CycleSplit::take_fill(const L1dIn& in, std::uint32_t filled) {
  const Entry& entry = entries_[now_.fill_entry];
  if (!entry.doomed && !entry.flushed) bits_[entry.set].valid |= slots_of_fill(in);
  if (!with_data_ || !in.memory_response_data) return;
  for (std::uint32_t left = filled & all_chunks_; left; left &= left - 1) {
    const unsigned c = lowest(left);
    const size_t at = entry.set * rules_.slots + slots_[now_.fill_entry * chunks_ + c];
    std::copy_n(in.memory_response_data->data() + c * chunk_words_, chunk_words_, &data_[at * chunk_words_]);
  }
}

void CycleSplit::take_store(const Held& request) {
  SplitBits& bits = bits_[request.set];
  if (now_.merges) {  // with what a fill brings in this cycle
    for (unsigned s = 0; s < rules_.slots; ++s)
      if (blocks_[request.set * rules_.slots + s] == request.block) bits.valid &= ~bit(s);
    return;
  }
  const bool mask_scope = params_.store_scope == hw::StoreScope::mask;
  const std::uint64_t gone = mask_scope ? slots_in(request.set, matching_, request.mask) : matching_;
  if (gone) note(&L1dCounters::store_invalidations);
  bits.valid &= ~gone;
}

void CycleSplit::take_load(const Held& request) {
  std::uint64_t used = slots_in(request.set, matching_, effective_);
  if (now_.result != Result::hit) {
    used |= slots_of_entry(now_.entry, pending_);
    if (now_.missed) {
      allocate(request);
      used |= plan_.taken;
    }
    wait_for(request);
  }
  SplitBits& bits = bits_[request.set];
  bits.nru |= used;
  if (bits.nru == rules_.all) bits.nru = 0;
}

// The missed chunks come to their places.
void CycleSplit::allocate(const Held& request) {
  SplitBits& bits = bits_[request.set];
  if (plan_.draws) lfsr_ = next_lfsr(lfsr_);
  if (plan_.lost) note(&L1dCounters::evicted_chunks, static_cast<unsigned>(std::popcount(plan_.lost)));
  for (std::uint32_t left = plan_.claimed; left; left &= left - 1)
    shared_[request.set * rules_.groups + lowest(left)] = shared_tag(request.block);
  bits.valid &= ~(plan_.lost | plan_.taken);
  bits.busy |= plan_.taken;
  std::uint32_t missed = now_.missed;
  for (unsigned i = 0; i < plan_.count; ++i, missed &= missed - 1) {
    const size_t at = request.set * rules_.slots + plan_.slots[i];
    blocks_[at] = request.block;
    positions_[at] = static_cast<std::uint8_t>(lowest(missed));
    owner_[at] = static_cast<std::uint8_t>(now_.entry);
    slots_[now_.entry * chunks_ + positions_[at]] = plan_.slots[i];
  }
  held_[now_.entry] |= now_.missed;
}

// The load becomes a waiter: the chunks that it asked for stay where they are until it has read them.
void CycleSplit::wait_for(const Held& request) {
  const unsigned e = now_.entry;
  for (std::uint64_t left = slots_in(request.set, matching_, request.mask); left; left &= left - 1) {
    const size_t at = request.set * rules_.slots + lowest(left);
    slots_[e * chunks_ + positions_[at]] = static_cast<std::uint8_t>(lowest(left));
    owner_[at] = static_cast<std::uint8_t>(e);
    bits_[request.set].busy |= left & -left;
  }
  held_[e] |= request.mask;
  for (std::uint32_t left = request.mask; left; left &= left - 1) ++waits_[e * chunks_ + lowest(left)];
  if (!(request.mask & (entries_[e].pending | now_.missed))) wake_.set(e);
}

void CycleSplit::release(unsigned e) {
  for (std::uint32_t left = held_[e] & ~entries_[e].pending; left; left &= left - 1) {
    const unsigned c = lowest(left);
    if (waits_[e * chunks_ + c]) continue;
    held_[e] &= ~(1u << c);
    bits_[entries_[e].set].busy &= ~bit(slots_[e * chunks_ + c]);
  }
  if (in_use_.test(e) && !entries_[e].count && !entries_[e].pending) free(e);
}

void CycleSplit::free_entries() {
  if (waiter_left_ != none) release(waiter_left_);
  if (now_.fill) release(now_.fill_entry);
}

void CycleSplit::drop_all() {
  for (SplitBits& bits : bits_) bits.valid = 0;
}

bool CycleSplit::coarse_for(std::uint32_t set, const L1dIn& in) const {
  if (params_.mode.kind != hw::ModeKind::dueling) return params_.mode.kind == hw::ModeKind::coarse;
  if (params_.mode.follow) return in.controls["mode_coarse"];
  const auto role = selector_.samplers()[set];
  return role == ModeSamplers::Role::follower ? selector_.mode_coarse() : role == ModeSamplers::Role::coarse;
}

void CycleSplit::end_cycle(const L1dIn& in) {
  const Probe& probe = last_probe();
  // While the adaptive index changes, what stands in the probe stage counts as having just come.
  const Held& request = probe_stage();
  if (request.valid && (!probe.occupied || probe.fired || now_.frozen)) coarse_ = coarse_for(request.set, in);
  if (params_.mode.kind != hw::ModeKind::dueling || params_.mode.follow) return;
  selector_.edge(shown_);
  shown_ = {.probe_valid = probe.fired && probe.kind == RequestKind::load,
            .probe_miss = now_.missed != 0,
            .probe_set = probe.set,
            .probe_chunks = chunk_count(now_.missed)};
  if (selector_.mode_coarse() != out_.decisions["mode_coarse"])
    mode_history_.push_back({counters().loads, selector_.mode_coarse()});
  out_.decisions["mode_coarse"] = selector_.mode_coarse();
}

CycleSplit::SlotState CycleSplit::slot(unsigned set, unsigned s) const {
  const SplitBits& bits = bits_[set];
  const size_t at = set * rules_.slots + s;
  const int low = params_.split.private_tag_bits;
  return {.shared = shared_[set * rules_.groups + s / rules_.group_slots],
          .low = index_.tag_of(blocks_[at]) & (bit(static_cast<unsigned>(low)) - 1),
          .position = positions_[at],
          .valid = (bits.valid >> s & 1) != 0,
          .busy = (bits.busy >> s & 1) != 0,
          .nru = (bits.nru >> s & 1) != 0};
}

std::vector<std::uint64_t> CycleSplit::resident_lines() const {
  std::vector<std::uint64_t> lines;
  for (size_t set = 0; set < bits_.size(); ++set) {
    const size_t first = lines.size();
    for (std::uint64_t left = bits_[set].valid; left; left &= left - 1)
      lines.push_back(index_.address_of(blocks_[set * rules_.slots + lowest(left)]));
    std::sort(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end());
    lines.erase(std::unique(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end()), lines.end());
  }
  return lines;
}

}  // namespace golden
