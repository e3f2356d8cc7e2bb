// Which way of a set goes next: true LRU, NRU, SRRIP, or at random (docs/contracts/l1d.md, "Victims",
// "Touch"). SRRIP is that of Jaleel et al., ISCA 2010, with hit priority and 2 bits a way.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "golden/cache/tag_store.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class WayOrder {
 public:
  WayOrder(int sets, int ways, hw::Replacement policy)
      : policy_(policy),
        ways_(static_cast<unsigned>(ways)),
        age_(static_cast<std::size_t>(sets) * ways_),
        words_((ways_ + 63) / 64),
        nru_(static_cast<std::size_t>(sets) * words_),
        rrpv_(policy == hw::Replacement::srrip ? age_.size() : 0) {}

  void reset() {
    std::ranges::fill(nru_, 0);
    std::ranges::fill(rrpv_, distant);
    for (unsigned line = 0; line < age_.size(); ++line) age_[line] = static_cast<std::uint16_t>(line % ways_);
  }

  bool is_random() const { return policy_ == hw::Replacement::random; }
  // Age (0 = youngest), NRU bit or RRPV; 0 with random replacement.
  unsigned state(unsigned set, unsigned w) const {
    if (policy_ == hw::Replacement::srrip) return rrpv_[set * ways_ + w];
    if (policy_ == hw::Replacement::lru) return age_[set * ways_ + w];
    return policy_ == hw::Replacement::nru && used(set, w);
  }

  // By name.
  void publish(StateList& list, const TagStore& tags) const {
    const StatePlace ways{"set", {{"way", ways_}}};
    if (is_random())
      list.value("tags.lfsr", 16, {}, [&tags](unsigned, unsigned) { return tags.lfsr(); });
    else if (ways_ > 1 && policy_ == hw::Replacement::nru)
      list.bits("tags.nru", ways, [this](unsigned set, unsigned n) {
        return StateWord{nru_[set * words_ + n], bits_of_word(ways_, n)};
      });
    else if (ways_ > 1 && policy_ == hw::Replacement::srrip)
      list.value("tags.rrpv", 2, ways, [this](unsigned set, unsigned w) { return state(set, w); });
    else
      list.value("tags.age", state_bits(ways_), ways,
                 [this](unsigned set, unsigned w) { return state(set, w); });
  }

  // A load found its line there.
  void touch(unsigned set, unsigned way) {
    if (policy_ == hw::Replacement::srrip) rrpv_[set * ways_ + way] = 0;
    if (policy_ == hw::Replacement::nru) {
      nru_[set * words_ + way / 64] |= std::uint64_t{1} << way % 64;
      if (all_used(set)) std::fill_n(&nru_[set * words_], words_, 0);
    }
    if (policy_ != hw::Replacement::lru) return;
    std::uint16_t* age = &age_[set * ways_];
    const std::uint16_t before = age[way];
    for (unsigned w = 0; w < ways_; ++w) age[w] = static_cast<std::uint16_t>(age[w] + (age[w] < before));
    age[way] = 0;
  }

  // A load takes the way for a new line, which replaces one or not.
  void insert(unsigned set, unsigned way, bool replaces) {
    if (policy_ != hw::Replacement::srrip) return touch(set, way);
    std::uint8_t* rrpv = &rrpv_[set * ways_];
    while (replaces && rrpv[way] < distant)  // the victim was searched for in as many rounds
      for (unsigned w = 0; w < ways_; ++w)
        if (rrpv[w] < distant) ++rrpv[w];
    rrpv[way] = long_interval;
  }

  // One of the ways that word n of `eligible` has a bit for, ways 64 n and on; as many as there are ways if
  // none has one.
  template <class Eligible>
  unsigned victim(unsigned set, Eligible eligible, std::uint16_t lfsr) const {
    if (is_random()) return random(eligible, lfsr);
    if (policy_ == hw::Replacement::srrip) return first_distant(&rrpv_[set * ways_], eligible);
    const bool nru = policy_ == hw::Replacement::nru;
    const unsigned first =
        nru ? lowest([&](unsigned n) { return eligible(n) & ~nru_[set * words_ + n]; }) : ways_;
    return nru ? first < ways_ ? first : lowest(eligible) : oldest(&age_[set * ways_], eligible);
  }

 private:
  bool used(unsigned set, unsigned w) const { return nru_[set * words_ + w / 64] >> w % 64 & 1; }
  bool all_used(unsigned set) const {
    for (unsigned n = 0; n < words_; ++n)
      if (nru_[set * words_ + n] != bits_of_word(ways_, n)) return false;
    return true;
  }

  template <class Words>
  unsigned lowest(Words words) const {
    for (unsigned n = 0; n < words_; ++n)
      if (const std::uint64_t word = words(n)) return 64 * n + static_cast<unsigned>(std::countr_zero(word));
    return ways_;
  }

  template <class Eligible>
  unsigned oldest(const std::uint16_t* age, Eligible eligible) const {
    unsigned oldest = ways_;
    for (unsigned n = 0; n < words_; ++n)
      for (std::uint64_t left = eligible(n); left; left &= left - 1) {
        const unsigned w = 64 * n + static_cast<unsigned>(std::countr_zero(left));
        if (oldest == ways_ || age[w] > age[oldest]) oldest = w;
      }
    return oldest;
  }

  // Round after round, all RRPVs one more, until an eligible way has the largest.
  template <class Eligible>
  unsigned first_distant(const std::uint8_t* rrpv, Eligible eligible) const {
    for (unsigned rounds = 0; rounds <= distant; ++rounds)
      for (unsigned w = 0; w < ways_; ++w)
        if ((eligible(w / 64) >> w % 64 & 1) && rrpv[w] + rounds >= distant) return w;
    return ways_;
  }

  template <class Eligible>
  unsigned random(Eligible eligible, std::uint16_t lfsr) const {
    unsigned number = 0;
    for (unsigned n = 0; n < words_; ++n) number += static_cast<unsigned>(std::popcount(eligible(n)));
    if (number == 0) return ways_;
    unsigned chosen = lfsr % number;
    for (unsigned n = 0;; ++n) {
      std::uint64_t left = eligible(n);
      for (; left && chosen; --chosen) left &= left - 1;
      if (left) return 64 * n + static_cast<unsigned>(std::countr_zero(left));
    }
  }

  static constexpr std::uint8_t long_interval = 2, distant = 3;

  const hw::Replacement policy_;
  const unsigned ways_;
  std::vector<std::uint16_t> age_;  // by set and way
  const std::size_t words_;
  std::vector<std::uint64_t> nru_;  // by set, one bit a way
  std::vector<std::uint8_t> rrpv_;  // by set and way: re-reference prediction values
};

}  // namespace golden
