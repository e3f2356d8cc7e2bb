#include "hw/policy/bucl_threshold_unit.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "hw/policy/bucl_profile.h"
#include "hw/prim/constant_product.h"
#include "hw/prim/last_cycle.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// Loads of a cycle, and what each adds to n accesses - d hits: 0, n or n - d.
enum Load { none, miss, hit };
constexpr std::array loads{none, miss, hit};
constexpr std::array<const char*, 3> load_names{"none", "miss", "hit"};

class BuclThresholdUnitBuilder {
 public:
  BuclThresholdUnitBuilder(const BuclParams& p, const std::string& name)
      : p_(p),
        m_(name, fmt::format("Update unit of the bypass for un-coalesced loads, {}, in periods of {} cycles "
                             "(BUCL, section 4).",
                             profiles(p) ? "profiling" : "dynamic", p.period)) {}

  rtl::Module run() {
    ports();
    period();
    hit_rate();
    buffers();
    thresholds();
    return m_;
  }

 private:
  void ports() {
    kernel_start_ = m_.input("kernel_start", 1, "all registers to their reset values");
    access_ = m_.input("access", 1, "a load of the designated L1 is looked up");
    hit_ = m_.input("hit", 1, "the load is a hit");
    std::vector<Expr> all;
    for (int s = 0; s < p_.sub_partitions; ++s)
      all.insert(all.begin(), m_.input(fmt::format("occupancy{}", s), occupancy_bits(p_),
                                       fmt::format("entries in use of sub-partition {}'s input buffer", s)));
    if (profiles(p_)) issued_ = issued_inputs(m_, p_);
    profiling_ = m_.output("profiling", 1, "SMs compare with thresholds of their own");
    tucd_ = m_.output("tucd", tucd_bits(p_), "loads of more requests bypass");
    hit_rate_low_ = m_.output("hit_rate_low", 1, "the hit rate of the period before was below the threshold");
    buffer_free_ = m_.output("buffer_free", p_.sub_partitions,
                             "sub-partitions whose buffer was little used in the period before");
    occupancy_ = all.size() == 1 ? all[0] : m_.let("occupancy", rtl::cat(all), "of all sub-partitions");
  }

  void period() {
    const int bits = bits_to_number(p_.period);
    m_.section("Cycle of the period.");
    if (bits == 0) {
      last_ = m_.let("last", lit(1, 1), "the cycle is the period");
      return;
    }
    const Expr cycle_q = m_.reg("cycle_q", bits, 0, "cycle of the period");
    last_ = m_.let("last", cycle_q == last_cycle(m_, bits, p_.period), "the cycle is the last of the period");
    m_.clocked("Cycle of the period.",
               [&] { m_.set(cycle_q, (cycle_q + lit(bits, 1)) & ~replicate(bits, last_ | kernel_start_)); });
    m_.observe("cycle", cycle_q);
  }

  // What comes is known late in its cycle: it is counted from flops.
  void hit_rate() {
    m_.section("Accesses and hits of the period.");
    const int bits = bits_up_to(p_.period);
    accesses_q_ = m_.reg("accesses_q", bits, 0, "loads before the cycle before");
    hits_q_ = m_.reg("hits_q", bits, 0, "hits before the cycle before");
    loaded_q_ = m_.reg("loaded_q", 1, 0, "a load of the period in the cycle before");
    hit_q_ = m_.reg("hit_q", 1, 0, "a hit of the period in the cycle before");
    const Expr goes_on = m_.let("goes_on", ~(last_ | kernel_start_), "the next cycle is of the same period");
    const Expr accesses = accesses_q_ + zext(loaded_q_, bits), hits = hits_q_ + zext(hit_q_, bits);
    m_.clocked("Count them a cycle later.", [&] {
      m_.set(loaded_q_, access_ & goes_on);
      m_.set(hit_q_, access_ & hit_ & goes_on);
      m_.set(accesses_q_, accesses & replicate(bits, goes_on));
      m_.set(hits_q_, hits & replicate(bits, goes_on));
    });
    m_.observe("accesses", accesses);
    m_.observe("hits", hits);
    compare();
    keep_rate();
  }

  int weight(Load load) const {
    return load == none ? 0 : p_.hit_rate[0] - (load == hit ? p_.hit_rate[1] : 0);
  }

  // Counts are weighed a cycle late, so the loads of this cycle and of the one before are still to come. What
  // each pair of them would lead to is worked out side by side: the load of this cycle is known last.
  void compare() {
    const int bits = bits_up_to(std::int64_t{p_.hit_rate[1]} * p_.period) + 1;
    const auto constant = [&](int value) {
      return lit(bits, static_cast<std::uint64_t>(value) & (~std::uint64_t{0} >> (64 - bits)));
    };
    m_.section("The hit rate against the threshold.");
    Expr lacking = m_.data_reg("lacking_q", bits,
                               "accesses and hits before the cycle before, weighed: above 0 where hits lack");
    m_.clocked("Weigh the counts.", [&] {
      const auto needed = static_cast<unsigned>(p_.hit_rate[0]), of = static_cast<unsigned>(p_.hit_rate[1]);
      m_.set(lacking,
             times(accesses_q_, needed, bits) - times(hits_q_, of, bits) +
                 mux(hit_q_, constant(weight(hit)), mux(loaded_q_, constant(weight(miss)), constant(0))));
    });
    const std::array<Expr, 3> before{~loaded_q_, loaded_q_ & ~hit_q_, hit_q_};
    // Weighed counts with the loads of two cycles, in either order.
    std::map<int, Expr> sums;
    const auto sum_with = [&](Load now, Load past) {
      const int added = weight(now) + weight(past);
      if (added == 0 && !sums.contains(added)) sums[added] = lacking;
      if (!sums.contains(added))
        sums[added] =
            m_.let(fmt::format("lacking_{}_{}", load_names[now], load_names[past]), lacking + constant(added),
                   fmt::format("with {} now and {} before", load_names[now], load_names[past]));
      return sums[added];
    };
    // The decision if this cycle's load is `now`, by the one before.
    const auto judged = [&](Load now, const std::string& what, const char* doc, auto decision) {
      rtl::Optional any;
      for (const Load past : loads) any |= before[past] & decision(sum_with(now, past));
      return m_.let(fmt::format("{}_{}", what, load_names[now]), *any, doc);
    };
    const auto negative = [&](const Expr& sum) { return sum.bit(bits - 1); };
    for (const Load now : loads) {
      low_[now] = judged(now, "low", "the rate would be below the threshold",
                         [&](const Expr& sum) { return ~negative(sum) & rtl::any(sum); });
      if (!profiles(p_)) good_[now] = judged(now, "good", "the rate would be above the threshold", negative);
    }
  }

  // A value that moves as a period with accesses ends; what this cycle's load makes of it is chosen last.
  Expr concluded(const std::string& what, const Expr& value, auto decision) {
    const auto after = [&](Load now) {
      const Expr ends = now == none ? last_ & (loaded_q_ | rtl::any(accesses_q_)) : last_;
      return m_.let(fmt::format("{}_after_{}", what, load_names[now]), mux(ends, decision(now), value),
                    fmt::format("the decision if {} comes", now == none ? "no load" : load_names[now]));
    };
    const Expr if_none = after(none), if_miss = after(miss), if_hit = after(hit);
    return mux(access_, mux(hit_, if_hit, if_miss), if_none);
  }

  void keep_rate() {
    const Expr low_q = m_.reg("hit_rate_low_q", 1, 0, "the rate of the last period with accesses was low");
    const Expr next = concluded("low", low_q, [&](Load now) { return low_[now]; });
    m_.clocked("Keep it.", [&] {
      m_.when(kernel_start_, [&] { m_.set(low_q, lit(1, 0)); }).otherwise([&] { m_.set(low_q, next); });
    });
    m_.assign(hit_rate_low_, low_q);
    m_.observe("hit_rate_low", low_q);
  }

  void buffers() {
    const std::int64_t most = std::int64_t{p_.buffer_entries} * p_.period;
    const int bits = bits_up_to(most), entry_bits = occupancy_bits(p_), n = p_.sub_partitions;
    // The least sum that is too much.
    const std::int64_t limit = (p_.buffer_use[0] * most + p_.buffer_use[1] - 1) / p_.buffer_use[1];
    m_.section("Use of the input buffers.");
    std::optional<Expr> too_much;
    if (limit)
      too_much = m_.constant("USE_LIMIT", bits, static_cast<std::uint64_t>(limit),
                             "least sum of a period that is too much");
    const Expr sums_q =
        m_.reg("sums_q", n * bits, 0, "entries in use, added up over the period, by sub-partition");
    const Expr sums = m_.wire("sums", n * bits, "sums with this cycle's counts");
    const Expr free = m_.wire("little_used", n, "the sum is below the limit");
    m_.comb("Sums with this cycle's, and whether they are small.", [&] {
      m_.loop("p", n, [&](const Expr& p) {
        m_.set(sums.part(p, bits), sums_q.part(p, bits) + zext(occupancy_.part(p, entry_bits), bits));
        m_.set(free.at(p), too_much ? sums.part(p, bits) < *too_much : lit(1, 0));
      });
    });
    const Expr free_q = m_.reg("buffer_free_q", n, 0, "the buffers were little used in the period before");
    m_.clocked("Add up, and conclude at the end of the period.", [&] {
      m_.set(sums_q, sums & ~replicate(n * bits, last_ | kernel_start_));
      m_.when(kernel_start_, [&] { m_.set(free_q, lit(n, 0)); }).otherwise([&] {
        m_.when(last_, [&] { m_.set(free_q, free); });
      });
    });
    m_.assign(buffer_free_, free_q);
    m_.observe("buffer_free", free_q, {{"sub-partition", n}});
    m_.observe("sum", sums_q, {{"sub-partition", n}});
  }

  void thresholds() {
    const int bits = tucd_bits(p_);
    const auto constant = [&](const char* name, int value) {
      return m_.constant(name, bits, static_cast<std::uint64_t>(value));
    };
    std::optional<BuclProfile> profile;
    if (profiles(p_)) profile = add_profile(m_, p_, kernel_start_, issued_);
    m_.section("Threshold of the un-coalescing degree.");
    const Expr initial = constant("TUCD_INITIAL", p_.initial), tucd_q = m_.reg("tucd_q", initial, "TUCD");
    Expr next;
    if (profile) {
      next = mux(profile->found, profile->threshold, tucd_q);
    } else {
      const Expr highest = constant("TUCD_HIGHEST", p_.highest), lowest = constant("TUCD_LOWEST", p_.lowest);
      const Expr up =
          m_.let("up", mux(tucd_q == highest, tucd_q, tucd_q + lit(bits, 1)), "one more, up to the highest");
      const Expr down = m_.let("down", mux(tucd_q == lowest, tucd_q, tucd_q - lit(bits, 1)),
                               "one less, down to the lowest");
      next = concluded("tucd", tucd_q, [&](Load now) { return mux(good_[now], up, down); });
    }
    m_.clocked(
        profile ? "The winner's, as the search ends."
                : "A step a period, up where the rate is above the threshold.",
        [&] {
          m_.when(kernel_start_, [&] { m_.set(tucd_q, initial); }).otherwise([&] { m_.set(tucd_q, next); });
        });
    m_.assign(tucd_, tucd_q);
    m_.assign(profiling_, profile ? profile->profiling : lit(1, 0));
    m_.observe("tucd", tucd_q);
  }

  const BuclParams& p_;
  rtl::Module m_;
  Expr kernel_start_, access_, hit_, occupancy_, issued_;
  Expr profiling_, tucd_, hit_rate_low_, buffer_free_;
  Expr last_, accesses_q_, hits_q_, loaded_q_, hit_q_;
  std::array<Expr, 3> low_, good_;  // by the load of this cycle
};

}  // namespace

rtl::Module bucl_threshold_unit(const BuclParams& p, const std::string& name) {
  check(p);
  return BuclThresholdUnitBuilder(p, name).run();
}

}  // namespace hw
