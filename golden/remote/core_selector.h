// Golden core selector: which cores are searched for a line, and by how many probes, cycle by cycle (DC-L1
// thesis, section 3.3.3; docs/contracts/remote-core.md). A list is drawn as it begins and known when it is
// complete.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "golden/state.h"
#include "hw/remote/core_selector_params.h"

namespace golden {

// Who is searched for a line: so many probes, and their targets in the order of the search.
struct CoreList {
  int probes = 0;
  std::vector<int> targets = {};
};

// What is remembered of cores' replies, and how cores are drawn by it.
class CoreDraw {
 public:
  explicit CoreDraw(const hw::CoreSelectorParams& p) : p_(p) { reset(); }

  std::uint16_t state() const { return state_; }
  const std::vector<int>& counts() const { return counts_; }
  const std::vector<int>& weights() const { return weights_; }

  void reset() {
    state_ = static_cast<std::uint16_t>(0xACE1 ^ p_.core << 10);
    clear();
  }
  void clear() {
    counts_.assign(static_cast<std::size_t>(p_.cores), 0);
    weights_.assign(static_cast<std::size_t>(p_.cores), 1);
    own(weights_) = 0;
  }

  void count(int core) {
    int& replies = counts_[static_cast<std::size_t>(core)];
    replies = std::min(replies + 1, (1 << p_.count_bits) - 1);
  }

  // Counts become weights, and begin again.
  void double_counts() {
    std::ranges::transform(counts_, weights_.begin(), [](int count) { return 2 * count; });
    std::ranges::fill(counts_, 0);
  }
  void fill_gaps() {
    int least = 0;
    for (const int weight : weights_)
      if (weight && (least == 0 || weight < least)) least = weight;
    for (int& weight : weights_)
      if (weight == 0) weight = std::max(1, least / 2);
    own(weights_) = 0;
  }

  // Steps the LFSR as one number is used.
  std::uint32_t number() {
    const std::uint16_t before = state_;
    for (int step = 0; step < 16; ++step) {
      const int in = (state_ ^ state_ >> 2 ^ state_ >> 3 ^ state_ >> 5) & 1;
      state_ = static_cast<std::uint16_t>(state_ >> 1 | in << 15);
    }
    return before;
  }

  // A core that is not among these.
  int core(const std::vector<int>& drawn) {
    std::vector<int> weights = weights_;
    for (const int core : drawn) weights[static_cast<std::size_t>(core)] = 0;
    std::uint64_t total = 0;
    for (const int weight : weights) total += static_cast<unsigned>(weight);
    std::uint64_t left = number() * total >> 16;
    for (int c = 0;; ++c) {
      const auto weight = static_cast<unsigned>(weights[static_cast<std::size_t>(c)]);
      if (left < weight) return c;
      left -= weight;
    }
  }

  CoreList begun_list() {
    const bool all = number() < hw::probability_65536ths(p_);
    return {.probes = all ? p_.probes : p_.probes - 1};
  }
  void add_target(CoreList& list) {
    const int behind = p_.core + 1 + static_cast<int>(list.targets.size());
    list.targets.push_back(p_.kind == hw::SelectorKind::supplier ? core(list.targets) : behind % p_.cores);
  }

 private:
  int& own(std::vector<int>& of) { return of[static_cast<std::size_t>(p_.core)]; }

  hw::CoreSelectorParams p_;
  std::uint16_t state_ = 0;
  std::vector<int> counts_, weights_;  // by core; this core's own weight is 0
};

class CoreSelector {
 public:
  struct In {
    bool take = false, reply = false;
    int core = 0;  // of the reply
    bool clear = false;
  };
  using List = CoreList;

  explicit CoreSelector(const hw::CoreSelectorParams& p) : p_(p), draw_(p) {}

  bool valid() const { return valid_; }
  // Targets that are not drawn yet are missing.
  const List& list() const { return list_; }
  bool roll() const { return roll_; }
  const CoreDraw& cores() const { return draw_; }
  // Cycle of the list under way, from 0 on, without those of a roll.
  std::optional<int> cycle_of_list() const { return busy_ ? std::optional(step_) : std::nullopt; }
  int cycle() const { return cycle_; }

  void reset() {
    draw_.reset();
    restart();
  }

  void edge(const In& in) {
    if (in.clear) {
      draw_.clear();
      return restart();
    }
    const bool rolls = advance(in.take);
    if (in.reply) draw_.count(in.core);
    if (rolls) roll_ = false;
    if (++cycle_ == p_.period) cycle_ = 0, roll_ = true;
  }

  void publish(StateList& list) const {
    const auto number = [&](const char* name, int width, const auto& of) {
      list.value(name, width, {}, [of](unsigned, unsigned) { return static_cast<std::uint64_t>(of()); });
    };
    number("cycle", std::bit_width(static_cast<unsigned>(p_.period) - 1), [this] { return cycle_; });
    number("roll", 1, [this] { return roll_; });
    number("valid", 1, [this] { return valid_; });
    number("lfsr", 16, [this] { return draw_.state(); });
    if (p_.kind == hw::SelectorKind::index) return;
    const StatePlace others{.parts = {{"other", static_cast<unsigned>(p_.cores) - 1}}};
    const auto each = [&](const char* name, int width, const std::vector<int>& of) {
      list.value(name, width, others, [this, &of](unsigned, unsigned other) {
        const auto core = other < static_cast<unsigned>(p_.core) ? other : other + 1;
        return static_cast<std::uint64_t>(of[core]);
      });
    };
    each("cores.count", p_.count_bits, draw_.counts());
    each("cores.weight", p_.count_bits + 1, draw_.weights());
  }

 private:
  void restart() {
    valid_ = busy_ = roll_ = false;
    cycle_ = step_ = 0;
    list_ = {};
  }

  // Weights become twice the counts, then those without a reply get theirs. With stages each of both is
  // behind or before a pass over all cores, of a cycle a core and one more.
  int pass() const { return p_.stages ? p_.cores + 1 : 0; }
  int first_roll() const { return -2 * pass() - 2; }

  // A cycle of the list; whether counts become weights in it.
  bool advance(bool take) {
    if (!busy_) {
      if (valid_ && !take) return false;
      valid_ = false;
      busy_ = true;
      step_ = roll_ ? first_roll() : 0;
    }
    const int step = step_++;
    if (step == first_roll()) draw_.double_counts();
    if (step == first_roll() + 1 + pass()) draw_.fill_gaps();
    if (step == 0) list_ = draw_.begun_list();
    // A pipelined selector adds up weights in the first cycle of a target and takes the number in the second.
    const int target_cycles = 2 + p_.stages, number_cycle = p_.stages ? 2 : 1;
    if (step > 0 && step % target_cycles == number_cycle) draw_.add_target(list_);
    if (step == target_cycles * p_.coverage) busy_ = false, valid_ = true;
    return step == first_roll();
  }

  hw::CoreSelectorParams p_;
  CoreDraw draw_;
  List list_;
  bool valid_ = false, busy_ = false, roll_ = false;
  int cycle_ = 0, step_ = 0;
};

}  // namespace golden
