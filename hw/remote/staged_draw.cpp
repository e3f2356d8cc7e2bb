#include "hw/remote/staged_draw.h"

#include <fmt/format.h>

#include "hw/prim/carry_save.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/split_sum.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/own_core.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate, rtl::zext;

// A sum with or without a number, its upper half not waiting for the lower one.
rtl::Module sum_without(int width, int weight_bits) {
  rtl::Module m(fmt::format("sum_without_w{}_{}", width, weight_bits),
                "A sum, or what is left of it without a number.");
  const Expr sum = m.input("sum", width, "the sum"), takes = m.input("takes", 1, "the number leaves it"),
             weight = m.input("weight", weight_bits, "the number, at most the sum"),
             left = m.output("left", width, "the rest");
  const Expr taken = m.let("taken", zext(weight & replicate(weight_bits, takes), width), "the number or 0");
  const Expr lacks = m.let("lacks", ~sum, "the complement of the sum");
  m.assign(left, ~split_sum(m, "missing", lacks, taken, "the complement of the difference"));
  return m;
}

class StagedDrawBuilder {
 public:
  StagedDrawBuilder(const CoreSelectorParams& p, const std::string& name)
      : n_(p.cores - 1),
        core_bits_(bits_to_number(p.cores)),
        weight_bits_(p.count_bits + 1),
        sum_bits_(weight_sum_bits(p)),
        product_bits_(sum_bits_ + 16),
        m_(name, fmt::format(
                     "Draws cores by their weights, none twice, in four cycles each: a point of the weights' "
                     "sum, and the core of {} in which it lies (DC-L1 thesis, section 3.3.3).",
                     n_)),
        own_(m_, p.core, p.cores) {}

  rtl::Module run() {
    ports();
    left();
    product();
    target();
    return m_;
  }

 private:
  void ports() {
    weights_ = m_.input("weights", n_ * weight_bits_, "of the other cores, ascending");
    all_ = m_.input("sums", n_ * sum_bits_, "of the weights of the first one, two .. cores");
    triple_ = m_.input("triple", sum_bits_ + 2, "three times the last sum");
    random_ = m_.input("random", 16, "a random number");
    begins_ = m_.input("begins", 1, "a list begins");
    subtracts_ = m_.input("subtracts", 1, "the last target's weight leaves the sums");
    draws_ = m_.input("draws", 1, "the random number is used");
    adds_ = m_.input("adds", 1, "the product is added up");
    searches_ = m_.input("searches", 1, "the point's core is found");
    found_out_ = m_.output("found", core_bits_, "the drawn core");
  }

  // The sums from a target on lose its weight, so that no point lies in it again.
  void left() {
    m_.section("Running sums of the weights that are left.");
    sums_q_ = m_.data_reg("sums_q", n_ * sum_bits_, "running sums");
    triple_q_ = m_.data_reg("triple_q", sum_bits_ + 2, "three times the last of them");
    above_q_ = m_.data_reg("above_q", n_, "the sum includes the last target");
    weight_q_ = m_.data_reg("weight_q", weight_bits_, "weight of the last target; 0 in a new list");
    const int bits = sum_bits_ + 2;
    const Expr one = m_.let("once", ~zext(weight_q_, bits), "the weight, negative but for one"),
               two = m_.let("twice", ~zext(cat({weight_q_, lit(1, 0)}), bits), "twice the weight");
    const auto terms = carry_save(m_, "triple", {triple_q_, one, two, lit(bits, 2)});
    const Expr carries = m_.let("triple_carries", terms[1], "carries of the difference");
    const Expr triple = split_sum(m_, "triple_left", terms[0], carries, "three times what is left");
    const Expr sums = m_.wire("sums_left", n_ * sum_bits_, "running sums without the last target");
    const rtl::Module less = sum_without(sum_bits_, weight_bits_);
    m_.repeat("summed", n_, "A sum each.", [&](const Expr& i) {
      m_.instance(less, "without",
                  {{"sum", sums_q_.part(i, sum_bits_)},
                   {"takes", above_q_.at(i)},
                   {"weight", weight_q_},
                   {"left", sums.part(i, sum_bits_)}},
                  "Takes the target's weight.");
    });
    m_.clocked("Sums with and without the target.", [&] {
      m_.when(begins_, [&] {
          m_.set(sums_q_, all_);
          m_.set(triple_q_, triple_);
        }).otherwise([&] {
        m_.when(subtracts_, [&] {
          m_.set(sums_q_, sums);
          m_.set(triple_q_, triple);
        });
      });
    });
  }

  // Random number times total: a multiple of the total for two bits of the number, carry-save, then one
  // addition.
  void product() {
    m_.section("A point below the total: the integer part of random / 65,536 of it.");
    const Expr total =
        m_.let("total", sums_q_.slice(n_ * sum_bits_ - 1, (n_ - 1) * sum_bits_), "all that is left");
    const int bits = sum_bits_ + 2;
    std::vector<Expr> terms;
    for (int d = 0; d < 8; ++d) {
      const Expr low = random_.bit(2 * d), high = random_.bit(2 * d + 1);
      const Expr multiple = m_.let(fmt::format("multiple{}", d),
                                   (zext(total, bits) & replicate(bits, low & ~high)) |
                                       (zext(cat({total, lit(1, 0)}), bits) & replicate(bits, high & ~low)) |
                                       (triple_q_ & replicate(bits, low & high)),
                                   fmt::format("the total times bits {} and {}", 2 * d + 1, 2 * d));
      terms.push_back(zext(d ? cat({multiple, lit(2 * d, 0)}) : multiple, product_bits_));
    }
    terms = carry_save(m_, "product", terms);
    const Expr sum_q = m_.data_reg("product_sum_q", product_bits_, "the product without its carries"),
               carry_q = m_.data_reg("product_carry_q", product_bits_, "and its carries");
    m_.clocked("Kept for the addition.", [&] {
      m_.when(draws_, [&] {
        m_.set(sum_q, terms[0]);
        m_.set(carry_q, terms[1]);
      });
    });
    // The fraction gives but its carry, worked out while the point is added up with and without it.
    const auto half_of = [&](const Expr& q) { return q.slice(product_bits_ - 1, 16); };
    const Expr low_sum = m_.let("low_sum", zext(sum_q.slice(15, 0), 17), "the part below the point"),
               low_carries = m_.let("low_carries", zext(carry_q.slice(15, 0), 17), "and its carries");
    const Expr fraction = split_sum(m_, "fraction", low_sum, low_carries, "both low sums, and their carry");
    m_.unused("unused_fraction", fraction.slice(15, 0), "only its carry is used");
    const Expr plain =
        m_.let("plain_point", half_of(sum_q) + half_of(carry_q), "the point without that carry");
    const Expr more =
        m_.let("carried_point", half_of(sum_q) + half_of(carry_q) + lit(sum_bits_, 1), "and with it");
    point_q_ = m_.data_reg("point_q", sum_bits_, "the point");
    m_.clocked("Kept for the search.",
               [&] { m_.when(adds_, [&] { m_.set(point_q_, rtl::mux(fraction.bit(16), more, plain)); }); });
  }

  // Running sums never fall, so that the first above the point is where they begin to be.
  void target() {
    m_.section("The core in which it lies.");
    const Expr above = m_.wire("above", n_, "the running sum is above the point");
    m_.comb("Compare.", [&] {
      m_.loop("compared", n_,
              [&](const Expr& i) { m_.set(above.at(i), point_q_ < sums_q_.part(i, sum_bits_)); });
    });
    const Expr first = n_ == 1 ? above : above & ~cat({above.slice(n_ - 2, 0), lit(1, 0)});
    const Expr target = m_.let("target", first, "the first, one-hot");
    const Expr weight = m_.wire("target_weight", weight_bits_, "weight of that core");
    m_.comb("By AND and OR.", [&] {
      m_.set(weight, lit(weight_bits_, 0));
      m_.loop("of", n_, [&](const Expr& c) {
        m_.set(weight, weight | (weights_.part(c, weight_bits_) & replicate(weight_bits_, target.at(c))));
      });
    });
    m_.clocked("The target's weight leaves the sums in the next cycle.", [&] {
      m_.when(begins_, [&] { m_.set(weight_q_, lit(weight_bits_, 0)); }).otherwise([&] {
        m_.when(searches_, [&] {
          m_.set(weight_q_, weight);
          m_.set(above_q_, above);
        });
      });
    });
    const Expr core = m_.let("found_bits", own_.with_own_out(target), "the core, one-hot");
    m_.assign(found_out_, number_of(m_, "found_number", core, "number of the core"));
  }

  const int n_, core_bits_, weight_bits_, sum_bits_, product_bits_;
  rtl::Module m_;
  OwnCore own_;
  Expr weights_, all_, triple_, random_, begins_, subtracts_, draws_, adds_, searches_, found_out_;
  Expr sums_q_, triple_q_, above_q_, weight_q_, point_q_;
};

}  // namespace

rtl::Module staged_draw(const CoreSelectorParams& p, const std::string& name) {
  return StagedDrawBuilder(p, name).run();
}

}  // namespace hw
