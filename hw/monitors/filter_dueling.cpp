#include "hw/monitors/filter_dueling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "hw/geometry_ranges.h"
#include "hw/monitors/dueling_ranges.h"
#include "hw/prim/constant_product.h"
#include "hw/prim/last_cycle.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

constexpr std::uint64_t decided_in = 30;  // cycle of the next interval at whose end the decision is made

// Miss rates m0 / a0 and m1 / a1 are compared as a1 * (100 m0) > a0 * (100 m1 + margin a1), with the divisors
// that 100 and the margin share left out. The two products are subtracted bit by bit of a1 and a0, from the
// top: one step a cycle, twice the difference so far and what the next bits add to it.
struct DuelingBuilder {
  const FilterDuelingParams& p;
  rtl::Module m;
  const int block_bits = p.address_bits - bits_to_number(p.line_bytes);
  const int shared = std::gcd(100, p.margin_percent);
  const unsigned hundred = static_cast<unsigned>(100 / shared),
                 margin = static_cast<unsigned>(p.margin_percent / shared);
  const int count_bits = bits_to_number(p.interval + 1), cycle_bits = bits_to_number(p.interval);
  const std::uint64_t most = static_cast<std::uint64_t>(p.interval) * (hundred + margin);
  const int factor_bits = rtl::clog2(most + 1);
  const int difference_bits = rtl::clog2(most * static_cast<std::uint64_t>(p.interval) + 1) + 1;

  std::array<Expr, 2> valid = {}, miss = {}, loads = {}, misses = {};
  Expr cycle_q = {}, last = {}, decides_q = {}, difference_q = {}, enable_q = {}, enable_out = {};

  void ports() {
    for (int k = 0; k < 2; ++k) {
      const std::string name = fmt::format("probe{}_", k);
      valid[k] = m.input(name + "valid", 1,
                         fmt::format("a load leaves the tag-lookup stage of the cache {} the filter",
                                     k ? "without" : "with"));
      const Expr block =
          m.input(name + "block_address", block_bits, "line of the load, which does not count");
      miss[k] = m.input(name + "miss", 1, "the load is neither a HIT nor a HIT_PENDING");
      m.unused(fmt::format("unused_address{}", k), block, "only miss rates are compared");
    }
    enable_out = m.output("filter_enable", 1, "the caches that follow use their filter");
  }

  void counters() {
    m.section("Loads and misses of an interval.");
    cycle_q = m.reg("cycle_q", cycle_bits, 0, "cycle of the interval");
    last = m.let("last", cycle_q == last_cycle(m, cycle_bits, p.interval),
                 "the cycle is the last of the interval");
    std::array<Expr, 2> loads_now = {}, misses_now = {};
    for (int k = 0; k < 2; ++k) {
      const Expr loads_q = m.reg(fmt::format("loads{}_q", k), count_bits, 0, "loads so far");
      const Expr misses_q = m.reg(fmt::format("misses{}_q", k), count_bits, 0, "misses so far");
      loads_now[k] = m.let(fmt::format("loads{}_now", k), loads_q + rtl::zext(valid[k], count_bits),
                           "this cycle's included");
      misses_now[k] = m.let(fmt::format("misses{}_now", k),
                            misses_q + rtl::zext(valid[k] & miss[k], count_bits), "this cycle's included");
      m.clocked(fmt::format("Count those of cache {}.", k), [&] {
        m.set(loads_q, loads_now[k] & ~replicate(count_bits, last));
        m.set(misses_q, misses_now[k] & ~replicate(count_bits, last));
      });
    }
    m.section("Result of the interval before.");
    decides_q = m.reg("decides_q", 1, 0, "both caches had loads");
    for (int k = 0; k < 2; ++k) {
      loads[k] = m.data_reg(fmt::format("all_loads{}_q", k), count_bits, "loads of the cache");
      misses[k] = m.data_reg(fmt::format("all_misses{}_q", k), count_bits, "misses of the cache");
    }
    m.clocked("Cycle of the interval.", [&] {
      m.set(cycle_q, (cycle_q + lit(cycle_bits, 1)) & ~replicate(cycle_bits, last));
      m.when(last, [&] { m.set(decides_q, rtl::any(loads_now[0]) & rtl::any(loads_now[1])); });
    });
    m.clocked("Keep the counts.", [&] {
      m.when(last, [&] {
        for (int k = 0; k < 2; ++k) {
          m.set(loads[k], loads_now[k]);
          m.set(misses[k], misses_now[k]);
        }
      });
    });
  }

  // The factors are there from cycle 1 on, what bit k from the top adds is there in cycle k + 2.
  void comparison() {
    m.section("The two products, subtracted from the top bit on: a positive difference means no filter.");
    const Expr with = m.data_reg("factor0_q", factor_bits, "of the loads without filter");
    const Expr without =
        m.data_reg("factor1_q", factor_bits, "of the loads with filter: so many misses are still no loss");
    const int step_bits = bits_to_number(count_bits + 1);
    // Chosen a cycle ahead, so that the difference of the factors starts at a register.
    const auto next_bit = [&](int k) {
      std::vector<Expr> reversed{lit((1 << step_bits) - count_bits, 0)};
      for (int b = 0; b < count_bits; ++b) reversed.push_back(loads[k].bit(b));
      const Expr steps = m.let(fmt::format("steps{}", k), cat(reversed),
                               "the counted part of the loads for the cycle that follows, top bit first");
      return steps.at(cycle_q.slice(step_bits - 1, 0)) & ~last;
    };
    const Expr next_adds = next_bit(1), next_subtracts = next_bit(0);
    const Expr adds = m.reg("adds_q", 1, 0, "the cycle's bit of the loads without filter");
    const Expr subtracts = m.reg("subtracts_q", 1, 0, "the cycle's bit of the loads with filter");
    m.clocked("Bits of the cycle that follows; the first one has none.", [&] {
      m.set(adds, next_adds);
      m.set(subtracts, next_subtracts);
    });
    const Expr change_q = m.data_reg("change_q", factor_bits + 1, "the addend of a bit, two's complement");
    difference_q = m.data_reg("difference_q", difference_bits, "difference of the counts, two's complement");
    const auto times_bit = [&](const Expr& factor, const Expr& bit) {
      return rtl::zext(factor & replicate(factor_bits, bit), factor_bits + 1);
    };
    const Expr doubled = cat({difference_q.slice(difference_bits - 2, 0), lit(1, 0)});
    const Expr begun_q = m.reg("begun_q", 1, 0, "bits have been seen");
    const Expr change =
        cat({replicate(difference_bits - factor_bits - 1, change_q.bit(factor_bits)), change_q});
    m.clocked("Factors.", [&] {
      m.set(with, times(misses[0], hundred, factor_bits));
      m.set(without, times(misses[1], hundred, factor_bits) + times(loads[1], margin, factor_bits));
    });
    m.clocked("Whether bits have been seen.", [&] { m.set(begun_q, rtl::any(cycle_q)); });
    m.clocked("A bit a cycle.", [&] {
      m.set(change_q, times_bit(with, adds) - times_bit(without, subtracts));
      m.set(difference_q, (doubled & replicate(difference_bits, begun_q)) + change);
    });
  }

  void decision() {
    enable_q = m.reg("filter_enable_q", 1, 0, "the decision");
    const Expr worse = m.let("worse", ~difference_q.bit(difference_bits - 1) & rtl::any(difference_q),
                             "the filter costs more misses than the margin allows");
    const Expr worse_q = m.data_reg("worse_q", 1, "the result when all bits have been seen");
    const Expr compared = m.constant("COMPARED_CYCLE", cycle_bits, static_cast<std::uint64_t>(count_bits) + 2,
                                     "the comparison has seen every bit");
    const Expr decided = m.constant("DECISION_CYCLE", cycle_bits, decided_in);
    m.clocked("Keep the comparison for the decision.",
              [&] { m.when(cycle_q == compared, [&] { m.set(worse_q, worse); }); });
    m.clocked("The decision.",
              [&] { m.when(decides_q & (cycle_q == decided), [&] { m.set(enable_q, ~worse_q); }); });
    m.assign(enable_out, enable_q);
  }
};

}  // namespace

void check(const FilterDuelingParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(FilterDuelingRanges::interval, "tags.reuse_filter.dueling_interval", p.interval,
             "use 500, the interval of the paper");
  require_in(FilterDuelingRanges::margin_percent, "tags.reuse_filter.dueling_margin_percent",
             p.margin_percent, "use 10, the margin of the paper");
}

FilterDueling filter_dueling(const FilterDuelingParams& p, const std::string& name) {
  check(p);
  DuelingBuilder b{
      p, rtl::Module(name, fmt::format("SM dueling of the reuse-count filter in intervals of {} cycles, "
                                       "with a margin of {} points (Decoupled L1D paper, section 4).",
                                       p.interval, p.margin_percent))};
  b.ports();
  b.counters();
  b.comparison();
  b.decision();
  return {b.m,
          {.counter_bits = 4 * b.count_bits,
           .decision_bits = 4 * b.count_bits + b.difference_bits + 3 * b.factor_bits + 6,
           .control_bits = b.cycle_bits + 1}};
}

}  // namespace hw
