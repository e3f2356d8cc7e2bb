// Which parameters BUCL's decision and its update unit can be built from.
#include <fmt/ranges.h>

#include <string>

#include "hw/policy/bucl_threshold_unit.h"
#include "hw/require.h"

namespace hw {
namespace {

void in_range(const std::string& key, int value, int least, int most, const std::string& remedy) {
  require(value >= least && value <= most, "bypass.bucl." + key, value,
          fmt::format("must be from {} to {}", least, most), remedy);
}

void check_fraction(const std::string& key, const Fraction& f, const std::string& remedy) {
  const std::string written = fmt::format("[{}]", fmt::join(f.begin(), f.end(), ", "));
  require(f.count == 2, "bypass.bucl." + key, written, "must be two numbers, numerator and denominator",
          remedy);
  require(f[0] >= 0 && f[1] >= 1 && f[1] <= 255 && f[0] <= f[1], "bypass.bucl." + key, written,
          "must be a fraction from 0 to 1, its denominator from 1 to 255", remedy);
}

}  // namespace

void check(const BuclParams& p) {
  in_range("period", p.period, 1, 65536, "use 1000, the paper's");
  check_fraction("hit_rate", p.hit_rate, "use [4, 5], the paper's");
  check_fraction("buffer_use", p.buffer_use, "use [7, 10], the paper's");
  in_range("highest", p.highest, 0, 63, "use 25, the paper's");
  in_range("lowest", p.lowest, 0, p.highest, "use at most bypass.bucl.highest");
  in_range("initial", p.initial, p.lowest, p.highest,
           "use a value from bypass.bucl.lowest to bypass.bucl.highest");
  in_range("sub_partitions", p.sub_partitions, 1, 64, "use 12, two for each of 6 channels");
  in_range("buffer_entries", p.buffer_entries, 1, 64, "use 8");
  in_range("sms", p.sms, 1, 128, "use 15, the paper's");
  in_range("designated_sm", p.designated_sm, 0, p.sms - 1, "name one of bypass.bucl.sms");
  in_range("profile_cycles", p.profile_cycles, 1, 65536, "use 5000 or 10000, the paper's");
  require(p.thresholds.count >= 1, "bypass.bucl.thresholds", "[]", "must have a threshold for an SM to use",
          "leave it out: it is the paper's list");
  for (const int threshold : p.thresholds)
    require(threshold >= 0 && threshold <= 63, "bypass.bucl.thresholds", threshold, "must be from 0 to 63",
            "a load has at most 63 requests");
  in_range("issue_max", p.issue_max, 1, 255, "use 64, two warps of 32 lanes");
}

}  // namespace hw
