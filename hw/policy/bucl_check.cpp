// Which parameters BUCL's decision and its update unit can be built from.
#include <fmt/ranges.h>

#include <string>

#include "hw/policy/bucl_ranges.h"
#include "hw/policy/bucl_threshold_unit.h"
#include "hw/require.h"

namespace hw {
namespace {

void check_fraction(const std::string& key, const Fraction& f, const std::string& remedy) {
  const std::string written = fmt::format("[{}]", fmt::join(f.begin(), f.end(), ", "));
  require(f.count == 2, "bypass.bucl." + key, written, "must be two numbers, numerator and denominator",
          remedy);
  require(f[0] >= 0 && f[1] >= 1 && BuclRanges::term.holds(f[1]) && f[0] <= f[1], "bypass.bucl." + key,
          written,
          fmt::format("must be a fraction from 0 to 1, its denominator from 1 to {}", BuclRanges::term.most),
          remedy);
}

}  // namespace

void check(const BuclParams& p) {
  require_in(BuclRanges::period, "bypass.bucl.period", p.period, "use 1000, the paper's");
  check_fraction("hit_rate", p.hit_rate, "use [4, 5], the paper's");
  check_fraction("buffer_use", p.buffer_use, "use [7, 10], the paper's");
  require_in(BuclRanges::threshold, "bypass.bucl.highest", p.highest, "use 25, the paper's");
  require_in({BuclRanges::threshold.least, p.highest}, "bypass.bucl.lowest", p.lowest,
             "use at most bypass.bucl.highest");
  require_in({p.lowest, p.highest}, "bypass.bucl.initial", p.initial,
             "use a value from bypass.bucl.lowest to bypass.bucl.highest");
  require_in(BuclRanges::sub_partitions, "bypass.bucl.sub_partitions", p.sub_partitions,
             "use 12, two for each of 6 channels");
  require_in(BuclRanges::buffer_entries, "bypass.bucl.buffer_entries", p.buffer_entries, "use 8");
  require_in(BuclRanges::sms, "bypass.bucl.sms", p.sms, "use 15, the paper's");
  require_in({0, p.sms - 1}, "bypass.bucl.designated_sm", p.designated_sm, "name one of bypass.bucl.sms");
  require_in(BuclRanges::profile_cycles, "bypass.bucl.profile_cycles", p.profile_cycles,
             "use 5000 or 10000, the paper's");
  require(p.thresholds.count >= 1, "bypass.bucl.thresholds", "[]", "must have a threshold for an SM to use",
          "leave it out: it is the paper's list");
  for (const int threshold : p.thresholds)
    require_in(BuclRanges::threshold, "bypass.bucl.thresholds", threshold, "a load has at most 63 requests");
  require_in(BuclRanges::issue_max, "bypass.bucl.issue_max", p.issue_max, "use 64, two warps of 32 lanes");
}

}  // namespace hw
