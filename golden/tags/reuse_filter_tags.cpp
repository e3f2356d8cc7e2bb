#include "golden/tags/reuse_filter_tags.h"

#include <algorithm>

namespace golden {

ReuseTags::ReuseTags(const hw::L1dParams& p)
    : index_(p.index),
      entries_of_set_(static_cast<unsigned>(p.reuse.ways)),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
      threshold_(static_cast<unsigned>(p.reuse.threshold)),
      dataless_first_(p.reuse.tag_victim == hw::TagVictim::dataless_lfu),
      follows_(p.reuse.follow),
      most_(static_cast<std::uint8_t>((1u << p.reuse.rc_bits) - 1)),
      lines_(p),
      order_(hw::sets_of(p), p.ways, hw::Replacement::lru),
      tags_(static_cast<std::size_t>(hw::sets_of(p)) * entries_of_set_),
      holder_(static_cast<std::size_t>(hw::sets_of(p) * p.ways), nobody_has) {
  if (hw::protects_tags(p.ecc)) meet_upsets(p, p.ecc);
}

void ReuseTags::reset() {
  lines_.reset();
  order_.reset();
  flush();
}

// The data way that the entry has, or none.
unsigned ReuseTags::way_of(unsigned set, unsigned t) const {
  for (unsigned w = 0; w < lines_.ways(); ++w)
    if (holder(set, w) == t) return w;
  return none;
}

void ReuseTags::lookup(const Held& request, Lookup& line) {
  line = {};
  deed_ = {};
  freed_ = none;
  for (tag_ = 0; tag_ < entries_of_set_; ++tag_)
    if (tag_at(request.set, tag_).valid && has_tag(tag_, request)) {
      deed_.tag_hit = true;
      // The line is there, or its MSHR entry has not been flushed: a flush takes the tag entry too.
      const unsigned way = way_of(request.set, tag_);
      if (way != none) lines_.find(request.set, way, line);
      return;
    }
}

bool ReuseTags::waits(unsigned set, unsigned t) const {
  const unsigned way = way_of(set, t);
  return way != none && lines_.is_busy(set, way);
}

// The MSHR entry of a line that is waited for knows it; else the word that was read is that of the tag.
bool ReuseTags::has_tag(unsigned t, const Held& request) const {
  if (!protected_ || (protected_->checked() && waits(request.set, t)))
    return tag_at(request.set, t).block == request.block;
  return protected_->is_of(found(request.set, t), index_.tag_of(request.block));
}

void ReuseTags::meet_upsets(const hw::L1dParams& p, const hw::EccParams& ecc) {
  protected_.emplace(ecc.tags, hw::protects_tags(p.ecc), index_.tag_bits(), hw::sets_of(p), p.reuse.ways);
  tag_arrays_ = {protected_->array(entries_of_set_)};
}

bool ReuseTags::would_meet(const TagWord& at, const CodeWord& bits) const {
  const auto& [array, set, t, word] = at;
  if (waits(set, t)) return true;
  const auto stored = [&](unsigned e) {
    return protected_->stored(set, e, index_.tag_of(tag_at(set, e).block)).data;
  };
  for (unsigned e = 0; e < entries_of_set_; ++e)
    if (e != t && stored(e) == (stored(t) ^ bits.data)) return true;
  return false;
}

std::uint64_t ReuseTags::wrong_ways(unsigned set) const {
  std::uint64_t wrong = 0;
  for (unsigned t = 0; protected_ && t < entries_of_set_; ++t)
    if (tag_at(set, t).valid && !waits(set, t) && protected_->is_wrong(found(set, t)))
      wrong |= std::uint64_t{1} << t;
  return wrong;
}

TagsSeen ReuseTags::wrong_tags(const Held& request) const {
  TagsSeen seen{
      .set = request.set, .emptied = wrong_ways(request.set), .store = request.kind == RequestKind::store};
  seen.wrong[0] = seen.emptied;
  for (unsigned t = 0; t < entries_of_set_; ++t) {
    const TagEntry& entry = tag_at(request.set, t);
    const bool same = entry.block == request.block, has_line = way_of(request.set, t) != none;
    const CodeWord word = found(request.set, t);
    if (seen.emptied >> t & 1) {
      seen.own |= same && has_line;
      seen.alike[0] |= !same && has_line && word.data == index_.tag_of(request.block);
    } else if (entry.valid && same && waits(request.set, t)) {
      seen.of_entry |= protected_->is_wrong(word);
    }
  }
  return seen;
}

// One that the request has just taken has a right tag again.
void ReuseTags::empty(unsigned set, std::uint64_t entries) {
  for (unsigned t = 0; t < entries_of_set_; ++t) {
    if (!(entries >> t & 1) || protected_->is_clean(set, t)) continue;
    if (const unsigned way = way_of(set, t); way != none) lose_line(set, way);
    tag_at(set, t).valid = false;
  }
}

// The entry stays, with its count.
void ReuseTags::drop(unsigned set, Place way) { lose_line(set, static_cast<unsigned>(way)); }

Reservation ReuseTags::reserve(const Held& load, Decision& decision, std::uint64_t open) {
  bool filtered = filters();
  if (deed_.tag_hit) {
    const unsigned raised = std::min<unsigned>(tag_at(load.set, tag_).rc + 1u, most_);
    filtered &= raised < threshold_;
  } else {
    tag_ = entry_to_take(load.set);
    if (tag_ != none) freed_ = way_of(load.set, tag_);
  }
  if (filtered) return Reservation::filtered;
  if (tag_ == none) return Reservation::none;
  for (unsigned w = 0; w < lines_.ways(); ++w)
    if ((open >> w & 1) && (w == freed_ || (!lines_.valid(load.set, w) && !lines_.is_busy(load.set, w)))) {
      decision.line.place = w;
      return Reservation::some;
    }
  const unsigned oldest = oldest_way(load.set, open);
  if (oldest == none) return Reservation::none;
  decision.line.place = oldest;
  return Reservation::some;
}

unsigned ReuseTags::entry_to_take(unsigned set) const {
  unsigned least = none;
  for (unsigned t = 0; t < entries_of_set_; ++t) {
    const TagEntry& entry = tag_at(set, t);
    if (!entry.valid) return t;
    const unsigned w = way_of(set, t);
    if (w != none && (dataless_first_ || lines_.is_busy(set, w))) continue;
    if (least == none || entry.rc < tag_at(set, least).rc) least = t;
  }
  if (least != none || !dataless_first_) return least;
  const unsigned w = oldest_way(set, ~std::uint64_t{0});
  return w == none ? none : holder(set, w);
}

// Of the ways that are not busy.
unsigned ReuseTags::oldest_way(unsigned set, std::uint64_t open) const {
  const unsigned oldest = order_.victim(
      set, [&](unsigned n) { return lines_.may_go(set, n, open); }, lfsr());
  return oldest == lines_.ways() ? none : oldest;
}

bool ReuseTags::invalidate(const Held& request, const Lookup& line) {
  const auto way = static_cast<unsigned>(line.place);
  lines_.valid(request.set, way) = 0;
  if (line.entry == no_entry) holder(request.set, way) = nobody_has;
  return true;
}

Lost ReuseTags::filter(const Held& load, const Decision&) { return record(load); }

Lost ReuseTags::load(const Held& load, const Decision& decision) {
  Lost lost = record(load);
  if (decision.missed) {
    const Lost line = allocate(load, decision);
    lost = {lost.lines + line.lines, lost.chunks + line.chunks};
  }
  order_.touch(load.set, static_cast<unsigned>(decision.line.place));
  return lost;
}

// The load's entry counts it; without one it takes another's.
Lost ReuseTags::record(const Held& load) {
  deed_.all_wait = tag_ == none;
  if (tag_ == none) return {};
  Lost lost;
  TagEntry& entry = tag_at(load.set, tag_);
  if (!deed_.tag_hit) {
    if (freed_ != none) {
      deed_.lost_by_tag = true;
      deed_.evicted_of_zero = entry.rc == 0;
      lost = lose_line(load.set, freed_);
    }
    entry = {.block = load.block, .valid = true, .rc = 0};
    if (protected_) protected_->write(load.set, tag_);
  }
  deed_.saturated = entry.rc == most_;
  if (entry.rc < most_) ++entry.rc;
  return lost;
}

Lost ReuseTags::allocate(const Held& load, const Decision& decision) {
  const auto way = static_cast<unsigned>(decision.line.place);
  const std::uint8_t loser = holder(load.set, way);
  deed_.promoted = deed_.tag_hit && filters();
  deed_.took_free_way = loser == nobody_has;
  Lost lost;
  if (loser != nobody_has) {
    lost = lose_line(load.set, way);
    tag_at(load.set, loser).rc = 0;
  }
  for (unsigned t = 0; t < entries_of_set_; ++t) {
    TagEntry& other = tag_at(load.set, t);
    if (t == tag_ || !other.valid || other.rc == 0) continue;
    deed_.aged_to_zero |= --other.rc == 0 && way_of(load.set, t) != none;
  }
  holder(load.set, way) = static_cast<std::uint8_t>(tag_);
  lines_.take(load.set, way, decision.entry);
  return lost;
}

Lost ReuseTags::lose_line(unsigned set, unsigned w) {
  lines_.valid(set, w) = 0;
  holder(set, w) = nobody_has;
  return {.lines = 1, .chunks = chunks_};
}

void ReuseTags::fill(unsigned entry, std::uint32_t chunks, bool installs) {
  if (installs) lines_.fill(entry, chunks);
}

// The line of a poisoned entry never came.
void ReuseTags::dealloc(unsigned entry) {
  const unsigned set = lines_.set_of(entry), way = lines_.way_of(entry);
  lines_.dealloc(entry);
  if (!lines_.valid(set, way)) holder(set, way) = nobody_has;
}

void ReuseTags::flush() {
  lines_.flush();
  std::ranges::fill(holder_, nobody_has);
  std::ranges::fill(tags_, TagEntry{});
}

ReuseTags::TagState ReuseTags::tag_entry(unsigned set, unsigned t) const {
  const TagEntry& entry = tag_at(set, t);
  const unsigned w = way_of(set, t);
  return {.valid = entry.valid,
          .tag = index_.tag_of(entry.block),
          .rc = entry.rc,
          .has_line = w != none,
          .waits = w != none && lines_.is_busy(set, w),
          .position = w};
}

std::vector<std::uint64_t> ReuseTags::resident_blocks() const {
  std::vector<std::uint64_t> blocks;
  for (unsigned set = 0; set * entries_of_set_ < tags_.size(); ++set)
    for (unsigned w = 0; w < lines_.ways(); ++w)
      if (lines_.valid(set, w)) blocks.push_back(tag_at(set, holder(set, w)).block);
  return blocks;
}

// Counts and links mean nothing in an entry that is not valid.
void ReuseTags::publish(StateList& list, const MshrFile&) const {
  lines_.publish(list, false);
  order_.publish(list, *this);
  const StatePlace entries{"set", {{"entry", entries_of_set_}}};
  const auto of_valid = [&](const char* name, int width, auto of) {
    list.value(name, width, entries, [this, of](unsigned set, unsigned t) {
      const TagEntry& entry = tag_at(set, t);
      return entry.valid ? MayCount(of(entry)) : MayCount();
    });
  };
  list.bits("tags.entry_valid", entries, [this](unsigned set, unsigned) {
    return StateWord{valid_entries(set), ~std::uint64_t{0} >> (64 - entries_of_set_)};
  });
  const int bits = protected_ ? protected_->stored_bits() : index_.tag_bits();
  list.value("tags.tag", bits, entries, [this](unsigned set, unsigned t) {
    const TagEntry& entry = tag_at(set, t);
    if (!entry.valid) return MayCount();
    const std::uint64_t tag = index_.tag_of(entry.block);
    return MayCount(protected_ ? protected_->row(set, t, tag) : tag);
  });
  of_valid("tags.reuse_count", std::bit_width(most_), [](const TagEntry& e) { return e.rc; });
  publish_links(list, entries);
}

void ReuseTags::publish_links(StateList& list, const StatePlace& entries) const {
  const auto each_link = [this](unsigned set, const auto& see) {
    for (unsigned w = 0; w < lines_.ways(); ++w)
      if (const unsigned t = holder(set, w); t != nobody_has) see(t, w);
  };
  list.bits("tags.has_line", entries, [this, each_link](unsigned set, unsigned) {
    StateWord word{0, valid_entries(set)};
    each_link(set, [&](unsigned t, unsigned) { word.value |= std::uint64_t{1} << t; });
    return word;
  });
  const int width = state_bits(lines_.ways());
  list.words("tags.position", width, entries, width, [this, each_link](unsigned set, StateWord* words) {
    std::fill_n(words, entries_of_set_, StateWord{});
    each_link(set, [&](unsigned t, unsigned w) {
      if (tag_at(set, t).valid) words[t] = {w, ~std::uint64_t{0}};
    });
  });
}

std::uint64_t ReuseTags::valid_entries(unsigned set) const {
  std::uint64_t valid = 0;
  for (unsigned t = 0; t < entries_of_set_; ++t) valid |= std::uint64_t{tag_at(set, t).valid} << t;
  return valid;
}

}  // namespace golden
