#include "golden/tags/reuse_filter_cycle.h"

#include <algorithm>

namespace golden {

CycleReuse::CycleReuse(const hw::L1dParams& params, bool with_data)
    : CycleWays(params, with_data),
      entries_of_set_(static_cast<unsigned>(params.reuse.ways)),
      most_(static_cast<std::uint8_t>((1u << params.reuse.rc_bits) - 1)),
      tags_(static_cast<size_t>(hw::sets_of(params)) * entries_of_set_),
      holder_(valid_.size()) {
  reset();
}

void CycleReuse::reset_tags() {
  CycleWays::reset_tags();
  drop_all();
}

// The data way that the entry has, or none.
unsigned CycleReuse::way_of(unsigned set, unsigned t) const {
  for (unsigned w = 0; w < ways_; ++w)
    if (holder_[line_of(set, w)] == t) return w;
  return none;
}

void CycleReuse::match(const Held& request) {
  deed_ = {};
  for (tag_ = 0; tag_ < entries_of_set_; ++tag_)
    if (tag_at(request.set, tag_).valid && tag_at(request.set, tag_).block == request.block) {
      deed_.tag_hit = true;
      now_.way = way_of(request.set, tag_);
      break;
    }
  if (now_.way == none) return;
  // The line is there, or its MSHR entry has not been flushed: a flush takes the tag entry too.
  now_.matched = true;
  now_.merges = busy_[request.set] >> now_.way & 1;
  if (now_.merges) now_.entry = owner_[line_of(request.set, now_.way)];
}

void CycleReuse::decide_load(const Held& request) {
  freed_ = none;
  if (now_.matched) return decide_by(request, 1, valid_[line_of(request.set, now_.way)]);
  bool bypasses = filters();
  if (deed_.tag_hit) {
    const unsigned raised = std::min<unsigned>(tag_at(request.set, tag_).rc + 1u, most_);
    bypasses &= raised < static_cast<unsigned>(params_.reuse.threshold);
  } else {
    tag_ = entry_to_take(request.set);
    if (tag_ != none) freed_ = way_of(request.set, tag_);
  }
  if (!bypasses) return decide_by(request, 1, 0);
  now_.result = Result::bypass;
  now_.stall = queue_full() ? Stall::queue : Stall::none;
  now_.fires = !queue_full();
}

unsigned CycleReuse::entry_to_take(unsigned set) const {
  unsigned least = none;
  for (unsigned t = 0; t < entries_of_set_; ++t) {
    const TagEntry& entry = tag_at(set, t);
    if (!entry.valid) return t;
    const unsigned w = way_of(set, t);
    const bool spared = params_.reuse.tag_victim == hw::TagVictim::dataless_lfu;
    if (w != none && (spared || (busy_[set] >> w & 1))) continue;
    if (least == none || entry.rc < tag_at(set, least).rc) least = t;
  }
  if (least != none || params_.reuse.tag_victim == hw::TagVictim::lfu) return least;
  const unsigned w = oldest_way(set);
  return w == none ? none : holder_[line_of(set, w)];
}

// Of those that are not busy.
unsigned CycleReuse::oldest_way(unsigned set) const {
  unsigned oldest = none;
  for (unsigned w = 0; w < ways_; ++w)
    if (!(busy_[set] >> w & 1) && (oldest == none || age_[line_of(set, w)] > age_[line_of(set, oldest)]))
      oldest = w;
  return oldest;
}

Stall CycleReuse::reserve(const Held& request) {
  if (tag_ == none) return Stall::line;
  for (unsigned w = 0; w < ways_; ++w)
    if (w == freed_ || (!valid_[line_of(request.set, w)] && !(busy_[request.set] >> w & 1))) {
      now_.way = w;
      return Stall::none;
    }
  now_.way = oldest_way(request.set);
  return now_.way == none ? Stall::line : Stall::none;
}

void CycleReuse::take_store(const Held& request) {
  const unsigned line = line_of(request.set, now_.way);
  valid_[line] = 0;
  if (now_.merges) return;
  note(&L1dCounters::store_invalidations);
  holder_[line] = nobody_has;
}

void CycleReuse::take_load(const Held& request) {
  deed_.all_wait = tag_ == none;
  if (tag_ == none) return;
  TagEntry& entry = tag_at(request.set, tag_);
  if (!deed_.tag_hit) {
    if (freed_ != none) {
      deed_.lost_by_tag = true;
      deed_.evicted_of_zero = entry.rc == 0;
      lose_line(request.set, freed_);
    }
    entry = {.block = request.block, .valid = true, .rc = 0};
  }
  raise(entry);
  if (now_.result == Result::bypass) return;
  if (now_.result == Result::miss) allocate_line(request);
  touch(request.set, now_.way);
}

void CycleReuse::raise(TagEntry& entry) {
  deed_.saturated = entry.rc == most_;
  if (entry.rc < most_) ++entry.rc;
}

void CycleReuse::allocate_line(const Held& request) {
  const unsigned line = line_of(request.set, now_.way);
  deed_.promoted = deed_.tag_hit && filters();
  deed_.took_free_way = holder_[line] == nobody_has;
  const std::uint8_t loser = holder_[line];
  if (loser != nobody_has) {
    lose_line(request.set, now_.way);
    tag_at(request.set, loser).rc = 0;
  }
  for (unsigned t = 0; t < entries_of_set_; ++t) {
    TagEntry& other = tag_at(request.set, t);
    if (t == tag_ || !other.valid || other.rc == 0) continue;
    deed_.aged_to_zero |= --other.rc == 0 && way_of(request.set, t) != none;
  }
  blocks_[line] = request.block;
  holder_[line] = static_cast<std::uint8_t>(tag_);
  busy_[request.set] |= 1u << now_.way;
  owner_[line] = static_cast<std::uint8_t>(now_.entry);
}

// To a load; at most once in a cycle.
void CycleReuse::lose_line(unsigned set, unsigned w) {
  note(&L1dCounters::evicted_lines);
  note(&L1dCounters::evicted_chunks, chunks_);
  valid_[line_of(set, w)] = 0;
  holder_[line_of(set, w)] = nobody_has;
}

void CycleReuse::free_entries() {
  if (waiter_left_ == none || entries_[waiter_left_].count != 0) return;
  const unsigned line = line_of(entries_[waiter_left_].set, entries_[waiter_left_].way);
  CycleWays::free_entries();
  if (!valid_[line]) holder_[line] = nobody_has;
}

void CycleReuse::drop_all() {
  CycleWays::drop_all();
  std::ranges::fill(holder_, nobody_has);
  std::ranges::fill(tags_, TagEntry{});
}

CycleReuse::TagState CycleReuse::tag_entry(unsigned set, unsigned t) const {
  const TagEntry& entry = tag_at(set, t);
  const unsigned w = way_of(set, t);
  return {.valid = entry.valid,
          .tag = index_.tag_of(entry.block),
          .rc = entry.rc,
          .has_line = w != none,
          .waits = w != none && (busy_[set] >> w & 1),
          .position = w};
}

// Counts and links mean nothing in an entry that is not valid, and a link to a free data way is none.
void CycleReuse::publish(StateList& list) const {
  publish_ways(list);
  const StatePlace entries{"set", {"entry", entries_of_set_}};
  const auto of_valid = [&](const char* name, int width, auto of) {
    list.value(name, width, entries, [this, of](unsigned set, unsigned t) {
      return tag_at(set, t).valid ? MayCount(of(set, t)) : MayCount();
    });
  };
  list.value("tags.entry_valid", 1, entries,
             [this](unsigned set, unsigned t) { return tag_at(set, t).valid; });
  of_valid("tags.tag", index_.tag_bits(),
           [this](unsigned set, unsigned t) { return index_.tag_of(tag_at(set, t).block); });
  of_valid("tags.reuse_count", params_.reuse.rc_bits,
           [this](unsigned set, unsigned t) { return tag_at(set, t).rc; });
  of_valid("tags.has_line", 1, [this](unsigned set, unsigned t) { return way_of(set, t) != none; });
  list.value("tags.position", state_bits(params_.ways), entries, [this](unsigned set, unsigned t) {
    const unsigned w = tag_at(set, t).valid ? way_of(set, t) : none;
    return w != none ? MayCount(w) : MayCount();
  });
}

}  // namespace golden
