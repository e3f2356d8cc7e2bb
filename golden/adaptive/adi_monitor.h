// Adaptive-indexing monitor from the definitions: it keeps a phase's samples and works out entropies,
// correlations and run lengths when the phase ends (ACI thesis, section 3.3, Figures 6 to 8).
#pragma once
#include <ac_int.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "hw/adaptive/adi_monitor_params.h"

namespace golden {

enum class AdiPhase { victimization, selection, idle };

// How often each thing happened.
struct AdiEvents {
  std::int64_t victimizations = 0, selections = 0, idles = 0;  // ended
  std::int64_t by_entropy = 0, by_correlation = 0;             // how the victim was found
  std::int64_t kept = 0, changed = 0;                          // winner = victim, winner another bit
  std::int64_t full_counts = 0;  // phases in which every sample had a bit at 1, or a pair equal
};

// What happens to the state, load by load, without time.
template <hw::AdiMonitorParams P>
class AdiCore {
 public:
  static constexpr int offset = std::countr_zero(static_cast<unsigned>(P.line_bytes));
  static constexpr int block = P.address_bits - offset;
  static constexpr int index_bits = std::countr_zero(static_cast<unsigned>(P.sets));
  static constexpr int sel_bits = std::bit_width(static_cast<unsigned>(P.address_bits - 1));
  using Block = ac_int<block, false>;
  using Sel = ac_int<sel_bits, false>;

  AdiCore() {
    for (int i = 0; i < index_bits; ++i) sel_[i] = offset + i;
    samples_.reserve(P.period);
  }

  const std::array<int, index_bits>& sel() const { return sel_; }  // address bit of each index bit
  AdiPhase phase() const { return phase_; }
  const AdiEvents& events() const { return events_; }
  int victim() const { return victim_; }  // an index bit
  int winner() const { return winner_; }  // an address bit
  bool changes_sel() const { return phase_ == AdiPhase::selection && winner_ != sel_[victim_]; }

  unsigned set_of(std::uint64_t block_address) const {
    unsigned set = 0;
    for (int i = 0; i < index_bits; ++i) set |= bit(block_address, sel_[i]) << i;
    return set;
  }

  // A load; true when it ends the phase: then decide() and advance() follow, with no load between.
  bool load(const Block& block_address, bool miss) {
    if (phase_ == AdiPhase::idle) return ++idle_loads_ == P.idle;
    if (phase_ == AdiPhase::selection || miss) samples_.push_back(block_address.to_uint64());
    return samples_.size() == std::size_t{P.period};
  }

  void decide() {
    if (phase_ == AdiPhase::victimization) choose_victim();
    if (phase_ == AdiPhase::selection) choose_winner();
  }

  // Takes the winner into sel after selection, and starts the next phase.
  void advance() {
    switch (phase_) {
      case AdiPhase::victimization:
        ++events_.victimizations;
        phase_ = AdiPhase::selection;
        break;
      case AdiPhase::selection:
        ++events_.selections;
        ++(changes_sel() ? events_.changed : events_.kept);
        sel_[victim_] = winner_;
        phase_ = P.idle ? AdiPhase::idle : AdiPhase::victimization;
        break;
      case AdiPhase::idle:
        ++events_.idles;
        phase_ = AdiPhase::victimization;
    }
    samples_.clear();
    idle_loads_ = 0;
  }

  // All of that at once, for models without time; true when sel changed and the cache must be flushed.
  bool access(const Block& block_address, bool miss) {
    if (!load(block_address, miss)) return false;
    decide();
    const bool flush = changes_sel();
    advance();
    return flush;
  }

  // Of the samples so far.
  int entropy(int i) const {
    return folded([&](std::uint64_t b) { return bit(b, sel_[i]); });
  }
  int correlation(int i, int j) const {
    return samples() - folded([&](std::uint64_t b) { return bit(b, sel_[i]) == bit(b, sel_[j]); });
  }

  // The winner by the mean relative period itself; to be asked between decide() and advance(), in selection.
  int exact_winner() const {
    const auto clusters = split();
    return best_candidate([&](int a) {
      long double sum = 0;  // the mean's divisor is the same for every candidate
      for (const auto& [index, blocks] : clusters)
        sum += static_cast<long double>(blocks.size()) / static_cast<long double>(changes(blocks, a) + 1);
      return -sum;
    });
  }

  // Mean relative period of one address bit over the samples, for examples.
  double mean_relative_period(int a) const {
    const auto clusters = split();
    double sum = 0;
    for (const auto& [index, blocks] : clusters)
      sum += static_cast<double>(blocks.size()) / (changes(blocks, a) + 1);
    return sum / static_cast<double>(clusters.size());
  }

 private:
  using Blocks = std::vector<std::uint64_t>;

  static unsigned bit(std::uint64_t block_address, int address_bit) {
    return static_cast<unsigned>(block_address >> (address_bit - offset) & 1);
  }

  int samples() const { return static_cast<int>(samples_.size()); }

  // min(n, T - n) of the n samples for which the claim holds.
  template <class Claim>
  int folded(Claim holds) const {
    const auto n = static_cast<int>(std::ranges::count_if(samples_, holds));
    return std::min(n, samples() - n);
  }

  void choose_victim() {
    std::array<int, index_bits> usefulness;
    for (int i = 0; i < index_bits; ++i) usefulness[i] = entropy(i);
    const auto lowest = std::ranges::min_element(usefulness);
    int highest = -1, first = 0, second = 0;  // correlation, and its pair
    for (int i = 0; i < index_bits; ++i)
      for (int j = i + 1; j < index_bits; ++j)
        if (const int c = correlation(i, j); c > highest) highest = c, first = i, second = j;
    events_.full_counts += all_alike();
    if (highest < 0) {  // one index bit: no pair
      victim_ = 0;
    } else if (*lowest < P.period - highest) {
      victim_ = static_cast<int>(lowest - usefulness.begin());
      ++events_.by_entropy;
    } else {
      victim_ = usefulness[second] < usefulness[first] ? second : first;
      ++events_.by_correlation;
    }
  }

  // Is one index bit 1, or one pair equal, in every sample?
  bool all_alike() const {
    const auto always = [&](auto holds) { return std::ranges::all_of(samples_, holds); };
    for (int i = 0; i < index_bits; ++i) {
      if (always([&](std::uint64_t b) { return bit(b, sel_[i]) == 1; })) return true;
      for (int j = i + 1; j < index_bits; ++j)
        if (always([&](std::uint64_t b) { return bit(b, sel_[i]) == bit(b, sel_[j]); })) return true;
    }
    return false;
  }

  // The samples in order, clustered by the index bits that stay.
  std::map<unsigned, Blocks> split() const {
    std::map<unsigned, Blocks> clusters;
    for (const auto b : samples_) {
      unsigned index = 0;
      for (int i = 0; i < index_bits; ++i)
        if (i != victim_) index = 2 * index + bit(b, sel_[i]);
      clusters[index].push_back(b);
    }
    return clusters;
  }

  static int changes(const Blocks& blocks, int a) {
    int n = 0;
    for (std::size_t k = 1; k < blocks.size(); ++k) n += bit(blocks[k], a) != bit(blocks[k - 1], a);
    return n;
  }

  // The candidate with the highest score; of equal ones the victim's, else the lowest.
  template <class Score>
  int best_candidate(Score score) const {
    const int old = sel_[victim_];
    int best = old;
    auto most = score(old);
    constexpr double same = 1e-12;  // equal sums of fractions may differ by rounding
    for (int a = offset; a < P.address_bits; ++a) {
      if (std::ranges::count(sel_, a)) continue;
      if (const auto s = score(a); s > most + same) most = s, best = a;
    }
    return best;
  }

  void choose_winner() {
    const auto clusters = split();
    winner_ = best_candidate([&](int a) {
      long double all = 0;
      for (const auto& [index, blocks] : clusters) all += changes(blocks, a);
      return all;
    });
  }

  std::array<int, index_bits> sel_;
  AdiPhase phase_ = AdiPhase::victimization;
  Blocks samples_;
  std::int64_t idle_loads_ = 0;
  int victim_ = 0, winner_ = offset;
  AdiEvents events_;
};

// The core in time, by the contract of adi_monitor_params.h.
template <hw::AdiMonitorParams P>
class AdiMonitor {
 public:
  using Core = AdiCore<P>;
  static constexpr int victim_search =
      Core::index_bits == 1 ? 1 : Core::index_bits * (Core::index_bits + 1) / 2 + 2;
  static constexpr int winner_search = Core::block + 1;

  struct In {
    bool probe_valid = false;
    typename Core::Block probe_block_address = 0;
    bool probe_miss = false;
    bool flush_ready = false;
  };

  // Outputs of the current cycle; they do not depend on its inputs.
  const std::array<int, Core::index_bits>& sel() const { return core_.sel(); }
  bool flush_valid() const { return deciding_ && search_left_ == 0 && core_.changes_sel(); }

  // The inputs of the current cycle; the next one begins.
  void clock(const In& in) {
    if (search_left_) {
      if (--search_left_ == 0 && core_.phase() == AdiPhase::victimization) finish();
    } else if (deciding_) {
      if (!flush_valid() || in.flush_ready) finish();
    } else if (in.probe_valid && core_.load(in.probe_block_address, in.probe_miss)) {
      core_.decide();
      deciding_ = true;
      if (core_.phase() == AdiPhase::victimization)
        search_left_ = victim_search;
      else if (core_.phase() == AdiPhase::selection)
        search_left_ = winner_search;
      else
        finish();
    }
  }

  const Core& core() const { return core_; }

 private:
  void finish() {
    core_.advance();
    deciding_ = false;
  }

  Core core_;
  bool deciding_ = false;  // between a phase's last load and the next phase
  int search_left_ = 0;    // cycles
};

}  // namespace golden
