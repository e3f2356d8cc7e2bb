#include "hw/shared/dyneb_evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/shared/dyneb_metric.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

// Four rounds of 32 cycles, each a sum or a difference of two products: for each bit of the multipliers, from
// the top, twice the value so far and what the bits of either product add to it, one after the other.
constexpr int round_cycles = 2 * dyneb_count_bits;
static_assert(4 * round_cycles == dyneb_eval_cycles);

class DynebEvaluationBuilder {
 public:
  DynebEvaluationBuilder(const DynebParams& p, const std::string& name)
      : p_(p),
        sum_bits_(dyneb_sum_bits(p)),
        value_bits_(sum_bits_ + dyneb_count_bits + 1),
        m_(name,
           "Compares private and shared sets after a sample, by one sequential multiplier (DC-L1 thesis, "
           "section 4.4.2).") {}

  rtl::Module run() {
    ports();
    const DynebComparison comparison = dyneb_comparison(m_, p_, counts_);
    state();
    operands(comparison);
    step();
    results();
    m_.assign(last_, run_ & rtl::all(cycle_q_));
    m_.assign(verdict_, verdict_q_);
    m_.observe("cycle", cycle_q_);
    m_.observe("verdict", verdict_q_);
    return m_;
  }

 private:
  void ports() {
    const int bits = dyneb_count_bits;
    clear_ = m_.input("clear", 1, "begin again");
    run_ = m_.input("run", 1, "one of the cycles of the comparison");
    const auto group = [&](const std::string& name) {
      return DynebCounts::Group{m_.input(name + "_accesses", bits, "loads of these sets"),
                                m_.input(name + "_misses", bits, "loads that missed"),
                                m_.input(name + "_slice_replies", bits, "replies from slices"),
                                m_.input(name + "_home_replies", bits, "replies from homes")};
    };
    counts_ = {.even = group("even"),
               .odd = group("odd"),
               .sent = m_.input("sent", bits, "own loads of odd sets that went to homes"),
               .sent_missed = m_.input("sent_missed", bits, "loads that missed at their homes")};
    last_ = m_.output("last", 1, "the last cycle of the comparison");
    verdict_ = m_.output("verdict", 1, "shared, as the last comparison found");
  }

  void state() {
    m_.section("The multiplier.");
    cycle_q_ = m_.reg("cycle_q", 7, 0, "cycle of the comparison: round, bit, product");
    addend_q_ = m_.reg("addend_q", sum_bits_, 0, "what the bit of this cycle adds");
    value_q_ = m_.reg("value_q", value_bits_, 0, "value of the round so far; the top bit is the sign");
    small_q_ = m_.data_reg("small_q", sum_bits_, "sum on the side that is smaller where shared is better");
    large_q_ = m_.data_reg("large_q", sum_bits_, "sum on the other side");
    few_q_ = m_.data_reg("few_misses_q", 1, "private sets miss too seldom for a change");
    verdict_q_ = m_.reg("verdict_q", 1, 0, "shared");
    round_ = m_.let("round", cycle_q_.slice(6, 5), "miss rate, small sum, large sum, difference");
  }

  // In the first round and the last the second product is subtracted: the first one's turn adds one more, and
  // its own adds the complement.
  static Expr differs(const Expr& cycle) { return cycle.bit(6) == cycle.bit(5); }

  // By round and product, a cycle ahead. The first bit of all is 0 for any value of the counters.
  void operands(const DynebComparison& c) {
    const auto constant = [](int value) { return lit(dyneb_count_bits, static_cast<std::uint64_t>(value)); };
    const DynebProduct products[] = {{counts_.even.misses, constant(100)},
                                     {counts_.even.accesses, constant(p_.miss_percent)},
                                     c.small.sum[0],
                                     c.small.sum[1],
                                     c.large.sum[0],
                                     c.large.sum[1],
                                     {small_q_, c.small.factor},
                                     {large_q_, c.large.factor}};
    const Expr ahead = m_.let("ahead", cycle_q_ + lit(7, 1), "the next cycle, whose product is chosen now");
    const Expr operand = m_.wire("operand", sum_bits_, "what is multiplied");
    const Expr by = m_.wire("by", dyneb_count_bits, "multiplier of the operand");
    m_.comb("The products of each round.", [&] {
      m_.set(operand, zext(products[0].value, sum_bits_));
      m_.set(by, products[0].by);
      std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
      for (std::size_t k = 1; k < std::size(products); ++k)
        cases.emplace_back(k, [&, product = products[k]] {
          m_.set(operand, zext(product.value, sum_bits_));
          m_.set(by, product.by);
        });
      m_.pick(cat({ahead.slice(6, 5), ahead.bit(0)}), cases, [] {});
    });
    const Expr bit = m_.let("multiplier_bit", by.at(~ahead.slice(4, 1)), "bit of the multiplier");
    m_.clocked("What the next cycle adds.", [&] {
      m_.when(clear_, [&] { m_.set(addend_q_, lit(sum_bits_, 0)); }).otherwise([&] {
        m_.when(run_, [&] {
          m_.set(addend_q_, (operand & rtl::replicate(sum_bits_, bit)) ^
                                rtl::replicate(sum_bits_, ahead.bit(0) & differs(ahead)));
        });
      });
    });
  }

  void step() {
    const Expr second = m_.let("second", cycle_q_.bit(0), "the second product's turn");
    const Expr difference = m_.let("difference", differs(cycle_q_), "the second product is subtracted");
    const Expr doubled = cat({value_q_.slice(value_bits_ - 2, 0), difference});
    const Expr moved_on = m_.let("moved_on", mux(second, value_q_, doubled), "the value, moved on");
    const Expr sign = rtl::replicate(value_bits_ - sum_bits_, second & difference);
    const Expr addend = m_.let("addend", cat({sign, addend_q_}), "what the bit adds");
    next_ = m_.let("next", sum_by_parts(moved_on, addend), "the value with the bit");
    m_.clocked("One product's bit a cycle.", [&] {
      m_.when(clear_, [&] { m_.set(cycle_q_, lit(7, 0)); }).otherwise([&] {
        m_.when(run_, [&] { m_.set(cycle_q_, cycle_q_ + lit(7, 1)); });
      });
    });
    ends_ = m_.let("ends", run_ & rtl::all(cycle_q_.slice(4, 0)), "a round ends");
    m_.clocked("Each round begins with 0.", [&] {
      m_.when(clear_ | ends_, [&] { m_.set(value_q_, lit(value_bits_, 0)); }).otherwise([&] {
        m_.when(run_, [&] { m_.set(value_q_, next_); });
      });
    });
  }

  // In three parts, the upper ones for either carry, since one long sum would be the longest path.
  Expr sum_by_parts(const Expr& a, const Expr& b) {
    const int width = (value_bits_ + 2) / 3;
    Expr sum, carry;
    for (int low = 0; low < value_bits_; low += width) {
      const int high = std::min(low + width, value_bits_) - 1, bits = high - low + 2;
      const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, low); };
      const auto part = [&](const Expr& x) { return zext(x.slice(high, low), bits); };
      Expr here = m_.let(name("part"), part(a) + part(b), fmt::format("sum of the bits from {} on", low));
      if (carry.known()) {
        const Expr with = m_.let(name("part_carried"), part(a) + part(b) + lit(bits, 1), "with a carry");
        here = m_.let(name("part_chosen"), mux(carry, with, here), "as the carry is");
      }
      carry = here.bit(bits - 1);
      const Expr kept = here.slice(bits - 2, 0);
      sum = sum.known() ? cat({kept, sum}) : kept;
    }
    m_.unused("unused_carry", carry, "the value has room for all");
    return sum;
  }

  void results() {
    const Expr negative = m_.let("negative", next_.bit(value_bits_ - 1), "the difference is below 0");
    const Expr sum = next_.slice(sum_bits_ - 1, 0);
    const Expr apart = m_.let("comparable", rtl::any(counts_.even.accesses) & rtl::any(counts_.odd.accesses),
                              "both groups have been looked up");
    m_.clocked("What the rounds come to.", [&] {
      m_.when(ends_, [&] {
        m_.pick(round_,
                {{m_.constant("ROUND_MISS_RATE", 2, 0), [&] { m_.set(few_q_, negative); }},
                 {m_.constant("ROUND_SMALL_SUM", 2, 1), [&] { m_.set(small_q_, sum); }},
                 {m_.constant("ROUND_LARGE_SUM", 2, 2), [&] { m_.set(large_q_, sum); }}},
                [] {});
      });
    });
    m_.clocked("The verdict.", [&] {
      m_.when(clear_, [&] { m_.set(verdict_q_, lit(1, 0)); }).otherwise([&] {
        m_.when(ends_ & rtl::all(round_), [&] { m_.set(verdict_q_, negative & apart & ~few_q_); });
      });
    });
  }

  const DynebParams& p_;
  const int sum_bits_, value_bits_;
  rtl::Module m_;
  DynebCounts counts_;
  Expr clear_, run_, last_, verdict_;
  Expr cycle_q_, value_q_, small_q_, large_q_, few_q_, verdict_q_, round_, addend_q_, next_, ends_;
};

}  // namespace

rtl::Module dyneb_evaluation(const DynebParams& p, const std::string& name) {
  return DynebEvaluationBuilder(p, name).run();
}

}  // namespace hw
