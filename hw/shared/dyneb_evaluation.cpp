#include "hw/shared/dyneb_evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/shared/dyneb_metric.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// Four rounds of 32 steps, each a sum or a difference of two products: for each bit of the multipliers, from
// the top, twice the value so far and what the bits of either product add to it, one after the other.
constexpr int round_steps = 2 * dyneb_count_bits;
static_assert(4 * round_steps == dyneb_eval_cycles);

// The value is added up in blocks, each a cycle behind the one below, so that no carry crosses a block within
// a cycle. In cycle c the highest block is at step c, the lowest `blocks - 1` steps ahead. The steps that are
// skipped at first add nothing, since the first multipliers are at most 100.
constexpr int blocks = dyneb_blocks;

class DynebEvaluationBuilder {
 public:
  DynebEvaluationBuilder(const DynebParams& p, const std::string& name)
      : p_(p),
        sum_bits_(dyneb_sum_bits(p)),
        block_bits_(dyneb_block_bits(p)),
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
    m_.assign(decision_, decision_q_);
    m_.observe("cycle", cycle_q_);
    m_.observe("decision", decision_q_);
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
    decision_ = m_.output("decision", 1, "shared, as the last comparison found");
  }

  void state() {
    m_.section("The multiplier.");
    cycle_q_ = m_.reg("cycle_q", 7, 0, "cycle of the comparison, and step of the highest block");
    addend_q_ = m_.reg("addend_q", sum_bits_, 0, "the addend of each block's step");
    value_q_ =
        m_.reg("value_q", blocks * block_bits_, 0, "value of the round so far; the top bit is the sign");
    small_q_ = m_.data_reg("small_q", sum_bits_, "sum on the side that is smaller where shared is better");
    large_q_ = m_.data_reg("large_q", sum_bits_, "sum on the other side");
    few_q_ = m_.data_reg("few_misses_q", 1, "private sets miss too seldom for a change");
    decision_q_ = m_.reg("decision_q", 1, 0, "shared");
    bits_q_ = m_.reg("bits_q", sum_blocks() - 1, 0, "multiplier bits of the blocks above, the last first");
    minus_q_ = m_.reg("minus_q", blocks, 0, "the step of each block subtracts");
    carry_q_ = m_.reg("carry_q", blocks - 1, 0, "left for the block above by the step before");
    top_q_ = m_.reg("top_q", blocks - 1, 0, "top bits for the blocks above as they double");
    round_ = m_.let("round", cycle_q_.slice(6, 5), "miss rate, small sum, large sum, difference");
    m_.clocked("A cycle for each step.", [&] {
      m_.when(clear_, [&] { m_.set(cycle_q_, lit(7, 0)); }).otherwise([&] {
        m_.when(run_, [&] { m_.set(cycle_q_, cycle_q_ + lit(7, 1)); });
      });
    });
  }

  // Sets `q` to `next`, but to 0 at `clear`.
  void follow(const Expr& q, const Expr& next) {
    m_.when(clear_, [&] { m_.set(q, lit(q.width(), 0)); }).otherwise([&] { m_.set(q, next); });
  }

  // Block b's bits of a sum; fewer in the block that ends it.
  int low(int b) const { return b * block_bits_; }
  int sum_blocks() const { return (sum_bits_ + block_bits_ - 1) / block_bits_; }
  int sum_high(int b) const { return std::min(low(b + 1), sum_bits_) - 1; }

  // What of an operand lies in block b.
  Expr block_of(const Expr& value, int b) const {
    const int width = sum_high(b) - low(b) + 1, high = std::min(sum_high(b), value.width() - 1);
    return high < low(b) ? lit(width, 0) : zext(value.slice(high, low(b)), width);
  }

  // By round and product, a cycle ahead.
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
    const auto choose = [&](const Expr& to, const Expr& select, const auto& value) {
      m_.set(to, value(products[0]));
      std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
      for (std::size_t k = 1; k < std::size(products); ++k)
        cases.emplace_back(k, [&m = m_, to, chosen = value(products[k])] { m.set(to, chosen); });
      m_.pick(select, cases, [] {});
    };
    const Expr ahead =
        m_.let("ahead", cycle_q_ + lit(7, blocks), "the lowest block's step of the next cycle");
    const Expr by = m_.wire("by", dyneb_count_bits, "multiplier of the lowest block's operand");
    const auto product_of = [](const Expr& round, const Expr& second) { return cat({round, second}); };
    const Expr lowest = m_.let("product_0", product_of(ahead.slice(6, 5), ahead.bit(0)),
                               "round and product of the lowest block's next step");
    m_.comb("The multiplier of each product.",
            [&] { choose(by, lowest, [](const DynebProduct& p) { return p.by; }); });
    const Expr bit = m_.let("multiplier_bit", by.at(~ahead.slice(4, 1)), "bit of the multiplier");
    const Expr bits = m_.let("bits", cat({bits_q_, bit}), "each block's bit");
    // In the first round and the last the second product is subtracted: the complement and a carry.
    const Expr minus = m_.let("minus", ahead.bit(0) & (ahead.bit(6) == ahead.bit(5)) & bit,
                              "the lowest block's next step subtracts");
    const Expr minuses =
        m_.let("minuses", cat({minus_q_.slice(blocks - 2, 0), minus}), "each block's next step");
    std::vector<Expr> next;
    for (int b = 0; b < sum_blocks(); ++b) {
      const int bits_here = sum_high(b) - low(b) + 1;
      const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, b); };
      const Expr operand = m_.wire(name("operand"), bits_here, "the block's part of the multiplied value");
      const Expr product =
          b == 0 ? lowest : m_.let(name("product"), product_in(b), "of the block's next step");
      m_.comb("The block's operand.",
              [&] { choose(operand, product, [&](const DynebProduct& p) { return block_of(p.value, b); }); });
      next.insert(next.begin(),
                  (operand & replicate(bits_here, bits.bit(b))) ^ replicate(bits_here, minuses.bit(b)));
    }
    const Expr addends = m_.let("addends", cat(next), "the addends of the next steps");
    m_.clocked("The addends of the next steps, from block to block.", [&] {
      follow(addend_q_, addends);
      follow(bits_q_, bits.slice(sum_blocks() - 2, 0));
      follow(minus_q_, minuses);
    });
  }

  // Round and product of block b's step in the next cycle, `ahead` steps on.
  Expr product_in(int b) {
    const int ahead = blocks - b;
    const Expr late = cycle_q_.slice(4, 0) >= lit(5, static_cast<std::uint64_t>(round_steps - ahead));
    const Expr parity = ahead % 2 ? ~cycle_q_.bit(0) : cycle_q_.bit(0);
    return cat({round_ + zext(late, 2), parity});
  }

  // Block b ends a round in this cycle.
  Expr ends(int b) const {
    return cycle_q_.slice(4, 0) == lit(5, static_cast<std::uint64_t>(round_steps - blocks + b));
  }

  void step() {
    m_.section("A step of each block.");
    std::vector<Expr> next, tops, carries, ends_of;
    for (int b = 0; b < blocks; ++b) {
      const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, b); };
      const Expr held = value_q_.slice(low(b + 1) - 1, low(b));
      const Expr doubled = cat({value_q_.slice(low(b + 1) - 2, low(b)), b ? top_q_.bit(b - 1) : lit(1, 0)});
      const bool odd = (blocks - 1 - b) % 2;
      const Expr moved_on =
          m_.let(name("moved_on"), mux(cycle_q_.bit(0), odd ? doubled : held, odd ? held : doubled),
                 "twice the value for the first product, the value for the second");
      const Expr carry = b ? carry_q_.bit(b - 1) : minus_q_.bit(0);
      const auto with_carry = [&](const Expr& side) { return cat({lit(1, 0), side, carry}); };
      const Expr total = m_.let(name("total"), with_carry(moved_on) + with_carry(addend(b)),
                                "the block's sum behind a bit for the carry that comes in");
      const bool highest = b + 1 == blocks;
      m_.unused(name("unused"), highest ? cat({total.bit(block_bits_ + 1), total.bit(0)}) : total.bit(0),
                highest ? "the value holds the largest sum, and the carry was there twice"
                        : "the carry was there twice");
      ends_of.insert(ends_of.begin(), ends(b));
      next.insert(next.begin(), total.slice(block_bits_, 1));
      if (highest) continue;
      tops.insert(tops.begin(), value_q_.bit(low(b + 1) - 1));
      carries.insert(carries.begin(), total.bit(block_bits_ + 1));
    }
    ends_ = m_.let("ends", cat(ends_of), "a round ends, in each block");
    next_ = m_.let("next", cat(next), "the value with the addends");
    m_.observe("value", next_, {{"block", blocks}});
    m_.clocked("A round begins with 0.", [&] {
      for (int b = 0; b < blocks; ++b) {
        const Expr held = value_q_.slice(low(b + 1) - 1, low(b));
        m_.when(clear_ | ends_.bit(b), [&] { m_.set(held, lit(block_bits_, 0)); }).otherwise([&] {
          m_.set(held, next_.slice(low(b + 1) - 1, low(b)));
        });
      }
      follow(top_q_, cat(tops));
      follow(carry_q_, cat(carries));
    });
  }

  // What the step of block b adds: above the sums, the sign.
  Expr addend(int b) const {
    if (b >= sum_blocks()) return replicate(block_bits_, minus_q_.bit(b));
    const Expr here = addend_q_.slice(sum_high(b), low(b));
    if (here.width() == block_bits_) return here;
    return cat({replicate(block_bits_ - here.width(), minus_q_.bit(b)), here});
  }

  void results() {
    const Expr negative =
        m_.let("negative", next_.bit(blocks * block_bits_ - 1), "the difference is below 0");
    const Expr apart = m_.let("comparable", rtl::any(counts_.even.accesses) & rtl::any(counts_.odd.accesses),
                              "lookups of both groups have come");
    const Expr small_round = m_.constant("ROUND_SMALL_SUM", 2, 1),
               large_round = m_.constant("ROUND_LARGE_SUM", 2, 2);
    m_.clocked("Results of the rounds.", [&] {
      for (int b = 0; b < sum_blocks(); ++b)
        for (const auto& [round, sum] : {std::pair{small_round, small_q_}, {large_round, large_q_}})
          m_.when(ends_.bit(b) & (round_ == round), [&, sum = sum] {
            m_.set(sum.slice(sum_high(b), low(b)), next_.slice(sum_high(b), low(b)));
          });
      m_.when(ends_.bit(blocks - 1) & ~rtl::any(round_), [&] { m_.set(few_q_, negative); });
    });
    m_.clocked("The decision.", [&] {
      m_.when(clear_, [&] { m_.set(decision_q_, lit(1, 0)); }).otherwise([&] {
        m_.when(rtl::all(cycle_q_), [&] { m_.set(decision_q_, negative & apart & ~few_q_); });
      });
    });
  }

  const DynebParams& p_;
  const int sum_bits_, block_bits_;
  rtl::Module m_;
  DynebCounts counts_;
  Expr clear_, run_, last_, decision_;
  Expr cycle_q_, value_q_, small_q_, large_q_, few_q_, decision_q_, round_, addend_q_, bits_q_, minus_q_,
      carry_q_, top_q_, next_, ends_;
};

}  // namespace

int dyneb_block_bits(const DynebParams& p) {
  return (dyneb_sum_bits(p) + dyneb_count_bits + 1 + blocks - 1) / blocks;
}

rtl::Module dyneb_evaluation(const DynebParams& p, const std::string& name) {
  return DynebEvaluationBuilder(p, name).run();
}

}  // namespace hw
