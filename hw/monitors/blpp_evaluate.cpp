// What the sums of a period come to: which part of new pages goes to the GPU node.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "hw/monitors/blpp.h"
#include "hw/monitors/blpp_side.h"
#include "hw/prim/carry_save.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

using Wide = unsigned __int128;

constexpr int scaled_bits = 16;  // of a1 and a2 once they are shifted

// Bits that hold 0 to n.
int bits_up_to(Wide n) {
  int bits = 0;
  for (; n; n >>= 1) ++bits;
  return bits;
}

// Steps of an evaluation: step s is the cycle s behind the period's last, for the lowest block of a product.
constexpr int shift_steps[] = {8, 4, 2, 1, 1};           // shifted by so many in steps 1 to 5
constexpr int left_load = 6;                             // a2' is the operand of a1 a2'
constexpr int left_again = left_load + 1 + scaled_bits;  // a1 a2' is the operand of the left product
constexpr int right_load = 7;  // l2 a2' + m2 lG is the operand of its product with m1
constexpr int right_again = right_load + 1 + blpp_sum_bits;
constexpr int last_step = 63;
constexpr int block_bits = 11;  // of a product and of the comparison, where the steps suffice

// Compares 10 BC LC D with (t (BG + BC) - 10 BG) G, D = a1 a2' and G = l1 D + m1 (l2 a2' + m2 lG), a bit of a
// factor in each cycle, the left and the right side beside each other.
class EvaluationBuilder {
 public:
  EvaluationBuilder(const BlppParams& p, const std::string& name)
      : p_(p),
        m_(name,
           "Tests of latency and traffic, in 64 cycles; a product takes a bit of a factor in each (ACI "
           "thesis, section 5.2, without its divisions).") {
    const auto wide = [](int value) { return static_cast<Wide>(value); };
    left_factor_ = 10u * static_cast<unsigned>(p.cpu_bandwidth) *
                   static_cast<unsigned>(p.cpu_memory_latency + p.link_latency);
    const int bracket = p.ratio_tenths * (p.gpu_bandwidth + p.cpu_bandwidth) - 10 * p.gpu_bandwidth;
    right_factor_ = static_cast<unsigned>(std::max(bracket, 0));
    const Wide a = (wide(1) << scaled_bits) - 1, m = (wide(1) << blpp_sum_bits) - 1;
    const Wide inner = a * wide(p.l2_latency) + m * wide(p.gpu_memory_latency);
    inner_bits_ = bits_up_to(inner);
    latency_bits_ = bits_up_to(a * a * wide(p.l1_latency) + m * inner);
    left_bits_ = 2 * scaled_bits + std::bit_width(left_factor_);
    right_bits_ = latency_bits_ + std::bit_width(right_factor_);
    left_blocks_ = blocks_of(left_bits_);
    right_blocks_ = std::min(blocks_of(right_bits_),
                             last_step - right_again - static_cast<int>(std::bit_width(right_factor_)));
  }

  rtl::Module run() {
    ports();
    steps();
    traffic();
    operands();
    latencies();
    products();
    conclude();
    return m_;
  }

 private:
  // A carry passes a block in a cycle.
  static int blocks_of(int bits) { return (bits + block_bits - 1) / block_bits; }

  void ports() {
    start_ = m_.input("start", 1, "the period's last cycle");
    a1_ = m_.input("a1_sum", blpp_sum_bits, "loads at the L1s");
    m1_ = m_.input("m1_sum", blpp_sum_bits, "misses of the L1s");
    a2_ = m_.input("a2_sum", blpp_sum_bits, "loads at the L2 banks");
    m2_ = m_.input("m2_sum", blpp_sum_bits, "misses of the L2 banks");
    over_ = m_.input("over", 1, "there were more flits than the limit");
    p_out_ = m_.output("p", 17, "part of the pages that goes to the GPU node, in 65,536ths");
  }

  void steps() {
    m_.section("Steps of the evaluation.");
    step_q_ = m_.reg("step_q", 6, 0, "cycles since the period's last; 0 without an evaluation");
    const Expr runs = m_.let("runs", rtl::any(step_q_), "an evaluation goes on");
    m_.clocked("The next step; behind 63 comes 0.", [&] {
      m_.when(start_, [&] { m_.set(step_q_, lit(6, 1)); }).otherwise([&] {
        m_.when(runs, [&] { m_.set(step_q_, step_q_ + lit(6, 1)); });
      });
    });
    m_.observe("step", step_q_);
  }

  void traffic() {
    m_.section("The traffic test.");
    busy_q_ = m_.data_reg("busy_q", 1, "there were more flits than the limit");
    m_.clocked("Keep it from the end of the period on.",
               [&] { m_.when(start_, [&] { m_.set(busy_q_, over_); }); });
    m_.observe("busy", busy_q_);
  }

  // Loads and misses are shifted together until the loads fit; then they are factors and operands.
  void operands() {
    m_.section("Loads and misses, shifted until the loads are below 65,536.");
    const BlppSidePlan left{"left",
                            "a1 a2, then the left side",
                            left_load,
                            left_again,
                            scaled_bits,
                            left_factor_,
                            {2 * scaled_bits, left_bits_, left_blocks_}};
    const BlppSidePlan right{
        "right",       "m1 (l2 a2 + m2 lG), then the right side",  right_load, right_again, blpp_sum_bits,
        right_factor_, {latency_bits_, right_bits_, right_blocks_}};
    left_.emplace(m_, left, step_q_, "a1, then the left factor: its top bit comes next");
    right_.emplace(m_, right, step_q_, "m1, then the right factor: its top bit comes next");
    const int bits = std::max(blpp_sum_bits, inner_bits_);
    a2_q_ = m_.data_reg("a2_q", bits, "a2, then a term of l2 a2 + m2 lG");
    m2_q_ = m_.data_reg("m2_q", bits, "m2, then the other term");
    shift_ = m_.wire("shift", 4, "how far the step shifts");
    m_.comb("Steps 1 to 5 shift by 8, 4, 2, 1 and 1, if at all.", [&] {
      m_.set(shift_, lit(4, 0));
      std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
      for (std::size_t i = 0; i < std::size(shift_steps); ++i)
        cases.emplace_back(i + 1,
                           [this, i] { m_.set(shift_, lit(4, static_cast<std::uint64_t>(shift_steps[i]))); });
      m_.pick(step_q_, cases, [] {});
    });
    first_ = pair("a1", left_->scan(), right_->scan(), "m1");
    a2_count_ = count("a2", a2_q_), m2_count_ = count("m2", m2_q_);
    second_ = pair("a2", a2_count_, m2_count_, "m2");
    some_q_ = m_.data_reg("some_q", 1, "there were loads at the L1s");
    m_.clocked("Whether there were loads, before they are shifted.", [&] {
      m_.when(step_q_ == m_.constant("FIRST_STEP", 6, 1), [&] { m_.set(some_q_, rtl::any(left_->scan())); });
    });
  }

  // What of the register is a count, while it holds one.
  Expr count(const std::string& name, const Expr& held) {
    return held.width() == blpp_sum_bits
               ? held
               : m_.let(name + "_count", held.slice(blpp_sum_bits - 1, 0), name + " while it is shifted");
  }

  struct Pair {
    Expr loads, misses;  // after the step's shift
  };

  // Loads of 2^(16 + n - 1) and more need n shifts at least.
  Pair pair(const std::string& loads_name, const Expr& loads, const Expr& misses,
            const std::string& misses_name) {
    const Expr shifts = m_.wire(loads_name + "_shifts", 1, "the step shifts this pair");
    const Expr less_loads = m_.wire(loads_name + "_next", blpp_sum_bits, "after the step");
    const Expr less_misses = m_.wire(misses_name + "_next", blpp_sum_bits, "after the step");
    m_.comb(fmt::format("Shift {} and {} if the loads remain above.", loads_name, misses_name), [&] {
      m_.set(shifts, lit(1, 0));
      m_.set(less_loads, loads);
      m_.set(less_misses, misses);
      std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
      for (const int by : {8, 4, 2, 1})
        cases.emplace_back(by, [&, by] {
          m_.set(shifts, rtl::any(loads.slice(blpp_sum_bits - 1, scaled_bits + by - 1)));
          m_.set(less_loads, mux(shifts, shifted(loads, by), loads));
          m_.set(less_misses, mux(shifts, shifted(misses, by), misses));
        });
      m_.pick(shift_, cases, [] {});
    });
    return {less_loads, less_misses};
  }

  static Expr shifted(const Expr& value, int by) {
    return zext(value.slice(blpp_sum_bits - 1, by), blpp_sum_bits);
  }

  // What the products are of: a2 and m2 times their latencies, once they are shifted.
  void latencies() {
    m_.section("Misses of the L2 and loads that reach it, in cycles.");
    const Expr a2 = a2_q_.slice(scaled_bits - 1, 0);
    a2_some_ = m_.let("a2_some", a2 | zext(~rtl::any(a2), scaled_bits), "a2, or 1 where there were no loads");
    // The product adds them in its blocks, so that no carry passes all of their bits here.
    const auto terms = terms_of_products(m_, "inner",
                                         {{a2_some_, static_cast<unsigned>(p_.l2_latency)},
                                          {m2_count_, static_cast<unsigned>(p_.gpu_memory_latency)}},
                                         a2_q_.width());
    m_.clocked("a2 and m2, shifted, then two terms whose sum is l2 a2 + m2 lG.", [&] {
      m_.when(start_, [&] {
          m_.set(a2_q_, zext(a2_, a2_q_.width()));
          m_.set(m2_q_, zext(m2_, m2_q_.width()));
        }).otherwise([&] {
        m_.when(left_->load(), [&] {
            m_.set(a2_q_, terms.at(0));
            m_.set(m2_q_, terms.at(1));
          }).otherwise([&] {
          m_.when(rtl::any(shift_), [&] {
            m_.set(a2_q_, zext(second_.loads, a2_q_.width()));
            m_.set(m2_q_, zext(second_.misses, m2_q_.width()));
          });
        });
      });
    });
  }

  Expr times(const std::string& name, const Expr& value, int constant, int width) {
    return sum_of_products(m_, name, {{value, static_cast<unsigned>(constant)}}, width);
  }

  void products() {
    m_.section("Products, a bit of the factor in each cycle from its top.");
    const Expr all_loads = m_.wire("all_loads", 2 * scaled_bits, "a1 a2, behind its product");
    const Expr none = lit(2 * scaled_bits, 0), shifts = rtl::any(shift_);
    left_sum_ = left_->product({zext(a2_by_block(), 2 * scaled_bits), none, none}, all_loads);
    left_->scans(start_, a1_, shifts, first_.loads,
                 rtl::cat({left_->scan().slice(scaled_bits - 1, 0), lit(scaled_bits, 0)}));
    const Expr l1 = times("l1_part", all_loads, p_.l1_latency, latency_bits_);
    const Expr latency = m_.wire("latency", latency_bits_, "effective latency of GPU pages times a1 a2");
    right_sum_ = right_->product({operand_of(m2_q_), operand_of(a2_q_), l1}, latency);
    m_.unused("unused_latency", latency, "the product of the latency alone is compared");
    right_->scans(start_, m1_, shifts, first_.misses, right_->scan());
    observe("left", left_sum_);
    observe("right", right_sum_);
  }

  // Both sides in words, as a model has them.
  void observe(const std::string& name, const Expr& side) {
    for (int low = 0; low < side.width(); low += 64)
      m_.observe(fmt::format("{}_{}", name, low), side.slice(std::min(low + 64, side.width()) - 1, low));
  }

  // The second block takes its part a cycle behind the lowest, when a2_q is a term already.
  Expr a2_by_block() {
    const int low = (left_bits_ + left_blocks_ - 1) / left_blocks_;
    const Expr above_q =
        m_.data_reg("a2_above_q", scaled_bits - low, "a2 in the second block, of the step before");
    m_.clocked("Keep it for the second block.",
               [&] { m_.set(above_q, a2_some_.slice(scaled_bits - 1, low)); });
    return m_.let("a2_by_block", rtl::cat({above_q, a2_some_.slice(low - 1, 0)}), "as each block takes it");
  }

  Expr operand_of(const Expr& term) const {
    return term.width() < latency_bits_ ? zext(term, latency_bits_) : term.slice(latency_bits_ - 1, 0);
  }

  Expr left_block(int low, int high) const {
    if (low >= left_bits_) return lit(high - low + 1, 0);
    return zext(left_sum_.slice(std::min(high, left_bits_ - 1), low), high - low + 1);
  }

  // A block of the right side is there a cycle after the one below: so are those of the comparison.
  Expr compared() {
    const int bits = (right_bits_ + right_blocks_ - 1) / right_blocks_;
    const Expr below_q =
        m_.data_reg("below_q", right_blocks_ - 1, "the left side is less in the block and those below it");
    std::vector<Expr> less;
    for (int b = 0; b < right_blocks_; ++b) {
      const int low = b * bits, high = std::min(low + bits, right_bits_) - 1;
      const Expr left = left_block(low, high), right = right_sum_.slice(high, low);
      less.push_back(b == 0 ? left < right
                            : rtl::cat({left, lit(1, 0)}) < rtl::cat({right, below_q.bit(b - 1)}));
    }
    const Expr near = m_.let("near", less.back(), "CPU pages are not much slower than GPU pages");
    m_.clocked("Compare block by block.", [&] {
      for (int b = 0; b + 1 < right_blocks_; ++b) m_.set(below_q.bit(b), less[static_cast<std::size_t>(b)]);
    });
    return near;
  }

  void conclude() {
    m_.section("The decision.");
    const Expr near = compared();
    const Expr all = m_.constant("PART_ALL", 17, blpp_one);
    const Expr shared = m_.constant("PART_SHARED", 17, shared_part(p_));
    const Expr p_q = m_.reg("p_q", all, "part of the pages that goes to the GPU node, in 65,536ths");
    m_.clocked("Share the pages where both tests hold; without loads nothing changes.", [&] {
      m_.when((step_q_ == m_.constant("LAST_STEP", 6, last_step)) & some_q_,
              [&] { m_.set(p_q, mux(busy_q_ & near, shared, all)); });
    });
    m_.assign(p_out_, p_q);
  }

  const BlppParams& p_;
  rtl::Module m_;
  unsigned left_factor_ = 0, right_factor_ = 0;
  int inner_bits_ = 0, latency_bits_ = 0, left_bits_ = 0, right_bits_ = 0;
  int left_blocks_ = 0, right_blocks_ = 0;
  Expr start_, a1_, m1_, a2_, m2_, over_, p_out_;
  Expr step_q_, busy_q_, some_q_, shift_;
  Expr a2_q_, m2_q_, a2_count_, m2_count_, a2_some_, left_sum_, right_sum_;
  std::optional<BlppSide> left_, right_;
  Pair first_, second_;
};

}  // namespace

rtl::Module blpp_evaluate(const BlppParams& p, const std::string& name) {
  return EvaluationBuilder(p, name).run();
}

}  // namespace hw
