// Adaptive-indexing monitor from the definitions: it keeps a phase's samples and works out entropies,
// correlations and run lengths when the phase ends (ACI thesis, section 3.3, Figures 6 to 8).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "golden/state.h"
#include "hw/monitors/adi_monitor_params.h"

namespace golden {

enum class AdiPhase { victimization, selection, idle };

// How often each thing happened.
struct AdiEvents {
  std::int64_t victimizations = 0, selections = 0, idles = 0;  // ended
  std::int64_t by_entropy = 0, by_correlation = 0;             // how the victim was found
  std::int64_t kept = 0, changed = 0;                          // winner = victim, winner another bit
  std::int64_t agreed = 0;       // selections in which the exact period finds the same winner
  std::int64_t full_counts = 0;  // phases in which every sample had a bit at 1, or a pair equal

  AdiEvents& operator+=(const AdiEvents& e) {
    victimizations += e.victimizations, selections += e.selections, idles += e.idles;
    by_entropy += e.by_entropy, by_correlation += e.by_correlation;
    kept += e.kept, changed += e.changed, agreed += e.agreed, full_counts += e.full_counts;
    return *this;
  }
};

// What happens to the state, load by load, without time. Parameters count at run time; they are taken as
// legal.
class AdiCore {
 public:
  explicit AdiCore(const hw::AdiMonitorParams& p)
      : p_(p),
        offset_(std::countr_zero(static_cast<unsigned>(p.line_bytes))),
        sel_(static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(p.sets)))),
        winner_(offset_) {
    for (int i = 0; i < index_bits(); ++i) sel_[i] = offset_ + i;
    if (p.steered) phase_ = AdiPhase::idle;
    samples_.reserve(static_cast<std::size_t>(p.period));
    clusters_.resize(sel_.size() ? std::size_t{1} << (sel_.size() - 1) : 1);
  }

  const hw::AdiMonitorParams& params() const { return p_; }
  int index_bits() const { return static_cast<int>(sel_.size()); }
  int block_bits() const { return p_.address_bits - offset_; }
  std::span<const int> sel() const { return sel_; }  // address bit of each index bit
  AdiPhase phase() const { return phase_; }
  const AdiEvents& events() const { return events_; }
  int victim() const { return victim_; }  // an index bit
  int winner() const { return winner_; }  // an address bit
  bool changes_sel() const { return phase_ == AdiPhase::selection && winner_ != sel_[victim_]; }

  unsigned set_of(std::uint64_t block_address) const {
    unsigned set = 0;
    for (int i = 0; i < index_bits(); ++i) set |= bit(block_address, sel_[i]) << i;
    return set;
  }

  // A load; true when it ends the phase: then decide() and advance() follow, with no load between.
  bool load(std::uint64_t block_address, bool miss) {
    if (phase_ == AdiPhase::idle) return !p_.steered && ++idle_loads_ == p_.idle;
    if (phase_ == AdiPhase::selection || miss) samples_.push_back(block_address);
    return samples() == p_.period;
  }

  // Sel can change with the load of this number from here on, and with none before.
  std::int64_t loads_to_change() const {
    if (phase_ == AdiPhase::selection) return p_.period - samples();
    if (phase_ == AdiPhase::idle && p_.steered) return std::numeric_limits<std::int64_t>::max();
    const std::int64_t before =
        phase_ == AdiPhase::idle ? p_.idle - idle_loads_ + p_.period : p_.period - samples();
    return before + p_.period;
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
        events_.agreed += best_by_period() == winner_;
        sel_[victim_] = winner_;
        phase_ = p_.idle || p_.steered ? AdiPhase::idle : AdiPhase::victimization;
        break;
      case AdiPhase::idle:
        ++events_.idles;
        phase_ = AdiPhase::victimization;
    }
    samples_.clear();
    idle_loads_ = 0;
  }

  // All of that at once, for models without time; true when sel changed and the cache must be flushed.
  bool access(std::uint64_t block_address, bool miss) {
    if (!load(block_address, miss)) return false;
    decide();
    const bool flush = changes_sel();
    advance();
    return flush;
  }

  // Counted over the samples so far: those with index bit i 1, and those with a pair of them equal.
  int ones(int i) const {
    return static_cast<int>(std::ranges::count_if(samples_, [&](auto b) { return bit(b, sel_[i]) == 1; }));
  }
  int equal(int i, int j) const {
    return static_cast<int>(
        std::ranges::count_if(samples_, [&](auto b) { return bit(b, sel_[i]) == bit(b, sel_[j]); }));
  }
  // Of an address bit, as selection counted them at its end.
  int changes(int a) const { return changes_[a]; }
  // Address bits that may replace the victim, with the victim's own, and the other index bits.
  std::vector<int> candidates() const { return bits_that(true); }
  std::vector<int> kept() const { return bits_that(false); }

  // A round of a steered core from its first sample on, in any state.
  void begin() {
    phase_ = AdiPhase::victimization;
    samples_.clear();
  }

  // Of the samples so far.
  int entropy(int i) const {
    return folded([i = sel_[i], this](std::uint64_t b) { return bit(b, i) != 0; });
  }
  int correlation(int i, int j) const {
    return samples() -
           folded([i = sel_[i], j = sel_[j], this](std::uint64_t b) { return bit(b, i) == bit(b, j); });
  }

  // The winner by the mean relative period itself; to be asked between decide() and advance(), in selection.
  int exact_winner() {
    split();
    return best_by_period();
  }

  // Mean relative period of one address bit over the samples, for examples.
  double mean_relative_period(int a) {
    split();
    const auto sums = relative_periods();
    const auto clusters = std::ranges::count_if(clusters_, [](const Blocks& b) { return !b.empty(); });
    return static_cast<double>(sums[a]) / static_cast<double>(clusters);
  }

 private:
  using Blocks = std::vector<std::uint64_t>;

  unsigned bit(std::uint64_t block_address, int address_bit) const {
    return static_cast<unsigned>(block_address >> (address_bit - offset_) & 1);
  }

  int samples() const { return static_cast<int>(samples_.size()); }

  std::vector<int> bits_that(bool may_move) const {
    std::vector<int> bits;
    for (int a = offset_; a < p_.address_bits; ++a)
      if ((a == sel_[victim_] || !std::ranges::count(sel_, a)) == may_move) bits.push_back(a);
    return bits;
  }

  // min(n, T - n) of the n samples for which the claim holds.
  template <class Claim>
  int folded(Claim holds) const {
    const auto n = static_cast<int>(std::ranges::count_if(samples_, holds));
    return std::min(n, samples() - n);
  }

  void choose_victim() {
    std::vector<int> usefulness;
    for (int i = 0; i < index_bits(); ++i) usefulness.push_back(entropy(i));
    const auto lowest = std::ranges::min_element(usefulness);
    int highest = -1, first = 0, second = 0;  // correlation, and its pair
    for (int i = 0; i < index_bits(); ++i)
      for (int j = i + 1; j < index_bits(); ++j)
        if (const int c = correlation(i, j); c > highest) highest = c, first = i, second = j;
    events_.full_counts += all_alike();
    if (highest < 0) {  // one index bit: no pair
      victim_ = 0;
    } else if (*lowest < p_.period - highest) {
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
    for (int i = 0; i < index_bits(); ++i) {
      if (always([&](std::uint64_t b) { return bit(b, sel_[i]) == 1; })) return true;
      for (int j = i + 1; j < index_bits(); ++j)
        if (always([&](std::uint64_t b) { return bit(b, sel_[i]) == bit(b, sel_[j]); })) return true;
    }
    return false;
  }

  // The samples in order, clustered by the index bits that stay.
  void split() {
    for (Blocks& cluster : clusters_) cluster.clear();
    for (const auto b : samples_) {
      unsigned index = 0;
      for (int i = 0; i < index_bits(); ++i)
        if (i != victim_) index = 2 * index + bit(b, sel_[i]);
      clusters_[index].push_back(b);
    }
  }

  // How often each address bit changes from one block to the next.
  void add_changes(const Blocks& blocks, std::array<int, 64>& changes) const {
    for (std::size_t k = 1; k < blocks.size(); ++k)
      for (std::uint64_t moved = blocks[k] ^ blocks[k - 1]; moved; moved &= moved - 1)
        if (const int a = std::countr_zero(moved) + offset_; a < p_.address_bits) ++changes[a];
  }

  // Of each address bit the mean lengths of its runs, added up over the clusters.
  std::array<long double, 64> relative_periods() const {
    std::array<long double, 64> sums{};
    for (const Blocks& blocks : clusters_) {
      if (blocks.empty()) continue;
      std::array<int, 64> changes{};
      add_changes(blocks, changes);
      for (int a = offset_; a < p_.address_bits; ++a)
        sums[a] += static_cast<long double>(blocks.size()) / static_cast<long double>(changes[a] + 1);
    }
    return sums;
  }

  // The candidate with the highest score; of equal ones the victim's, else the lowest.
  template <class Score>
  int best_candidate(Score score) const {
    const int old = sel_[victim_];
    int best = old;
    auto most = score(old);
    constexpr double same = 1e-12;  // equal sums of fractions may differ by rounding
    for (int a = offset_; a < p_.address_bits; ++a) {
      if (std::ranges::count(sel_, a)) continue;
      if (const auto s = score(a); s > most + same) most = s, best = a;
    }
    return best;
  }

  int best_by_period() const {
    const auto sums = relative_periods();
    return best_candidate([&](int a) { return -sums[a]; });  // the mean's divisor is the same for all
  }

  void choose_winner() {
    split();
    changes_ = {};
    for (const Blocks& blocks : clusters_) add_changes(blocks, changes_);
    winner_ = best_candidate([&](int a) { return changes_[a]; });
  }

  hw::AdiMonitorParams p_;
  int offset_;
  std::vector<int> sel_;
  AdiPhase phase_ = AdiPhase::victimization;
  Blocks samples_;
  std::vector<Blocks> clusters_;
  std::array<int, 64> changes_{};
  std::int64_t idle_loads_ = 0;
  int victim_ = 0, winner_;
  AdiEvents events_;
};

// The core in time, by the contract of adi_monitor_params.h.
class AdiMonitor {
 public:
  explicit AdiMonitor(const hw::AdiMonitorParams& p) : core_(p) {}

  struct In {
    bool probe_valid = false;
    std::uint64_t probe_block_address = 0;
    bool probe_miss = false;
    bool flush_ready = false;
    bool adi_start = false;  // of a steered monitor
  };

  // Outputs of the current cycle; they do not depend on its inputs.
  std::span<const int> sel() const { return core_.sel(); }
  bool flush_valid() const { return deciding_ && search_left_ == 0 && core_.changes_sel(); }

  // Of a steered monitor: a round ends in the current cycle, with these inputs.
  bool round_done(const In& in) const {
    if (in.adi_start || start_waits_ || core_.phase() != AdiPhase::selection || !deciding_) return false;
    return core_.changes_sel() ? search_left_ == 0 && in.flush_ready : search_left_ == 1;
  }

  // The inputs of the current cycle; the next one begins.
  void clock(const In& in) {
    start_waits_ |= in.adi_start;
    if (start_waits_ && (!flush_valid() || in.flush_ready)) {
      if (flush_valid()) core_.advance();
      core_.begin();
      deciding_ = start_waits_ = false;
      search_left_ = 0;
    } else if (search_left_) {
      if (--search_left_ == 0 && core_.phase() == AdiPhase::victimization) finish();
    } else if (deciding_) {
      if (!flush_valid() || in.flush_ready) finish();
    } else if (in.probe_valid && core_.load(in.probe_block_address, in.probe_miss)) {
      core_.decide();
      deciding_ = true;
      if (core_.phase() == AdiPhase::victimization)
        search_left_ = victim_search();
      else if (core_.phase() == AdiPhase::selection)
        search_left_ = winner_search();
      else
        finish();
    }
  }

  // Cycles of the searches.
  int victim_search() const {
    const int s = core_.index_bits();
    return s == 1 ? 1 : s * (s + 1) / 2 + core_.block_bits() + 5;
  }
  int winner_search() const { return core_.block_bits() + 3; }

  const AdiCore& core() const { return core_; }
  enum class Step { victimization, victim_search, selection, winner_search, flush, idle };
  Step step() const {
    if (core_.phase() == AdiPhase::idle) return Step::idle;
    if (core_.phase() == AdiPhase::victimization)
      return deciding_ ? Step::victim_search : Step::victimization;
    return !deciding_ ? Step::selection : search_left_ ? Step::winner_search : Step::flush;
  }

  // Counters, and the positions of index bits among them, are compared in the last cycle of their search.
  void publish(StateList& list, const std::string& part) const {
    const auto number = [](std::size_t n) { return static_cast<unsigned>(n); };
    const auto s = number(core_.sel().size());
    list.value(part + "sel", state_bits(number(core_.params().address_bits)), {.parts = {{"index bit", s}}},
               [this](unsigned, unsigned i) { return static_cast<unsigned>(core_.sel()[i]); });
    list.value(part + "phase", 3, {}, [this](unsigned, unsigned) { return static_cast<unsigned>(step()); });
    const auto found = [this](Step search, auto of) {
      return [this, search, of](unsigned, unsigned n) -> MayCount {
        if (step() != search || search_left_ != 1) return {};
        return static_cast<std::uint64_t>(of(n));
      };
    };
    const int bits = core_.params().counter_bits;
    const auto candidates = number(core_.candidates().size());
    list.value(part + "selection.changes", bits, {.parts = {{"candidate", candidates}}},
               found(Step::winner_search,
                     [this](unsigned n) { return counter(core_.changes(core_.candidates()[n])); }));
    if (s == 1) return;
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < core_.index_bits(); ++i)
      for (int j = i + 1; j < core_.index_bits(); ++j) pairs.emplace_back(i, j);
    list.value(
        part + "victimization.ones", bits, {.parts = {{"index bit", s}}},
        found(Step::victim_search, [this](unsigned n) { return counter(core_.ones(static_cast<int>(n))); }));
    list.value(part + "victimization.equal", bits, {.parts = {{"pair", number(pairs.size())}}},
               found(Step::victim_search, [this, pairs](unsigned n) {
                 return counter(core_.equal(pairs[n].first, pairs[n].second));
               }));
    list.value(part + "selection.gap", state_bits(candidates + 1), {.parts = {{"kept index bit", s - 1}}},
               found(Step::winner_search, [this](unsigned n) {
                 const int kept = core_.kept()[n];
                 return std::ranges::count_if(core_.candidates(), [kept](int a) { return a < kept; });
               }));
  }

 private:
  void finish() {
    core_.advance();
    deciding_ = false;
  }

  // T = 2^M wraps to 0.
  int counter(int count) const { return count & ((1 << core_.params().counter_bits) - 1); }

  AdiCore core_;
  bool deciding_ = false;     // between a phase's last load and the next phase
  bool start_waits_ = false;  // for the flush
  int search_left_ = 0;       // cycles
};

}  // namespace golden
