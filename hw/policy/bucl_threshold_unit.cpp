#include "hw/policy/bucl_threshold_unit.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "hw/policy/bucl_profile.h"
#include "hw/prim/constant_product.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// Loads of a cycle, and what each adds to n accesses - d hits: 0, n or n - d.
enum Load { none, miss, hit };
constexpr std::array loads{none, miss, hit};
constexpr std::array<const char*, 3> load_names{"none", "miss", "hit"};

class Builder {
 public:
  Builder(const BuclParams& p, const std::string& name)
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
    last_ = m_.let("last", cycle_q == lit(bits, static_cast<std::uint64_t>(p_.period) - 1),
                   "the cycle is the last of the period");
    m_.clocked("Cycle of the period.",
               [&] { m_.set(cycle_q, (cycle_q + lit(bits, 1)) & ~replicate(bits, last_ | kernel_start_)); });
    m_.observe("cycle", cycle_q);
  }

  void hit_rate() {
    m_.section("Accesses and hits of the period.");
    const int bits = bits_up_to(p_.period);
    accesses_q_ = m_.reg("accesses_q", bits, 0, "loads so far");
    hits_q_ = m_.reg("hits_q", bits, 0, "hits so far");
    is_hit_ = m_.let("is_hit", access_ & hit_, "a load is a hit");
    const Expr one_more = m_.let("one_more", accesses_q_ + lit(bits, 1), "loads with this cycle's");
    const Expr one_more_hit = m_.let("one_more_hit", hits_q_ + lit(bits, 1), "hits with this cycle's");
    const Expr goes_on = ~replicate(bits, last_ | kernel_start_);
    m_.clocked("Count them.", [&] {
      m_.set(accesses_q_, mux(access_, one_more, accesses_q_) & goes_on);
      m_.set(hits_q_, mux(is_hit_, one_more_hit, hits_q_) & goes_on);
    });
    m_.observe("accesses", accesses_q_);
    m_.observe("hits", hits_q_);
    compare();
    keep_rate();
  }

  // Counts are weighed a cycle late, so the loads of this cycle and of the one before are still to come. What
  // each pair of them would lead to is worked out beside each other: the load of this cycle is known last.
  void compare() {
    const auto needed = static_cast<unsigned>(p_.hit_rate[0]), of = static_cast<unsigned>(p_.hit_rate[1]);
    const int bits = bits_up_to(std::int64_t{p_.hit_rate[1]} * p_.period) + 1;
    m_.section("The hit rate against the threshold.");
    Expr lacking;
    std::array<Expr, 3> before{lit(1, 1), lit(1, 0), lit(1, 0)};
    if (p_.period > 1) {
      lacking = m_.data_reg("lacking_q", bits,
                            "accesses and hits weighed, before the cycle before: above 0 where hits lack");
      const Expr loaded_q = m_.data_reg("loaded_q", 1, "a load in the cycle before");
      const Expr hit_q = m_.data_reg("hit_q", 1, "a hit in the cycle before");
      m_.clocked("Weigh the counts.", [&] {
        m_.set(lacking, times(accesses_q_, needed, bits) - times(hits_q_, of, bits));
        m_.set(loaded_q, access_);
        m_.set(hit_q, is_hit_);
      });
      before = {~loaded_q, loaded_q & ~hit_q, hit_q};
    } else {
      lacking = m_.let("lacking", lit(bits, 0), "nothing comes before the cycle that is the period");
    }
    const auto weight = [&](Load load) {
      return load == none ? 0 : static_cast<int>(needed) - (load == hit ? static_cast<int>(of) : 0);
    };
    // Weighed counts with the loads of two cycles, in either order.
    std::map<int, Expr> sums;
    const auto sum_with = [&](Load now, Load past) {
      const int added = weight(now) + weight(past);
      if (added == 0 && !sums.contains(added)) sums[added] = lacking;
      if (!sums.contains(added))
        sums[added] = m_.let(
            fmt::format("lacking_{}_{}", load_names[now], load_names[past]),
            lacking + lit(bits, static_cast<std::uint64_t>(added) & (~std::uint64_t{0} >> (64 - bits))),
            fmt::format("with {} now and {} before", load_names[now], load_names[past]));
      return sums[added];
    };
    // The verdict if this cycle's load is `now`, by the one before.
    const auto judged = [&](Load now, const std::string& what, const char* doc, auto verdict) {
      Expr any;
      for (const Load past : loads) {
        const Expr here = before[past] & verdict(sum_with(now, past));
        any = any.known() ? any | here : here;
      }
      return m_.let(fmt::format("{}_{}", what, load_names[now]), any, doc);
    };
    const auto settled = [&](const std::string& what, const char* doc, auto verdict) {
      const Expr if_none = judged(none, what, "if no load comes", verdict),
                 if_miss = judged(miss, what, "if a miss comes", verdict),
                 if_hit = judged(hit, what, "if a hit comes", verdict);
      return m_.let(what, mux(access_, mux(is_hit_, if_hit, if_miss), if_none), doc);
    };
    const auto negative = [&](const Expr& sum) { return sum.bit(bits - 1); };
    low_ = settled("low", "the rate is below the threshold, this cycle's load included",
                   [&](const Expr& sum) { return ~negative(sum) & rtl::any(sum); });
    if (!profiles(p_)) good_ = settled("good", "the rate is above the threshold", negative);
  }

  void keep_rate() {
    concludes_ =
        m_.let("concludes", last_ & (access_ | rtl::any(accesses_q_)), "a period with accesses ends");
    const Expr low_q = m_.reg("hit_rate_low_q", 1, 0, "the rate of the last period with accesses was low");
    m_.clocked("Keep it.", [&] {
      m_.when(kernel_start_, [&] { m_.set(low_q, lit(1, 0)); }).otherwise([&] {
        m_.when(concludes_, [&] { m_.set(low_q, low_); });
      });
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
    const Expr sums_q =
        m_.reg("sums_q", n * bits, 0, "entries in use, added up over the period, by sub-partition");
    const Expr sums = m_.wire("sums", n * bits, "with this cycle's");
    const Expr free = m_.wire("little_used", n, "the sum is below the limit");
    m_.comb("Sums with this cycle's, and whether they are small.", [&] {
      m_.loop("p", n, [&](const Expr& p) {
        m_.set(sums.part(p, bits), sums_q.part(p, bits) + zext(occupancy_.part(p, entry_bits), bits));
        m_.set(free.at(p), sums.part(p, bits) < lit(bits, static_cast<std::uint64_t>(limit)));
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
    const auto constant = [&](int value) { return lit(bits, static_cast<std::uint64_t>(value)); };
    std::optional<BuclProfile> profile;
    if (profiles(p_)) profile = add_profile(m_, p_, kernel_start_, issued_);
    m_.section("Threshold of the un-coalescing degree.");
    const Expr tucd_q = m_.reg("tucd_q", bits, static_cast<std::uint64_t>(p_.initial), "TUCD");
    const Expr moves = profile ? profile->found : concludes_;
    Expr next;
    if (profile) {
      next = profile->threshold;
    } else {
      const Expr up = mux(tucd_q == constant(p_.highest), tucd_q, tucd_q + constant(1));
      const Expr down = mux(tucd_q == constant(p_.lowest), tucd_q, tucd_q - constant(1));
      next = mux(good_, m_.let("up", up, "one more, up to the highest"),
                 m_.let("down", down, "one less, down to the lowest"));
    }
    m_.clocked(profile ? "The winner's, as the search ends."
                       : "One step a period, up where the rate is above the threshold.",
               [&] {
                 m_.when(kernel_start_, [&] { m_.set(tucd_q, constant(p_.initial)); }).otherwise([&] {
                   m_.when(moves, [&] { m_.set(tucd_q, next); });
                 });
               });
    m_.assign(tucd_, tucd_q);
    m_.assign(profiling_, profile ? profile->profiling : lit(1, 0));
    m_.observe("tucd", tucd_q);
  }

  const BuclParams& p_;
  rtl::Module m_;
  Expr kernel_start_, access_, hit_, occupancy_, issued_;
  Expr profiling_, tucd_, hit_rate_low_, buffer_free_;
  Expr last_, accesses_q_, hits_q_, is_hit_, low_, good_, concludes_;
};

}  // namespace

rtl::Module bucl_threshold_unit(const BuclParams& p, const std::string& name) {
  check(p);
  return Builder(p, name).run();
}

}  // namespace hw
