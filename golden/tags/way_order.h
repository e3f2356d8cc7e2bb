// Which way of a set goes next: true LRU, NRU, or at random (docs/contracts/l1d.md, "Victims", "Touch").
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
        nru_(static_cast<std::size_t>(sets)) {}

  void reset() {
    std::ranges::fill(nru_, 0);
    for (unsigned line = 0; line < age_.size(); ++line) age_[line] = static_cast<std::uint8_t>(line % ways_);
  }

  bool is_random() const { return policy_ == hw::Replacement::random; }
  // Age (0 = youngest) or NRU bit; 0 with random replacement.
  unsigned state(unsigned set, unsigned w) const {
    if (policy_ == hw::Replacement::lru) return age_[set * ways_ + w];
    return policy_ == hw::Replacement::nru ? nru_[set] >> w & 1 : 0;
  }

  // By name.
  void publish(StateList& list, const TagStore& tags) const {
    const StatePlace ways{"set", {{"way", ways_}}};
    if (is_random())
      list.value("tags.lfsr", 16, {}, [&tags](unsigned, unsigned) { return tags.lfsr(); });
    else if (ways_ > 1 && policy_ == hw::Replacement::nru)
      list.bits("tags.nru", ways, [this](unsigned set, unsigned) {
        return StateWord{nru_[set], ~std::uint64_t{0} >> (64 - ways_)};
      });
    else
      list.value("tags.age", state_bits(ways_), ways,
                 [this](unsigned set, unsigned w) { return state(set, w); });
  }

  void touch(unsigned set, unsigned way) {
    if (policy_ == hw::Replacement::nru) {
      nru_[set] |= 1u << way;
      if (nru_[set] == ~0u >> (32 - ways_)) nru_[set] = 0;
    }
    if (policy_ != hw::Replacement::lru) return;
    std::uint8_t* age = &age_[set * ways_];
    const std::uint8_t before = age[way];
    for (unsigned w = 0; w < ways_; ++w) age[w] = static_cast<std::uint8_t>(age[w] + (age[w] < before));
    age[way] = 0;
  }

  // One of those eligible, of which there is at least one.
  unsigned victim(unsigned set, std::uint32_t eligible, std::uint16_t lfsr) const {
    if (policy_ == hw::Replacement::nru) {
      const std::uint32_t unused = eligible & ~nru_[set];
      return static_cast<unsigned>(std::countr_zero(unused ? unused : eligible));
    }
    if (is_random()) return random(eligible, lfsr);
    unsigned oldest = static_cast<unsigned>(std::countr_zero(eligible));
    for (unsigned w = oldest + 1; w < ways_; ++w)
      if ((eligible >> w & 1) && age_[set * ways_ + w] > age_[set * ways_ + oldest]) oldest = w;
    return oldest;
  }

 private:
  unsigned random(std::uint32_t eligible, std::uint16_t lfsr) const {
    unsigned n = 0;
    for (unsigned w = 0; w < ways_; ++w) n += eligible >> w & 1;
    for (unsigned chosen = lfsr % n; chosen; --chosen) eligible &= eligible - 1;
    return static_cast<unsigned>(std::countr_zero(eligible));
  }

  const hw::Replacement policy_;
  const unsigned ways_;
  std::vector<std::uint8_t> age_;   // by set and way
  std::vector<std::uint32_t> nru_;  // by set, one bit a way
};

}  // namespace golden
