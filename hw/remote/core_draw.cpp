#include "hw/remote/core_draw.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/own_core.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate, rtl::zext;

// Numbers whose running sums are as wide: the first, the second, two more, four more ...
struct Class {
  int first = 0, count = 0, sum_bits = 0;
};

std::vector<Class> classes_of(int n, int width) {
  std::vector<Class> all{{0, 1, width}};
  for (int first = 1; first < n; first *= 2)
    all.push_back({first, std::min(first, n - first), all.back().sum_bits + 1});
  return all;
}

std::string sums_from(const Class& c) { return fmt::format("sums_from_{}", c.first); }

// The last step: the upper half adds the sum of the lower one.
void add_to_all(rtl::Module& m, const Expr& reach, const Class& c, const Expr& sums) {
  const int bits = c.sum_bits, before = bits - 1;
  const Expr base =
      m.let("lower_half", reach.slice(c.first * before - 1, (c.first - 1) * before), "sum of the lower half");
  const Expr upper = m.let("upper_half", reach.slice((c.first + c.count) * before - 1, c.first * before),
                           "sums within the upper half");
  if (c.first > 1)
    m.unused("unused_quarter", reach.slice(c.first / 2 * before - 1, 0), "sums that were complete before");
  m.comb("The upper half adds the sum of the lower one.", [&] {
    m.loop("upper", c.count, [&](const Expr& i) {
      m.set(sums.part(i, bits), zext(upper.part(i, before), bits) + zext(base, bits));
    });
  });
}

// Sums of the first one, two, ... of n numbers. In each step the upper halves add what lies below them; a sum
// is complete with the step of its highest bit, and no wider.
rtl::Module running_sums(int n, int width, const std::string& name) {
  rtl::Module m(
      name, fmt::format("The sums of the first one, two .. of {} numbers, in steps of doubled reach.", n));
  Expr reach = m.input("numbers", n * width, "the numbers");
  const std::vector<Class> classes = classes_of(n, width);
  std::vector<Expr> sums;
  for (const Class& c : classes)
    sums.push_back(m.output(sums_from(c), c.count * c.sum_bits,
                            c.count == 1
                                ? fmt::format("sum of the first {}", c.first + 1)
                                : fmt::format("sums of the first {} to {}", c.first + 1, c.first + c.count)));
  m.assign(sums[0], reach.slice(width - 1, 0));
  const int index_bits = bits_to_number(n);
  for (int bit = 0; bit < index_bits; ++bit) {
    const Class& c = classes[static_cast<std::size_t>(bit) + 1];
    const int bits = c.sum_bits;
    const Expr& sum = sums[static_cast<std::size_t>(bit) + 1];
    if (bit + 1 == index_bits) {
      add_to_all(m, reach, c, sum);
      break;
    }
    const Expr next = m.wire(fmt::format("sums_of_{}", 2 << bit), n * bits,
                             fmt::format("sums within {} neighbours", 2 << bit));
    m.comb(fmt::format("Upper halves of {} add the last sum of the lower half.", 2 << bit), [&] {
      m.loop(fmt::format("at{}", bit), n, [&](const Expr& i) {
        const Expr upper = i.slice(bit, bit);
        std::vector<Expr> base;  // the last position of the lower half; of a lower half its own
        if (bit + 1 < index_bits) base.push_back(i.slice(index_bits - 1, bit + 1));
        base.push_back(lit(1, 0));
        if (bit > 0) base.push_back(i.slice(bit - 1, 0) | replicate(bit, upper));
        const Expr below = reach.part_below(cat(base), bits - 1) & replicate(bits - 1, upper);
        m.set(next.part(i, bits), zext(reach.part(i, bits - 1), bits) + zext(below, bits));
      });
    });
    m.assign(sum, next.slice((c.first + c.count) * bits - 1, c.first * bits));
    reach = next;
  }
  return m;
}

class CoreDrawBuilder {
 public:
  CoreDrawBuilder(const CoreSelectorParams& p, const std::string& name)
      : p_(p),
        n_(p.cores - 1),
        weight_bits_(p.count_bits + 1),
        sum_bits_(weight_sum_bits(p)),
        classes_(classes_of(n_, weight_bits_)),
        m_(name,
           fmt::format("Draws cores by their weights, none twice: a point of the weights' sum, and the core "
                       "of {} in which it lies (DC-L1 thesis, section 3.3.3).",
                       n_)),
        own_(m_, p.core, p.cores) {}

  rtl::Module run() {
    ports();
    sums();
    point();
    target();
    return m_;
  }

 private:
  void ports() {
    clear_ = m_.input("clear", 1, "begin again");
    weights_ = m_.input("weights", n_ * weight_bits_, "of the other cores, ascending");
    random_ = m_.input("random", 16, "a random number");
    begins_ = m_.input("begins", 1, "a list begins");
    draws_ = m_.input("draws", 1, "a point is drawn");
    searches_ = m_.input("searches", 1, "the point's core is found");
    completes_ = m_.input("completes", 1, "the core is the last of the list");
    found_out_ = m_.output("found", bits_to_number(p_.cores), "the drawn core");
  }

  void sums() {
    m_.section("Running sums of the weights that are left.");
    chosen_q_ = m_.reg("chosen_q", n_, 0, "cores of the list so far");
    const Expr left = m_.wire("left", n_ * weight_bits_, "weights of the others");
    m_.comb("Without those of the list.", [&] {
      m_.loop("weight", n_, [&](const Expr& c) {
        m_.set(left.part(c, weight_bits_),
               weights_.part(c, weight_bits_) & replicate(weight_bits_, ~chosen_q_.at(c)));
      });
    });
    std::vector<std::pair<std::string, Expr>> pins{{"numbers", left}};
    for (const Class& c : classes_) {
      sums_.push_back(m_.wire(sums_from(c), c.count * c.sum_bits, "running sums"));
      pins.emplace_back(sums_from(c), sums_.back());
    }
    m_.instance(running_sums(n_, weight_bits_, m_.name() + "_sums"), "adder", pins, "Adds up.");
    total_q_ = m_.data_reg("total_q", sum_bits_, "all that is left");
    for (const Class& c : classes_)
      sums_q_.push_back(m_.data_reg(sums_from(c) + "_q", c.count * c.sum_bits,
                                    "running sums while a point is searched for"));
    m_.clocked("Kept while the point is worked out.", [&] {
      m_.when(draws_, [&] {
        for (std::size_t k = 0; k < sums_.size(); ++k) m_.set(sums_q_[k], sums_[k]);
      });
    });
  }

  // The integer part of random / 65,536 of the total.
  void point() {
    const int bits = sum_bits_ + 16;
    m_.section("A point below the total.");
    const Expr product = m_.wire("product", bits, "the random number times the total");
    const Expr addend = m_.wire("addend", bits, "the total times a power of two");
    m_.comb("Multiply.", [&] {
      m_.set(product, lit(bits, 0));
      m_.set(addend, zext(total_q_, bits));
      m_.loop("digit", 16, [&](const Expr& d) {
        m_.set(product, product + (addend & replicate(bits, random_.at(d))));
        m_.set(addend, cat({addend.slice(bits - 2, 0), lit(1, 0)}));
      });
    });
    m_.unused("unused_fraction", product.slice(15, 0), "the fraction is dropped");
    point_q_ = m_.data_reg("point_q", sum_bits_, "the point");
    m_.clocked("Kept for the search.",
               [&] { m_.when(draws_, [&] { m_.set(point_q_, product.slice(bits - 1, 16)); }); });
  }

  Expr above_point(std::size_t k) {
    const Class& c = classes_[k];
    const std::string name = fmt::format("above_from_{}", c.first);
    const auto compared = [&](const Expr& sum) { return point_q_ < zext(sum, sum_bits_); };
    if (c.count == 1) return m_.let(name, compared(sums_q_[k]), "the sum is above the point");
    const Expr above = m_.wire(name, c.count, "the sum is above the point");
    m_.comb(fmt::format("Compare sums from {} on.", c.first), [&] {
      m_.loop(fmt::format("sum{}", c.first), c.count,
              [&](const Expr& i) { m_.set(above.at(i), compared(sums_q_[k].part(i, c.sum_bits))); });
    });
    return above;
  }

  // Running sums never fall, so that the first above the point is where they begin to be.
  void target() {
    m_.section("The core in which it lies.");
    std::vector<Expr> parts;
    for (std::size_t k = 0; k < classes_.size(); ++k) parts.insert(parts.begin(), above_point(k));
    const Expr above = m_.let("above", cat(parts), "the running sum is above the point");
    const Expr first = n_ == 1 ? above : above & ~cat({above.slice(n_ - 2, 0), lit(1, 0)});
    const Expr target = m_.let("target", first, "the first, one-hot");
    const Expr weight = m_.wire("target_weight", weight_bits_, "weight of that core");
    m_.comb("By AND and OR.", [&] {
      m_.set(weight, lit(weight_bits_, 0));
      m_.loop("of", n_, [&](const Expr& c) {
        m_.set(weight, weight | (weights_.part(c, weight_bits_) & replicate(weight_bits_, target.at(c))));
      });
    });
    m_.clocked("The list, and what is left of the weights.", [&] {
      m_.when(clear_ | completes_, [&] { m_.set(chosen_q_, lit(n_, 0)); }).otherwise([&] {
        m_.when(searches_, [&] { m_.set(chosen_q_, chosen_q_ | target); });
      });
      m_.when(begins_, [&] {
          const Expr& last = sums_.back();
          m_.set(total_q_, last.slice(last.width() - 1, last.width() - sum_bits_));
        }).otherwise([&] {
        m_.when(searches_, [&] { m_.set(total_q_, total_q_ - zext(weight, sum_bits_)); });
      });
    });
    const Expr core = m_.let("found_bits", own_.with_own_out(target), "the core, one-hot");
    m_.assign(found_out_, number_of(m_, "found_number", core, "number of the core"));
  }

  const CoreSelectorParams& p_;
  const int n_, weight_bits_, sum_bits_;
  const std::vector<Class> classes_;
  rtl::Module m_;
  OwnCore own_;
  Expr clear_, weights_, random_, begins_, draws_, searches_, completes_, found_out_;
  std::vector<Expr> sums_, sums_q_;  // by class
  Expr chosen_q_, total_q_, point_q_;
};

}  // namespace

int weight_sum_bits(const CoreSelectorParams& p) { return p.count_bits + 1 + bits_to_number(p.cores - 1); }

int running_sum_bits(const CoreSelectorParams& p) {
  int bits = 0;
  for (const Class& c : classes_of(p.cores - 1, p.count_bits + 1)) bits += c.count * c.sum_bits;
  return bits;
}

rtl::Module core_draw(const CoreSelectorParams& p, const std::string& name) {
  return CoreDrawBuilder(p, name).run();
}

}  // namespace hw
