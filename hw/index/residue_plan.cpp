#include "hw/index/residue_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <ranges>
#include <utility>

#include "hw/index/residue_weights.h"

namespace hw {
namespace {

using Kind = PlanStep::Kind;

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
    add_row("remainder", "the set index", {{.address_bit = 0}});
    return std::move(plan_);
  }

  // p = 2^S - 1.
  ResiduePlan end_around() {
    section_ = fmt::format("Digits of {} bits: 2^{} = 1 (mod {}), so each of them weighs 1.", k_, k_, p_);
    for (int low = 0; low < plan_.address_bits; low += k_) {
      const int high = std::min(low + k_, plan_.address_bits) - 1;
      std::vector<RowBit> bits(k_);
      for (int j = low; j <= high; ++j) bits[j - low].address_bit = j;
      rows_.push_back(add_row(
          fmt::format("digit_{}", low / k_),
          low == high ? fmt::format("address bit {}", low) : fmt::format("address bits {} to {}", low, high),
          bits));
    }
    section_ = fmt::format(
        "Carry-save adders: a sum row and a carry row replace three rows. A carry out of column {} weighs "
        "2^{} = 1 and re-enters at column 0.",
        k_ - 1, k_);
    while (rows_.size() > 2) carry_save(true);

    const PlanOperand x = whole(rows_[0]), y = whole(rows_[1]);
    section_ = fmt::format("Last addition: from {} up it wraps around, so that {} becomes 0.", p_, p_);
    const int plus_one =
        add(Kind::add, "plus_one", fmt::format("carries out when the rows sum to {} or more", p_), k_ + 1,
            {x, y}, 9, 1);
    const int wrap =
        add(Kind::bits, "wrap", "the end-around carry", 1, {{.step = plus_one, .high = k_, .low = k_}}, 0);
    // Two rows of ones arise only from digits of ones: a digit with a column to spare rules them out.
    const bool can_fill = plan_.address_bits % k_ == 0;
    const int sum = add(Kind::add, can_fill ? "wrapped_sum" : "remainder",
                        can_fill ? "the set index, unless both rows are ones" : "the set index", k_,
                        {x, y, whole(wrap)}, 10);
    if (!can_fill) return std::move(plan_);
    const int full = add(Kind::all_ones, "rows_full",
                         fmt::format("rows that sum to {}, twice {}", 2 * p_, p_), 1, {x, y}, 4);
    add(Kind::clear, "remainder", "the set index", k_, {whole(sum), whole(full)}, 2);
    return std::move(plan_);
  }

  // Any p: residues written in S + spare columns.
  ResiduePlan compression(int spare, int lift) {
    std::uint64_t max = residue_rows(k_ + spare, lift);
    section_ = "Carry-save adders: a sum row and a carry row replace three rows.";
    while (rows_.size() > 2) carry_save(false);
    section_.clear();
    int value = rows_[0];
    if (rows_.size() == 2) {
      const int width = plan_.steps[value].width;
      value = add(Kind::add, "total", fmt::format("congruent to the block address, at most {}", max), width,
                  {whole(rows_[0]), whole(rows_[1])}, 8 + width / 8);
      count_addition(width);
    }
    const auto p = static_cast<std::uint64_t>(p_), c = static_cast<std::uint64_t>(c_);
    for (int n = 1; max >= 3 * p; ++n) value = fold(value, max, n);

    section_ =
        fmt::format("Remainder: subtract {} as often as it fits, that is, add {} modulo 2^{}.", p_, c_, k_);
    std::vector<PlanOperand> from{{.step = value, .high = k_ - 1}};
    for (std::uint64_t multiple = p; multiple <= max; multiple += p)
      from.push_back(whole(add(Kind::reaches, fmt::format("reaches_{}", multiple),
                               multiple == p ? "the prime fits" : "the prime fits twice", 1, {whole(value)},
                               5, multiple)));
    add(Kind::correct, "remainder", "the set index", k_, from, 8, c);
    plan_.cost += 50 * k_ + 100 * static_cast<int>(from.size() - 2);
    return std::move(plan_);
  }

 private:
  enum class Fill : char { zero, variable, one };

  PlanOperand whole(int step) const { return {.step = step, .high = plan_.steps[step].width - 1}; }

  int append(PlanStep step) {
    step.section = std::exchange(section_, "");
    plan_.steps.push_back(std::move(step));
    return static_cast<int>(plan_.steps.size()) - 1;
  }

  int add_row(std::string name, std::string doc, std::vector<RowBit> bits) {
    PlanStep step{.kind = Kind::row, .name = std::move(name), .doc = std::move(doc)};
    step.width = static_cast<int>(bits.size());
    step.bits = std::move(bits);
    return append(std::move(step));
  }

  int add(Kind kind, std::string name, std::string doc, int width, std::vector<PlanOperand> from, int delay,
          std::uint64_t value = 0) {
    PlanStep step{.kind = kind, .name = std::move(name), .doc = std::move(doc), .width = width};
    for (const PlanOperand& x : from) step.arrival = std::max(step.arrival, plan_.steps[x.step].arrival);
    step.arrival += delay;
    step.delay = delay;
    step.from = std::move(from);
    step.value = value;
    return append(std::move(step));
  }

  // The bits' residues, stacked by columns into rows; returns the largest total. `lift` more multiples of p
  // than needed to keep the total from falling below 0 are added: one of them may have fewer ones in its
  // constant.
  std::uint64_t residue_rows(int columns, int lift) {
    std::vector<std::vector<RowBit>> stacks(columns);
    std::vector<Powers> weights;
    std::int64_t highest = 0, lowest = 0, inverted = 0, residue = 1;
    for (int j = 0; j < plan_.address_bits; ++j, residue = residue * 2 % p_) {
      weights.push_back(j < columns ? Powers{{.column = j}} : fewest_powers(residue, p_, columns));
      std::int64_t weight = 0;
      for (const Power& power : weights.back()) {
        const std::int64_t one = std::int64_t{1} << power.column;
        stacks[power.column].push_back({.address_bit = j, .inverted = power.subtracted});
        weight += power.subtracted ? -one : one;
        inverted += power.subtracted ? one : 0;
      }
      (weight > 0 ? highest : lowest) += weight;
    }
    // A subtracted bit is its inverse less 1.
    const std::int64_t multiples = (p_ - 1 - lowest) / p_ + lift;
    const auto max = static_cast<std::uint64_t>(highest + multiples * p_);
    const int width = std::bit_width(max);
    const std::uint64_t constant = (multiples * p_ - inverted) & ((std::uint64_t{1} << width) - 1);
    stacks.resize(width);
    for (const Power& power : binary_powers(constant)) stacks[power.column].push_back({.one = true});

    section_ =
        fmt::format("Rows: address bit j weighs 2^j mod {}, written with the fewest powers of two; {}.", p_,
                    weights_text(weights));
    if (inverted != 0)
      section_ += fmt::format(
          " A subtracted power is an inverted bit less a constant. The constants{} sum to {} modulo 2^{}.",
          multiples == 0   ? std::string()
          : multiples == 1 ? fmt::format(" and {}, which keeps the total positive,", p_)
                           : fmt::format(" and {} times {}, which keeps the total positive,", multiples, p_),
          constant, width);
    const std::size_t count = std::ranges::max(stacks, {}, &std::vector<RowBit>::size).size();
    for (std::size_t r = 0; r < count; ++r) {
      std::vector<RowBit> bits(width);
      std::vector<Fill> fill(bits.size(), Fill::zero);
      for (std::size_t column = 0; column < bits.size(); ++column) {
        if (stacks[column].size() <= r) continue;
        bits[column] = stacks[column][r];
        fill[column] = bits[column].one ? Fill::one : Fill::variable;
      }
      rows_.push_back(add_row(fmt::format("row_{}", r), fmt::format("addend {} of {}", r + 1, count), bits));
      fills_.push_back(fill);
    }
    return max;
  }

  // The three oldest rows become two.
  void carry_save(bool around) {
    const int n = ++adders_, width = plan_.steps[rows_[0]].width;
    const std::vector<PlanOperand> from{whole(rows_[0]), whole(rows_[1]), whole(rows_[2])};
    const auto name = [&](int row) { return plan_.steps[rows_[row]].name; };
    const std::string sum = fmt::format("sum_{}", n), carry = fmt::format("carry_{}", n);
    const int sum_row =
        add(Kind::sum, sum, fmt::format("with {}: {} + {} + {}", carry, name(0), name(1), name(2)), width,
            from, 4);
    rows_.erase(rows_.begin(), rows_.begin() + 3);
    rows_.push_back(sum_row);
    if (around) {
      const int majority =
          add(Kind::majority, fmt::format("majority_{}", n), "carries of the adder", width, from, 4);
      rows_.push_back(
          add(Kind::around, carry, "into the next columns and around", width, {whole(majority)}, 0));
    } else {
      rows_.push_back(add(Kind::carry, carry, "carries of the adder, into the next columns", width, from, 4));
      count_adders(width);
    }
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
  }

  // Above the first column with two bits, a column with one still passes a carry on.
  void count_addition(int width) {
    bool carries = false;
    for (int column = 0; column < width; ++column) {
      const bool two = fills_[0][column] != Fill::zero && fills_[1][column] != Fill::zero;
      plan_.cost += two ? 90 : carries ? 34 : 0;
      carries |= two;
    }
  }

  // high * 2^S + low becomes low + high * c, since 2^S = c (mod p); `max` becomes the largest result.
  int fold(int value, std::uint64_t& max, int n) {
    const int top = std::bit_width(max) - 1, high_bits = top + 1 - k_;
    const std::uint64_t c = c_, high = max >> k_, low = max & ((std::uint64_t{1} << k_) - 1);
    Powers powers = binary_powers(c);
    if (signed_powers(c_).size() < powers.size()) powers = signed_powers(c_);
    std::vector<PlanOperand> from{{.step = value, .high = k_ - 1}};
    for (const Power& power : powers | std::views::reverse)
      from.push_back(
          {.step = value, .high = top, .low = k_, .shift = power.column, .subtracted = power.subtracted});
    max = std::max((std::uint64_t{1} << k_) - 1 + c * (high - 1), low + c * high);
    const int width = std::bit_width(max), rows = static_cast<int>(powers.size());
    plan_.cost += 70 * rows * high_bits + 34 * (width - high_bits);
    section_ = fmt::format("Fold: 2^{} = {} (mod {}).", k_, c_, p_);
    return add(Kind::add, n == 1 ? "folded" : fmt::format("folded_{}", n), fmt::format("at most {}", max),
               width, from, 5 + 3 * rows);
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
  // One bit more than the index is no digit worth adding: two comparisons do.
  if (largest_prime(index_bits) == (1 << index_bits) - 1 && address_bits > index_bits + 1)
    return Planner(address_bits, index_bits).end_around();
  // More columns leave fewer powers to add, but a larger total to fold.
  ResiduePlan best = Planner(address_bits, index_bits).compression(0, 0);
  for (int spare = 0; spare <= 4; ++spare)
    for (int lift = 0; lift <= 1; ++lift)
      if (ResiduePlan other = Planner(address_bits, index_bits).compression(spare, lift);
          other.cost < best.cost)
        best = std::move(other);
  return best;
}

}  // namespace hw
