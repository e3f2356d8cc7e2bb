#include "hw/shared/dyneb_metric.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::zext;

constexpr int bits = dyneb_count_bits;

// Groups without a miss have one, since the miss rate divides.
Expr at_least_one(rtl::Module& m, const std::string& name, const Expr& misses) {
  return m.let(name, rtl::cat({misses.slice(bits - 1, 1), misses.bit(0) | ~rtl::any(misses)}),
               "misses, at least one");
}

// l2 a / m + h of each group, multiplied out.
DynebComparison bandwidth(rtl::Module& m, const DynebParams&, const DynebCounts& c) {
  const Expr even = at_least_one(m, "even_misses_1", c.even.misses);
  const Expr odd = at_least_one(m, "odd_misses_1", c.odd.misses);
  m.unused("unused_sent", rtl::cat({c.sent, c.sent_missed}), "loads sent to homes are in no bandwidth");
  const auto sum = [](const DynebCounts::Group& g, const Expr& misses) {
    return std::array{DynebProduct{g.slice_replies, g.accesses}, DynebProduct{g.home_replies, misses}};
  };
  return {.small = {sum(c.even, even), odd}, .large = {sum(c.odd, odd), even}};
}

// ((m_S + n) t_L2 + r t_home) / (a_S + r) against m_P t_L2 / a_P, multiplied out.
DynebComparison access_time(rtl::Module& m, const DynebParams& p, const DynebCounts& c) {
  const auto constant = [](int value) { return lit(bits, static_cast<std::uint64_t>(value)); };
  const Expr l2 = constant(p.l2_latency), home = constant(p.home_latency);
  const Expr from_l2 = m.let("from_l2", zext(c.odd.misses, bits + 1) + zext(c.sent_missed, bits + 1),
                             "loads of odd sets that L2 served");
  m.unused("unused_replies",
           rtl::cat({c.even.slice_replies, c.even.home_replies, c.odd.slice_replies, c.odd.home_replies}),
           "replies are in no access time");
  return {.small = {{DynebProduct{from_l2, l2}, DynebProduct{c.sent, home}}, c.even.accesses},
          .large = {{DynebProduct{c.odd.accesses, l2}, DynebProduct{c.sent, l2}}, c.even.misses}};
}

struct Metric {
  int sum_bits;
  DynebComparison (*comparison)(rtl::Module&, const DynebParams&, const DynebCounts&);
};

// By DynebMetric.
constexpr Metric metrics[] = {{2 * bits + 1, bandwidth}, {bits + 12, access_time}};

const Metric& metric_of(const DynebParams& p) { return metrics[static_cast<std::size_t>(p.metric)]; }

}  // namespace

DynebComparison dyneb_comparison(rtl::Module& m, const DynebParams& p, const DynebCounts& counts) {
  return metric_of(p).comparison(m, p, counts);
}

int dyneb_sum_bits(const DynebParams& p) { return metric_of(p).sum_bits; }

}  // namespace hw
