// Lines in the ways of sets: which are there, and which an MSHR entry waits for.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "golden/cache/mshr_file.h"
#include "golden/cache/tag_store.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class WayLines {
 public:
  explicit WayLines(const hw::L1dParams& p)
      : ways_(static_cast<unsigned>(p.ways)),
        chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
        valid_(static_cast<std::size_t>(hw::sets_of(p)) * ways_),
        owner_(valid_.size()),
        words_((ways_ + 63) / 64),
        busy_(static_cast<std::size_t>(hw::sets_of(p)) * words_),
        dead_(busy_.size()),
        places_(static_cast<std::size_t>(p.mshr_entries)) {}

  void reset() {
    std::ranges::fill(valid_, 0);
    std::ranges::fill(busy_, 0);
    std::ranges::fill(dead_, 0);
  }

  unsigned ways() const { return ways_; }
  std::uint32_t valid(unsigned set, unsigned w) const { return valid_[line(set, w)]; }
  std::uint32_t& valid(unsigned set, unsigned w) { return valid_[line(set, w)]; }
  bool is_busy(unsigned set, unsigned w) const { return busy_[word(set, w)] & bit(w); }
  // Word n of the ways that are open, a bit each of the first 64, and no entry's.
  std::uint64_t may_go(unsigned set, unsigned n, std::uint64_t open) const {
    return (n ? ~std::uint64_t{0} : open) & ~busy_[set * words_ + n] & bits_of_word(ways_, n);
  }
  // There, or on its way there.
  bool can_be_found(unsigned set, unsigned w) const {
    return is_busy(set, w) ? !(dead_[word(set, w)] & bit(w)) : valid(set, w) != 0;
  }
  // The entry of a busy way.
  unsigned owner(unsigned set, unsigned w) const { return owner_[line(set, w)]; }
  unsigned way_of(unsigned entry) const { return places_[entry].way; }
  unsigned set_of(unsigned entry) const { return places_[entry].set; }

  // What a lookup comes to that found this way.
  void find(unsigned set, unsigned w, Lookup& line) const {
    line = {.found = true,
            .entry = is_busy(set, w) ? owner(set, w) : no_entry,
            .valid = valid(set, w),
            .place = w};
  }
  // The lowest of these ways in which nothing is, or ways().
  unsigned empty_way(unsigned set, std::uint64_t open) const {
    for (unsigned n = 0; n < words_; ++n)
      for (std::uint64_t left = may_go(set, n, open); left; left &= left - 1)
        if (const unsigned w = 64 * n + static_cast<unsigned>(std::countr_zero(left)); !valid(set, w))
          return w;
    return ways_;
  }
  void take(unsigned set, unsigned w, unsigned entry) {
    busy_[word(set, w)] |= bit(w);
    owner_[line(set, w)] = static_cast<std::uint16_t>(entry);
    places_[entry] = {set, w};
  }
  void fill(unsigned entry, std::uint32_t validity) { valid(set_of(entry), way_of(entry)) |= validity; }
  void dealloc(unsigned entry) {
    const std::size_t at = word(set_of(entry), way_of(entry));
    const std::uint64_t stays = ~bit(way_of(entry));
    busy_[at] &= stays;
    dead_[at] &= stays;
  }
  void flush() {
    std::ranges::fill(valid_, 0);
    dead_ = busy_;
  }

  // Of the state by name: what is there, and the ways of MSHR entries.
  void publish(StateList& list, bool by_chunk) const {
    const StatePlace ways{"set", {{"way", ways_}}};
    list.value("tags.valid", by_chunk ? static_cast<int>(chunks_) : 1, ways,
               [this](unsigned set, unsigned w) { return valid(set, w); });
    list.bits("tags.busy", ways, [this](unsigned set, unsigned n) {
      return StateWord{busy_[set * words_ + n], bits_of_word(ways_, n)};
    });
    if (ways_ > 1)
      list.value("mshr.entries.way", 1, {"entry", {{"way", ways_}}},
                 [this](unsigned e, unsigned way) { return std::uint64_t{way_of(e) == way}; });
  }

  // Chunk c of way w lies in slot c of the way's.
  void slots(unsigned w, Slots& slots) const {
    for (unsigned c = 0; c < chunks_; ++c) slots[c] = static_cast<std::uint16_t>(w * chunks_ + c);
  }

 private:
  std::size_t line(unsigned set, unsigned w) const { return set * ways_ + w; }
  std::size_t word(unsigned set, unsigned w) const { return set * words_ + w / 64; }
  static std::uint64_t bit(unsigned w) { return std::uint64_t{1} << w % 64; }

  const unsigned ways_, chunks_;
  std::vector<std::uint32_t> valid_;  // validity bits, by set and way
  std::vector<std::uint16_t> owner_;
  const std::size_t words_;  // of a set's bits
  // One bit a way, by set: an entry's, and of these the ones that a flush left behind.
  std::vector<std::uint64_t> busy_, dead_;
  struct EntryPlace {
    unsigned set = 0, way = 0;
  };
  std::vector<EntryPlace> places_;  // by entry
};

}  // namespace golden
