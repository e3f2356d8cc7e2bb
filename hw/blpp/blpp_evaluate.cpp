// What the sums of a period come to: which part of new pages goes to the GPU node.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "hw/blpp/blpp.h"
#include "hw/prim/constant_product.h"

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

// Steps of an evaluation: step s is the cycle s behind the period's last.
constexpr int shift_steps[] = {8, 4, 2, 1, 1};    // shifted by so many in steps 1 to 5
constexpr int load_step = 6;                      // operands of the first products are ready
constexpr int a_end = load_step + scaled_bits;    // a1 a2' is
constexpr int left_load = a_end + 1;              // it is the operand of the left product
constexpr int m_end = load_step + blpp_sum_bits;  // m1 (l2 a2' + m2 lG) is
constexpr int right_load = m_end + 1;
constexpr int last_step = 63;

// Compares 10 BC LC D with (t (BG + BC) - 10 BG) G, D = a1 a2' and G = l1 D + m1 (l2 a2' + m2 lG), a bit of a
// factor in each cycle, the left and the right product side by side.
class Builder {
 public:
  Builder(const BlppParams& p, const std::string& name)
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
  }

  rtl::Module run() {
    ports();
    steps();
    traffic();
    operands();
    products();
    conclude();
    return m_;
  }

 private:
  void ports() {
    start_ = m_.input("start", 1, "the period's last cycle");
    a1_ = m_.input("a1_sum", blpp_sum_bits, "loads at the L1s");
    m1_ = m_.input("m1_sum", blpp_sum_bits, "misses of the L1s");
    a2_ = m_.input("a2_sum", blpp_sum_bits, "loads at the L2 banks");
    m2_ = m_.input("m2_sum", blpp_sum_bits, "misses of the L2 banks");
    flits_ = m_.input("flits_sum", blpp_sum_bits, "flits at memory ports and link");
    p_out_ = m_.output("p", 17, "part of the pages that goes to the GPU node, in 65,536ths");
  }

  Expr in_step(int step) const { return step_q_ == lit(6, static_cast<std::uint64_t>(step)); }
  // From one step to another, both included.
  Expr in_steps(const char* name, int from, int to, const char* doc) {
    return m_.let(name,
                  (step_q_ >= lit(6, static_cast<std::uint64_t>(from))) &
                      (step_q_ < lit(6, static_cast<std::uint64_t>(to) + 1)),
                  doc);
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
    m_.clocked("Test it at the end of the period.", [&] {
      m_.when(start_, [&] {
        m_.set(busy_q_, lit(blpp_sum_bits, static_cast<std::uint64_t>(traffic_limit(p_))) < flits_);
      });
    });
  }

  // Loads and misses are shifted together until the loads fit; then they are factors and operands.
  void operands() {
    m_.section("Loads and misses, shifted until the loads are below 65,536.");
    left_scan_q_ =
        m_.data_reg("left_scan_q", blpp_sum_bits, "a1, then the left factor: its top bit comes next");
    right_scan_q_ =
        m_.data_reg("right_scan_q", blpp_sum_bits, "m1, then the right factor: its top bit comes next");
    left_operand_q_ = m_.data_reg("left_operand_q", blpp_sum_bits, "a2, then a1 a2");
    m2_q_ = m_.data_reg("m2_q", blpp_sum_bits, "m2");
    shift_ = m_.wire("shift", 4, "how far the step shifts");
    m_.comb("Steps 1 to 5 shift by 8, 4, 2, 1 and 1, if at all.", [&] {
      m_.set(shift_, lit(4, 0));
      std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
      for (std::size_t i = 0; i < std::size(shift_steps); ++i)
        cases.emplace_back(i + 1,
                           [this, i] { m_.set(shift_, lit(4, static_cast<std::uint64_t>(shift_steps[i]))); });
      m_.pick(step_q_, cases, [] {});
    });
    first_ = pair("a1", left_scan_q_, right_scan_q_, "m1");
    second_ = pair("a2", left_operand_q_, m2_q_, "m2");
    some_q_ = m_.data_reg("some_q", 1, "there were loads at the L1s");
    m_.clocked("Whether there were loads.",
               [&] { m_.when(start_, [&] { m_.set(some_q_, rtl::any(a1_)); }); });
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

  void products() {
    m_.section("Products, a bit of the factor in each cycle from its top.");
    left_sum_q_ = m_.data_reg("left_sum_q", left_bits_, "a1 a2, then the left product, so far");
    right_sum_q_ =
        m_.data_reg("right_sum_q", right_bits_, "m1 times its operand, then the right product, so far");
    right_operand_q_ =
        m_.data_reg("right_operand_q", latency_bits_, "l2 a2 + m2 lG, then the latency times a1 a2");
    const Expr load = m_.let("load", in_step(load_step), "the first operands are there");
    const Expr left_again = m_.let("left_again", in_step(left_load), "a1 a2 is the operand now");
    const Expr right_again = m_.let("right_again", in_step(right_load), "the latency is the operand now");
    const Expr left_goes = m_.let(
        "left_goes",
        steps_of("left", load_step + 1, a_end, left_load + 1, left_load + std::bit_width(left_factor_)),
        "a bit of the left factor");
    const Expr right_goes = m_.let(
        "right_goes",
        steps_of("right", load_step + 1, m_end, right_load + 1, right_load + std::bit_width(right_factor_)),
        "a bit of the right factor");
    const Expr a2 = left_operand_q_.slice(scaled_bits - 1, 0);
    const Expr a2_some =
        m_.let("a2_some", a2 | zext(~rtl::any(a2), scaled_bits), "a2, or 1 where there were no loads");
    const Expr inner = m_.let("inner",
                              times(a2_some, static_cast<unsigned>(p_.l2_latency), inner_bits_) +
                                  times(m2_q_, static_cast<unsigned>(p_.gpu_memory_latency), inner_bits_),
                              "l2 a2 + m2 lG");
    const Expr latency = m_.let("latency",
                                times(left_operand_q_, static_cast<unsigned>(p_.l1_latency), latency_bits_) +
                                    right_sum_q_.slice(latency_bits_ - 1, 0),
                                "effective latency of GPU pages times a1 a2");
    left_product(load, left_again, left_goes, a2_some);
    right_product(load, right_again, right_goes, inner, latency);
  }

  Expr steps_of(const std::string& side, int from, int to, int again_from, int again_to) {
    const Expr first = in_steps((side + "_first").c_str(), from, to, "bits of the first product's factor");
    return again_to < again_from ? first
                                 : first | in_steps((side + "_second").c_str(), again_from, again_to,
                                                    "bits of the second product's factor");
  }

  // The factor's highest bit stands at the top.
  static Expr aligned(unsigned factor) {
    const int bits = std::bit_width(factor);
    return lit(blpp_sum_bits, bits ? std::uint64_t{factor} << (blpp_sum_bits - bits) : 0);
  }

  static Expr with_bit(const Expr& sum, const Expr& bit, const Expr& operand) {
    const Expr doubled = rtl::cat({sum.slice(sum.width() - 2, 0), lit(1, 0)});
    return doubled + (zext(operand, sum.width()) & rtl::replicate(sum.width(), bit));
  }

  void left_product(const Expr& load, const Expr& again, const Expr& goes, const Expr& a2) {
    const Expr next =
        m_.let("left_next", with_bit(left_sum_q_, left_scan_q_.bit(blpp_sum_bits - 1), left_operand_q_),
               "with the next bit");
    const Expr scanned = rtl::cat({left_scan_q_.slice(blpp_sum_bits - 2, 0), lit(1, 0)});
    m_.clocked("Left side: a1 a2, then 10 BC LC a1 a2.", [&] {
      m_.when(start_, [&] {
          m_.set(left_scan_q_, a1_);
          m_.set(left_operand_q_, a2_);
        }).otherwise([&] {
        m_.when(load, [&] {
            m_.set(left_scan_q_, rtl::cat({left_scan_q_.slice(scaled_bits - 1, 0), lit(scaled_bits, 0)}));
            m_.set(left_operand_q_, zext(a2, blpp_sum_bits));
            m_.set(left_sum_q_, lit(left_bits_, 0));
          }).otherwise([&] {
          m_.when(again, [&] {
              m_.set(left_scan_q_, aligned(left_factor_));
              m_.set(left_operand_q_, left_sum_q_.slice(2 * scaled_bits - 1, 0));
              m_.set(left_sum_q_, lit(left_bits_, 0));
            }).otherwise([&] {
            m_.when(goes, [&] {
                m_.set(left_scan_q_, scanned);
                m_.set(left_sum_q_, next);
              }).otherwise([&] {
              m_.when(rtl::any(shift_), [&] {
                m_.set(left_scan_q_, first_.loads);
                m_.set(left_operand_q_, second_.loads);
              });
            });
          });
        });
      });
    });
  }

  void right_product(const Expr& load, const Expr& again, const Expr& goes, const Expr& inner,
                     const Expr& latency) {
    const Expr next =
        m_.let("right_next", with_bit(right_sum_q_, right_scan_q_.bit(blpp_sum_bits - 1), right_operand_q_),
               "with the next bit");
    const Expr scanned = rtl::cat({right_scan_q_.slice(blpp_sum_bits - 2, 0), lit(1, 0)});
    m_.clocked("Right side: m1 (l2 a2 + m2 lG), then the bracket times the latency.", [&] {
      m_.when(start_, [&] {
          m_.set(right_scan_q_, m1_);
          m_.set(m2_q_, m2_);
        }).otherwise([&] {
        m_.when(load, [&] {
            m_.set(right_operand_q_, zext(inner, latency_bits_));
            m_.set(right_sum_q_, lit(right_bits_, 0));
          }).otherwise([&] {
          m_.when(again, [&] {
              m_.set(right_scan_q_, aligned(right_factor_));
              m_.set(right_operand_q_, latency);
              m_.set(right_sum_q_, lit(right_bits_, 0));
            }).otherwise([&] {
            m_.when(goes, [&] {
                m_.set(right_scan_q_, scanned);
                m_.set(right_sum_q_, next);
              }).otherwise([&] {
              m_.when(rtl::any(shift_), [&] {
                m_.set(right_scan_q_, first_.misses);
                m_.set(m2_q_, second_.misses);
              });
            });
          });
        });
      });
    });
  }

  void conclude() {
    m_.section("The decision.");
    const int bits = std::max(left_bits_, right_bits_);
    const Expr near = m_.let("near", zext(left_sum_q_, bits) < zext(right_sum_q_, bits),
                             "CPU pages are not much slower than GPU pages");
    const Expr p_q = m_.reg("p_q", 17, blpp_one, "part of the pages that goes to the GPU node");
    m_.clocked("Share the pages where both tests hold; without loads nothing changes.", [&] {
      m_.when(in_step(last_step) & some_q_,
              [&] { m_.set(p_q, mux(busy_q_ & near, lit(17, shared_part(p_)), lit(17, blpp_one))); });
    });
    m_.assign(p_out_, p_q);
  }

  const BlppParams& p_;
  rtl::Module m_;
  unsigned left_factor_ = 0, right_factor_ = 0;
  int inner_bits_ = 0, latency_bits_ = 0, left_bits_ = 0, right_bits_ = 0;
  Expr start_, a1_, m1_, a2_, m2_, flits_, p_out_;
  Expr step_q_, busy_q_, some_q_, shift_;
  Expr left_scan_q_, right_scan_q_, left_operand_q_, m2_q_, left_sum_q_, right_sum_q_, right_operand_q_;
  Pair first_, second_;
};

}  // namespace

rtl::Module blpp_evaluate(const BlppParams& p, const std::string& name) { return Builder(p, name).run(); }

}  // namespace hw
