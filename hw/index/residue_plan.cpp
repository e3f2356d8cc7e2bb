#include "hw/index/residue_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include "hw/index/residue_weights.h"

namespace hw {
namespace {

using Kind = PlanStep::Kind;

int bits_of(std::uint64_t value) { return std::bit_width(value); }

class Planner {
 public:
  Planner(int address_bits, int index_bits) {
    plan_.address_bits = address_bits;
    plan_.index_bits = k_ = index_bits;
    plan_.prime = p_ = largest_prime(index_bits);
    c_ = (1 << k_) - p_;
  }

  ResiduePlan parity() {
    section_ = "The prime is 2: the remainder is the lowest bit.";
    add({.kind = Kind::row,
         .name = "remainder",
         .doc = "the set index",
         .width = 1,
         .bits = {{.address_bit = 0}}});
    return std::move(plan_);
  }

  // p = 2^S - 1.
  ResiduePlan end_around() {
    section_ = fmt::format(
        "Digits: 2^{} = 1 (mod {}), so the remainder of the block address is that of the sum of its {}-bit "
        "digits.",
        k_, p_, k_);
    for (int low = 0; low < plan_.address_bits; low += k_) {
      const int high = std::min(low + k_, plan_.address_bits) - 1;
      std::vector<RowBit> bits(k_);
      for (int j = low; j <= high; ++j) bits[j - low].address_bit = j;
      rows_.push_back(add({.kind = Kind::row,
                           .name = fmt::format("digit_{}", low / k_),
                           .doc = fmt::format("address bits {} to {}", low, high),
                           .width = k_,
                           .bits = bits}));
    }
    section_ = fmt::format(
        "Carry-save adders with end-around carry: a carry out of column {} weighs 2^{} = 1 and re-enters at "
        "column 0.",
        k_ - 1, k_);
    while (rows_.size() > 2) carry_save(true);
    const int x = rows_[0], y = rows_[1];
    section_ = fmt::format(
        "Last addition: a sum of {} or more takes an end-around carry, which also turns {} into 0.", p_, p_);
    const int plus_one = add({.kind = Kind::add,
                              .name = "plus_one",
                              .doc = "its top bit: the two rows sum to p or more",
                              .width = k_ + 1,
                              .from = {whole(x), whole(y)},
                              .value = 1,
                              .delay = 9});
    const int wrap = add({.kind = Kind::bits,
                          .name = "wrap",
                          .doc = "the end-around carry",
                          .width = 1,
                          .from = {{.step = plus_one, .high = k_, .low = k_}}});
    const bool can_fill = plan_.address_bits % k_ == 0;
    const int around =
        add({.kind = Kind::add,
             .name = can_fill ? "wrapped_sum" : "remainder",
             .doc = can_fill ? "the remainder, but for an address of ones only" : "the set index",
             .width = k_,
             .from = {whole(x), whole(y), whole(wrap)},
             .delay = 10});
    if (!can_fill) return std::move(plan_);
    // Two rows of ones arise only from digits of ones: a digit with a column to spare keeps one of them
    // below.
    const int full = add({.kind = Kind::all_ones,
                          .name = "rows_full",
                          .doc = fmt::format("they sum to {}, twice p", 2 * p_),
                          .width = 1,
                          .from = {whole(x), whole(y)},
                          .delay = 4});
    add({.kind = Kind::clear,
         .name = "remainder",
         .doc = "the set index",
         .width = k_,
         .from = {whole(around), whole(full)},
         .delay = 2});
    return std::move(plan_);
  }

  // Any p: residues written in S + spare columns.
  ResiduePlan compression(int spare) {
    std::uint64_t max = residue_rows(k_ + spare);
    section_ = "Carry-save adders: a sum row and a carry row replace three rows.";
    while (rows_.size() > 2) carry_save(false);
    section_.clear();
    int value = rows_[0];
    if (rows_.size() == 2)
      value = add({.kind = Kind::add,
                   .name = "total",
                   .doc = fmt::format("congruent to the block address, at most {}", max),
                   .width = bits_of(max),
                   .from = {whole(rows_[0]), whole(rows_[1])},
                   .delay = 8 + bits_of(max) / 8});
    const std::uint64_t p = static_cast<std::uint64_t>(p_);
    for (int n = 1; max >= 3 * p; ++n) value = fold(value, max, n);
    section_ =
        fmt::format("Last step: subtract {} as often as it fits, that is, add {} modulo 2^{}.", p_, c_, k_);
    PlanStep last{.kind = Kind::correct,
                  .name = "remainder",
                  .doc = "the set index",
                  .width = k_,
                  .from = {{.step = value, .high = k_ - 1}},
                  .value = static_cast<std::uint64_t>(c_),
                  .delay = 8};
    for (std::uint64_t multiple = p; multiple <= max; multiple += p)
      last.from.push_back(whole(add({.kind = Kind::reaches,
                                     .name = fmt::format("reaches_{}", multiple),
                                     .doc = multiple == p ? "the prime fits" : "it fits twice",
                                     .width = 1,
                                     .from = {whole(value)},
                                     .value = multiple,
                                     .delay = 5})));
    plan_.cost += 50 * k_;
    add(last);
    return std::move(plan_);
  }

 private:
  enum class Fill : char { zero, variable, one };

  PlanOperand whole(int step) const { return {.step = step, .high = plan_.steps[step].width - 1}; }

  int add(PlanStep step) {
    for (const PlanOperand& x : step.from) step.arrival = std::max(step.arrival, plan_.steps[x.step].arrival);
    step.arrival += step.delay;
    step.section = std::exchange(section_, "");
    plan_.steps.push_back(std::move(step));
    return static_cast<int>(plan_.steps.size()) - 1;
  }

  // The bits' residues, stacked by columns into rows; returns the largest sum.
  std::uint64_t residue_rows(int columns) {
    std::vector<std::vector<RowBit>> stacks(columns + 8);
    std::vector<Powers> weights;
    std::uint64_t max = 0, constant = 0;
    std::int64_t residue = 1;
    for (int j = 0; j < plan_.address_bits; ++j, residue = residue * 2 % p_) {
      weights.push_back(fewest_powers(residue, p_, columns));
      std::uint64_t added = 0, subtracted = 0;
      for (const Power& power : weights.back()) {
        stacks[power.column].push_back({.address_bit = j, .inverted = power.subtracted});
        (power.subtracted ? subtracted : added) += std::uint64_t{1} << power.column;
      }
      max += std::max(added, subtracted);
      constant += subtracted;
    }
    // An inverted bit is 1 - bit, so its column is counted once too often.
    constant = (p_ - constant % p_) % p_;
    for (std::uint64_t other = constant; other < std::uint64_t{1} << columns; other += p_)
      if (std::popcount(other) < std::popcount(constant)) constant = other;
    for (const Power& power : binary_powers(constant)) stacks[power.column].push_back({.one = true});
    max += constant;

    section_ =
        fmt::format("Rows: address bit j weighs 2^j mod {}, written with the fewest powers of two: {}.", p_,
                    weights_text(weights));
    if (constant != 0)
      section_ += fmt::format(
          " A subtracted power is an inverted bit less a constant; the constants sum to {}.", constant);
    std::size_t rows = 0;
    for (const auto& stack : stacks) rows = std::max(rows, stack.size());
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<RowBit> bits(bits_of(max));
      std::vector<Fill> fill(bits.size(), Fill::zero);
      for (std::size_t column = 0; column < bits.size(); ++column) {
        if (stacks[column].size() <= r) continue;
        bits[column] = stacks[column][r];
        fill[column] = bits[column].one ? Fill::one : Fill::variable;
      }
      rows_.push_back(add({.kind = Kind::row,
                           .name = fmt::format("row_{}", r),
                           .doc = fmt::format("addend {} of {}", r + 1, rows),
                           .width = bits_of(max),
                           .bits = bits}));
      fills_.push_back(fill);
    }
    return max;
  }

  // The three oldest rows become two.
  void carry_save(bool around) {
    const int n = ++adders_, x = rows_[0], y = rows_[1], z = rows_[2];
    const int width = plan_.steps[x].width;
    rows_.erase(rows_.begin(), rows_.begin() + 3);
    const std::vector<PlanOperand> from{whole(x), whole(y), whole(z)};
    const auto name = [&](int step) { return plan_.steps[step].name; };
    rows_.push_back(add({.kind = Kind::sum,
                         .name = fmt::format("sum_{}", n),
                         .doc = fmt::format("and carry_{}: {} + {} + {}", n, name(x), name(y), name(z)),
                         .width = width,
                         .from = from,
                         .delay = 4}));
    if (around) {
      const int majority = add({.kind = Kind::majority,
                                .name = fmt::format("majority_{}", n),
                                .doc = "its carries",
                                .width = width,
                                .from = from,
                                .delay = 4});
      rows_.push_back(add({.kind = Kind::around,
                           .name = fmt::format("carry_{}", n),
                           .doc = "into the next columns, the top one around",
                           .width = width,
                           .from = {whole(majority)}}));
      return;
    }
    rows_.push_back(add(
        {.kind = Kind::carry, .name = fmt::format("carry_{}", n), .width = width, .from = from, .delay = 4}));
    count_adders(width);
  }

  // Estimates the cost of the oldest three rows' adder from the columns that can be other than 0.
  void count_adders(int width) {
    std::vector<Fill> sum(width, Fill::zero), carry(width, Fill::zero);
    for (int column = 0; column < width; ++column) {
      int variable = 0, one = 0;
      for (int r = 0; r < 3; ++r) {
        variable += fills_[r][column] == Fill::variable;
        one += fills_[r][column] == Fill::one;
      }
      plan_.cost += variable == 3 ? 70 : variable == 2 ? 34 : 0;
      if (variable + one > 0) sum[column] = Fill::variable;
      if (variable + one > 1 && column + 1 < width) carry[column + 1] = Fill::variable;
    }
    fills_.erase(fills_.begin(), fills_.begin() + 3);
    fills_.push_back(sum);
    fills_.push_back(carry);
    if (fills_.size() == 2)
      for (int column = 0; column < width; ++column)
        plan_.cost += fills_[0][column] != Fill::zero && fills_[1][column] != Fill::zero ? 90 : 0;
  }

  // value = high * 2^S + low becomes low + high * c, since 2^S = c (mod p); `max` becomes the largest result.
  int fold(int value, std::uint64_t& max, int n) {
    const int width = bits_of(max);
    const std::uint64_t high = max >> k_, low = max & ((std::uint64_t{1} << k_) - 1);
    const Powers powers =
        signed_powers(c_).size() < binary_powers(c_).size() ? signed_powers(c_) : binary_powers(c_);
    section_ = fmt::format("Fold: 2^{} = {} (mod {}).", k_, c_, p_);
    PlanStep step{.kind = Kind::add, .name = n == 1 ? "folded" : fmt::format("folded_{}", n)};
    step.from.push_back({.step = value, .high = k_ - 1});
    for (auto power = powers.rbegin(); power != powers.rend(); ++power)
      step.from.push_back({.step = value,
                           .high = width - 1,
                           .low = k_,
                           .shift = power->column,
                           .subtracted = power->subtracted});
    max = std::max((std::uint64_t{1} << k_) - 1 + c_ * (high - 1), low + c_ * high);
    step.width = bits_of(max);
    step.doc = fmt::format("at most {}", max);
    step.delay = 8 + 3 * static_cast<int>(powers.size() - 1);
    plan_.cost += 70 * static_cast<int>(powers.size()) * (width - k_) + 34 * (step.width - (width - k_));
    return add(std::move(step));
  }

  ResiduePlan plan_;
  int k_ = 0, p_ = 0, c_ = 0;            // S; p; 2^S - p
  std::deque<int> rows_;                 // steps still to be added, oldest first
  std::deque<std::vector<Fill>> fills_;  // beside rows_
  int adders_ = 0;
  std::string section_;
};

}  // namespace

int largest_prime(int index_bits) {
  const auto prime = [](int n) {
    for (int d = 2; d * d <= n; ++d)
      if (n % d == 0) return false;
    return true;
  };
  int p = 1 << index_bits;
  while (!prime(p)) --p;
  return p;
}

ResiduePlan residue_plan(int address_bits, int index_bits) {
  if (index_bits == 1) return Planner(address_bits, index_bits).parity();
  if (largest_prime(index_bits) == (1 << index_bits) - 1)
    return Planner(address_bits, index_bits).end_around();
  // More columns leave fewer powers to add, but a larger total to fold.
  ResiduePlan best = Planner(address_bits, index_bits).compression(0);
  for (int spare = 1; spare <= 4; ++spare)
    if (ResiduePlan other = Planner(address_bits, index_bits).compression(spare); other.cost < best.cost)
      best = std::move(other);
  return best;
}

}  // namespace hw
