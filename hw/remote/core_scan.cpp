#include "hw/remote/core_scan.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

class CoreScanBuilder {
 public:
  CoreScanBuilder(const CoreSelectorParams& p, const std::string& name)
      : n_(p.cores - 1),
        count_bits_(p.count_bits),
        weight_bits_(p.count_bits + 1),
        sum_bits_(weight_sum_bits(p)),
        m_(name,
           fmt::format(
               "Passes over the weights of {} cores, a core a cycle: the smallest count and the running "
               "sums (DC-L1 thesis, section 3.3.3).",
               n_)) {}

  rtl::Module run() {
    ports();
    cores();
    smallest();
    sums();
    return m_;
  }

 private:
  void ports() {
    clear_ = m_.input("clear", 1, "begin again: equal weights");
    weights_ = m_.input("weights", n_ * weight_bits_, "of the other cores, ascending");
    scans_ = m_.input("scans", 1, "a cycle of a pass");
    adds_ = m_.input("adds", 1, "the pass is that of the sums");
    last_out_ = m_.output("last", 1, "the last cycle of a pass");
    half_out_ = m_.output("half", weight_bits_,
                          "half the smallest weight of a core with replies; 1 where there is none");
    sums_out_ = m_.output("sums", n_ * sum_bits_, "of the weights of the first one, two .. cores");
    triple_out_ = m_.output("triple", sum_bits_ + 2, "three times the last sum");
  }

  void cores() {
    m_.section("The core of the cycle. Its weight is used one cycle later.");
    const int bits = bits_to_number(n_ + 2);
    core_q_ = m_.reg("core_q", bits, 0, "number among the other cores");
    const auto at = [&](const char* name, int value, const char* doc) {
      return m_.let(name,
                    core_q_ == m_.constant(value == 0 ? "FIRST_CYCLE" : "LAST_CYCLE", bits,
                                           static_cast<std::uint64_t>(value)),
                    doc);
    };
    first_ = at("first", 0, "no weight is at hand yet");
    const Expr last = at("last_cycle", n_ + 1, "all weights are done");
    m_.assign(last_out_, last);
    counts_ = m_.let("counts", scans_ & ~first_ & ~last, "a weight is at hand");
    m_.clocked("From core to core.", [&] {
      m_.when(clear_, [&] { m_.set(core_q_, lit(bits, 0)); }).otherwise([&] {
        m_.when(scans_, [&] { m_.set(core_q_, mux(last, lit(bits, 0), core_q_ + lit(bits, 1))); });
      });
    });
    weight_q_ = m_.data_reg("weight_q", weight_bits_, "weight of the core before");
    const Expr weight = m_.wire("weight", weight_bits_, "weight of the core");
    m_.comb("By AND and OR.", [&] {
      m_.set(weight, lit(weight_bits_, 0));
      m_.loop("of", n_, [&](const Expr& c) {
        m_.set(weight, weight | (weights_.part(c, weight_bits_) &
                                 rtl::replicate(weight_bits_, core_q_ == c.slice(bits - 1, 0))));
      });
    });
    m_.clocked("Kept for the next cycle.", [&] { m_.when(scans_, [&] { m_.set(weight_q_, weight); }); });
  }

  // In the pass before the sums' weights are twice the counts. A count of 0 stands behind all others.
  void smallest() {
    m_.section("The smallest count that is not 0.");
    const Expr count = m_.let("count", weight_q_.slice(weight_bits_ - 1, 1), "replies of the core");
    const Expr rank =
        m_.let("rank", cat({~rtl::any(count), count}), "the count, with a bit above it where it is 0");
    const Expr least_q = m_.data_reg("least_q", weight_bits_, "smallest so far");
    m_.clocked("The smaller one is kept.", [&] {
      m_.when(scans_ & ~adds_, [&] {
        m_.when(first_, [&] { m_.set(least_q, rtl::ones(weight_bits_)); }).otherwise([&] {
          m_.when(counts_ & (rank < least_q), [&] { m_.set(least_q, rank); });
        });
      });
    });
    m_.assign(half_out_, mux(least_q.bit(count_bits_), lit(weight_bits_, 1), least_q));
  }

  // Each sum comes in at the top; behind the last core they stand in order.
  void sums() {
    m_.section("Running sums.");
    std::vector<std::uint64_t> ones((static_cast<std::size_t>(n_ * sum_bits_) + 63) / 64);
    for (int c = 0; c < n_; ++c)
      for (int bit = 0; bit < sum_bits_; ++bit)
        if ((c + 1) >> bit & 1) {
          const auto at = static_cast<std::size_t>(c * sum_bits_ + bit);
          ones[at / 64] |= std::uint64_t{1} << at % 64;
        }
    const auto all = static_cast<std::uint64_t>(3 * n_);
    const Expr sum_q = m_.data_reg("sum_q", sum_bits_, "sum of the cores before");
    const Expr sums_q = m_.wide_reg("sums_q", n_ * sum_bits_, ones, "running sums");
    const Expr triple_q = m_.reg("triple_q", sum_bits_ + 2, all, "three times the sum of all");
    const Expr sum = m_.let("sum", sum_q + zext(weight_q_, sum_bits_), "the sum with the weight at hand");
    m_.clocked("Sum of the pass.", [&] {
      m_.when(scans_, [&] {
        m_.when(first_, [&] { m_.set(sum_q, lit(sum_bits_, 0)); }).otherwise([&] {
          m_.when(counts_, [&] { m_.set(sum_q, sum); });
        });
      });
    });
    m_.clocked("Sums of the weights; each weight is 1 after a clear.", [&] {
      m_.when(clear_, [&] {
          m_.set(sums_q, rtl::wide_lit(n_ * sum_bits_, ones));
          m_.set(triple_q, lit(sum_bits_ + 2, all));
        }).otherwise([&] {
        m_.when(adds_ & counts_, [&] {
          m_.set(sums_q, n_ == 1 ? sum : cat({sum, sums_q.slice(n_ * sum_bits_ - 1, sum_bits_)}));
        });
        m_.when(adds_ & last_out_, [&] {
          m_.set(triple_q, zext(sum_q, sum_bits_ + 2) + zext(cat({sum_q, lit(1, 0)}), sum_bits_ + 2));
        });
      });
    });
    m_.assign(sums_out_, sums_q);
    m_.assign(triple_out_, triple_q);
  }

  const int n_, count_bits_, weight_bits_, sum_bits_;
  rtl::Module m_;
  Expr clear_, weights_, scans_, adds_, last_out_, half_out_, sums_out_, triple_out_;
  Expr core_q_, first_, counts_, weight_q_;
};

}  // namespace

rtl::Module core_scan(const CoreSelectorParams& p, const std::string& name) {
  return CoreScanBuilder(p, name).run();
}

}  // namespace hw
