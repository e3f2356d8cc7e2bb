#include "golden/tags/ways_cycle.h"

#include <algorithm>
#include <bit>

#include "golden/l1d/chunk_count.h"
#include "golden/l1d/lfsr.h"

namespace golden {

CycleWays::CycleWays(const hw::L1dParams& params, bool with_data)
    : CycleL1d(params, with_data, params.tags == hw::TagKind::sectored, params.index.latency),
      ways_(static_cast<unsigned>(params.ways)),
      blocks_(static_cast<size_t>(hw::sets_of(params)) * ways_),
      valid_(blocks_.size()),
      age_(blocks_.size()),
      owner_(blocks_.size()),
      busy_(static_cast<size_t>(hw::sets_of(params))),
      all_ways_(~0u >> (32 - ways_)),
      nru_(busy_.size()),
      data_(with_data ? blocks_.size() * words_ : 0) {
  reset();
}

void CycleWays::reset_tags() {
  std::ranges::fill(valid_, 0);
  std::ranges::fill(busy_, 0);
  std::ranges::fill(nru_, 0);
  for (unsigned line = 0; line < age_.size(); ++line) age_[line] = static_cast<std::uint8_t>(line % ways_);
}

void CycleWays::match(const Held& request) {
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

void CycleWays::decide_load(const Held& request) {
  evicts_ = draws_ = false;
  decide_by(request, validity_of(request.mask), now_.matched ? valid_[line_of(request.set, now_.way)] : 0);
}

Stall CycleWays::reserve(const Held& request) {
  if (now_.matched) return Stall::none;
  const unsigned first = line_of(request.set, 0);
  const std::uint32_t free = all_ways_ & ~busy_[request.set];
  for (unsigned w = 0; w < ways_; ++w) {
    if (!(free >> w & 1) || valid_[first + w]) continue;
    now_.way = w;
    return Stall::none;
  }
  if (!free) return Stall::line;
  now_.way = victim(request.set, free);
  evicts_ = true;
  return Stall::none;
}

unsigned CycleWays::victim(unsigned set, std::uint32_t eligible) {
  if (params_.replacement == hw::Replacement::nru) {
    const std::uint32_t unused = eligible & ~nru_[set];
    return static_cast<unsigned>(std::countr_zero(unused ? unused : eligible));
  }
  if (params_.replacement == hw::Replacement::random) {
    draws_ = true;
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

bool CycleWays::filled(const L1dIn& in, unsigned way, std::uint32_t mask) const {
  return entries_[now_.fill_entry].way == way && (mask & in.memory_response_mask);
}

bool CycleWays::hit_blocked(const L1dIn& in, const Held& request) const {
  return filled(in, now_.way, request.mask);
}

bool CycleWays::replay_blocked(const L1dIn& in) const {
  return filled(in, entries_[replay_entry_].way, replayed().mask);
}

void CycleWays::read_hit(const Held& request, LineData& line) const {
  std::copy_n(&data_[line_of(request.set, now_.way) * words_], words_, line.begin());
}

void CycleWays::read_replay(LineData& line) const {
  const Entry& entry = entries_[replay_entry_];
  std::copy_n(&data_[line_of(entry.set, entry.way) * words_], words_, line.begin());
}

void CycleWays::take_fill(const L1dIn& in, std::uint32_t filled) {
  const Entry& entry = entries_[now_.fill_entry];
  const unsigned line = line_of(entry.set, entry.way);
  if (!entry.doomed && !entry.flushed) valid_[line] |= filled;
  if (!with_data_ || !in.memory_response_data) return;
  const unsigned chunk_words = words_ / chunks_;
  for (std::uint32_t left = in.memory_response_mask & all_chunks_; left; left &= left - 1) {
    const unsigned word = static_cast<unsigned>(std::countr_zero(left)) * chunk_words;
    std::copy_n(in.memory_response_data->data() + word, chunk_words, &data_[line * words_ + word]);
  }
}

void CycleWays::take_store(const Held& request) {
  std::uint32_t& valid = valid_[line_of(request.set, now_.way)];
  if (now_.merges) {
    valid = 0;
    return;
  }
  const std::uint32_t hit_bits = params_.store_scope == hw::StoreScope::mask ? request.mask : all_chunks_;
  if (valid & hit_bits) note(&L1dCounters::store_invalidations);
  valid &= ~hit_bits;
}

void CycleWays::take_load(const Held& request) {
  touch(request.set, now_.way);
  if (now_.result != Result::hit && !now_.merges) allocate(request);
}

// A line that is not there gets its way, and the way its entry.
void CycleWays::allocate(const Held& request) {
  const unsigned line = line_of(request.set, now_.way);
  if (evicts_) {
    note(&L1dCounters::evicted_lines);
    note(&L1dCounters::evicted_chunks, by_chunk_ ? chunk_count(valid_[line]) : chunks_);
  }
  if (draws_) lfsr_ = next_lfsr(lfsr_);
  if (!now_.matched) {
    blocks_[line] = request.block;
    valid_[line] = 0;
  }
  busy_[request.set] |= 1u << now_.way;
  owner_[line] = static_cast<std::uint8_t>(now_.entry);
}

void CycleWays::touch(unsigned set, unsigned way) {
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

// The entry whose last waiter was answered, unless this edge gave it another.
void CycleWays::free_entries() {
  if (waiter_left_ == none || entries_[waiter_left_].count != 0) return;
  const Entry& entry = entries_[waiter_left_];
  busy_[entry.set] &= ~(1u << entry.way);
  free(waiter_left_);
}

void CycleWays::drop_all() { std::ranges::fill(valid_, 0); }

CycleL1d::WayState CycleWays::way(unsigned set, unsigned w) const {
  const unsigned line = line_of(set, w);
  unsigned replacement = 0;
  if (params_.replacement == hw::Replacement::lru) replacement = age_[line];
  if (params_.replacement == hw::Replacement::nru) replacement = nru_[set] >> w & 1;
  return {.tag = index_.tag_of(blocks_[line]),
          .valid = valid_[line],
          .busy = (busy_[set] >> w & 1) != 0,
          .age_or_nru = replacement};
}

std::vector<std::uint64_t> CycleWays::resident_lines() const {
  std::vector<std::uint64_t> lines;
  for (size_t line = 0; line < blocks_.size(); ++line)
    if (valid_[line]) lines.push_back(index_.address_of(blocks_[line]));
  return lines;
}

void CycleWays::publish_ways(StateList& list) const {
  CycleL1d::publish(list);
  const StatePlace ways{"set", {"way", ways_}};
  list.value("tags.valid", by_chunk_ ? static_cast<int>(chunks_) : 1, ways,
             [this](unsigned set, unsigned w) { return valid_[line_of(set, w)]; });
  list.bits("tags.busy", ways, [this](unsigned set, unsigned) { return StateWord{busy_[set], all_ways_}; });
  const int way_bits = state_bits(params_.ways);
  if (params_.replacement == hw::Replacement::random)
    list.value("tags.lfsr", 16, {}, [this](unsigned, unsigned) { return lfsr_; });
  else if (ways_ > 1 && params_.replacement == hw::Replacement::nru)
    list.bits("tags.nru", ways, [this](unsigned set, unsigned) { return StateWord{nru_[set], all_ways_}; });
  else
    list.value("tags.age", way_bits, ways,
               [this](unsigned set, unsigned w) { return age_[line_of(set, w)]; });
  list.value("mshr.way", way_bits, {.row = "entry"}, [this](unsigned e, unsigned) {
    return in_use_.test(e) ? MayCount(entries_[e].way) : MayCount();
  });
}

void CycleWays::publish(StateList& list) const {
  publish_ways(list);
  list.value("tags.tag", index_.tag_bits(), {"set", {"way", ways_}}, [this](unsigned set, unsigned w) {
    const unsigned line = line_of(set, w);
    const bool counts = valid_[line] || (busy_[set] >> w & 1);
    return counts ? MayCount(index_.tag_of(blocks_[line])) : MayCount();
  });
}

}  // namespace golden
