#include "hw/remote/core_weights.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/own_core.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// The smallest of n numbers, pair by pair.
rtl::Module smallest_of(int n, int width) {
  rtl::Module m(fmt::format("smallest_of_{}_w{}", n, width),
                fmt::format("The smallest of {} numbers, pair by pair.", n));
  const Expr numbers = m.input("numbers", n * width, "the numbers");
  const Expr smallest = m.output("smallest", width, "the smallest of them");
  std::vector<Expr> left;
  for (int i = 0; i < n; ++i) left.push_back(numbers.slice((i + 1) * width - 1, i * width));
  for (int level = 1; left.size() > 1; ++level) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2)
      next.push_back(m.let(fmt::format("least{}_{}", level, i / 2),
                           mux(left[i + 1] < left[i], left[i + 1], left[i]), "the smaller one of a pair"));
    if (left.size() % 2) next.push_back(left.back());
    left = next;
  }
  m.assign(smallest, left[0]);
  return m;
}

class CoreWeightsBuilder {
 public:
  CoreWeightsBuilder(const CoreSelectorParams& p, const std::string& name)
      : p_(p),
        n_(p.cores - 1),
        count_bits_(p.count_bits),
        weight_bits_(p.count_bits + 1),
        group_((n_ + 3) / 4),
        m_(name,
           fmt::format("Counts the replies of {} cores, and weighs the cores by those of the period before "
                       "(DC-L1 thesis, section 3.3.3).",
                       n_)),
        own_(m_, p.core, p.cores) {}

  rtl::Module run() {
    ports();
    counts();
    if (!p_.stages) smallest();
    weights();
    return m_;
  }

 private:
  void ports() {
    clear_ = m_.input("clear", 1, "begin again: no replies, equal weights");
    reply_ = m_.input("reply", 1, "a core has sent data");
    reply_core_ = m_.input("reply_core", bits_to_number(p_.cores), "the core that replied");
    rolls_ = m_.input("rolls", 1, "twice the counts become weights, and counts begin again");
    smooths_ = m_.input("smooths", 1, "cores without weight get half of the smallest one");
    if (p_.stages) half_ = m_.input("half", weight_bits_, "half of the smallest one");
    weights_out_ = m_.output("weights", n_ * weight_bits_, "of the other cores, ascending");
  }

  void counts() {
    m_.section("Replies.");
    count_q_ = m_.reg("count_q", n_ * count_bits_, 0, "replies of the core in this period, up to all ones");
    const Expr core =
        one_hot_of(m_, "core_bits", reply_, reply_core_, p_.cores, "the core that has sent data, one-hot");
    const Expr replied =
        m_.let("replied", own_.without_own(core), "the core that replied among the others, one-hot");
    m_.clocked("Count; what comes as counts become weights is the new period's.", [&] {
      m_.when(clear_, [&] { m_.set(count_q_, lit(n_ * count_bits_, 0)); }).otherwise([&] {
        m_.loop("of", n_, [&](const Expr& c) {
          const Expr count = count_q_.part(c, count_bits_);
          m_.when(rolls_, [&] { m_.set(count, rtl::zext(replied.at(c), count_bits_)); }).otherwise([&] {
            m_.when(replied.at(c) & ~rtl::all(count), [&] { m_.set(count, count + lit(count_bits_, 1)); });
          });
        });
      });
    });
    m_.observe("count", count_q_, {{"other", n_}});
  }

  // A count of 0 stands behind all others. Groups first, so that it takes two cycles.
  void smallest() {
    m_.section("The smallest count that is not 0.");
    const int groups = selector_groups(p_), places = groups * group_;
    const Expr rank = m_.wire("rank", n_ * weight_bits_, "the count, with a bit above it where it is 0");
    m_.comb("Counts of 0 last.", [&] {
      m_.loop("rank_of", n_, [&](const Expr& c) {
        const Expr count = count_q_.part(c, count_bits_);
        m_.set(rank.part(c, weight_bits_), rtl::cat({~rtl::any(count), count}));
      });
    });
    const Expr ranks = places == n_
                           ? rank
                           : m_.let("ranks", rtl::cat({rtl::ones((places - n_) * weight_bits_), rank}),
                                    "ranks, in groups of one size");
    const Expr least_q = m_.data_reg("least_q", groups * weight_bits_, "the smallest of each group");
    const Expr least = m_.wire("least", groups * weight_bits_, "of each group, in this cycle");
    const rtl::Module one = smallest_of(group_, weight_bits_);
    m_.repeat("group", groups, "A group each.", [&](const Expr& g) {
      m_.instance(
          one, "of_group",
          {{"numbers", ranks.part(g, group_ * weight_bits_)}, {"smallest", least.part(g, weight_bits_)}},
          "Compares in pairs.");
    });
    m_.clocked("Kept for the next cycle.", [&] { m_.when(rolls_, [&] { m_.set(least_q, least); }); });
    const Expr all = m_.wire("smallest", weight_bits_, "of all");
    m_.instance(smallest_of(groups, weight_bits_), "of_all", {{"numbers", least_q}, {"smallest", all}},
                "Compares the groups.");
    half_ = m_.let("half", mux(all.bit(count_bits_), lit(weight_bits_, 1), all),
                   "half the weight of the smallest count; 1 where all are 0");
  }

  void weights() {
    m_.section("Weights.");
    std::vector<std::uint64_t> reset((static_cast<std::size_t>(n_ * weight_bits_) + 63) / 64);
    for (int c = 0; c < n_; ++c)
      reset[static_cast<std::size_t>(c * weight_bits_) / 64] |= std::uint64_t{1} << c * weight_bits_ % 64;
    const Expr weight_q = m_.wide_reg("weight_q", n_ * weight_bits_, reset, "the core's weight");
    m_.clocked("Weights of a period.", [&] {
      m_.when(clear_, [&] { m_.set(weight_q, rtl::wide_lit(n_ * weight_bits_, reset)); }).otherwise([&] {
        m_.loop("to", n_, [&](const Expr& c) {
          const Expr weight = weight_q.part(c, weight_bits_);
          m_.when(rolls_, [&] { m_.set(weight, rtl::cat({count_q_.part(c, count_bits_), lit(1, 0)})); });
          m_.when(smooths_ & ~rtl::any(weight), [&] { m_.set(weight, half_); });
        });
      });
    });
    m_.assign(weights_out_, weight_q);
    m_.observe("weight", weight_q, {{"other", n_}});
  }

  const CoreSelectorParams& p_;
  const int n_, count_bits_, weight_bits_, group_;
  rtl::Module m_;
  OwnCore own_;
  Expr clear_, reply_, reply_core_, rolls_, smooths_, weights_out_, count_q_, half_;
};

}  // namespace

int selector_groups(const CoreSelectorParams& p) {
  const int group = (p.cores - 1 + 3) / 4;
  return (p.cores - 1 + group - 1) / group;
}

rtl::Module core_weights(const CoreSelectorParams& p, const std::string& name) {
  return CoreWeightsBuilder(p, name).run();
}

}  // namespace hw
