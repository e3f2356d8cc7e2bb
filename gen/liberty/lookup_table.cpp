// Interpolation in the tables of Liberty.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "gen/liberty/power_cell.h"
#include "gen/process.h"

namespace gen {
namespace {

// The point below a value on an axis, and the share of the step above it; below 0 or above 1 outside.
struct Place {
  std::size_t low = 0;
  double share = 0;
};

Place place_on(const std::vector<double>& points, double value) {
  if (points.size() < 2) return {};
  const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, value);
  const auto low = static_cast<std::size_t>(above - points.begin()) - 1;
  return {low, (value - points[low]) / (points[low + 1] - points[low])};
}

}  // namespace

LookupTable::LookupTable(std::vector<Axis> axes, std::vector<std::vector<double>> points,
                         std::vector<double> values)
    : axes_(std::move(axes)), points_(std::move(points)), values_(std::move(values)) {
  std::size_t count = 1;
  for (const auto& axis : points_) {
    count *= axis.size();
    if (!std::is_sorted(axis.begin(), axis.end(), std::less_equal<>()) && axis.size() > 1)
      throw ToolError("the points of an axis do not rise");
  }
  if (count != values_.size() || axes_.size() != points_.size())
    throw ToolError(fmt::format("{} values for {} points", values_.size(), count));
}

double LookupTable::at(double transition_ns, double load_ff) const {
  if (values_.empty()) return 0;
  // A corner of the cell for each choice of the lower or upper point of each axis.
  double sum = 0;
  for (std::size_t corner = 0; corner < std::size_t{1} << axes_.size(); ++corner) {
    double weight = 1;
    std::size_t index = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const double value = axes_[a] == Axis::load ? load_ff : transition_ns;
      const Place place = axes_[a] == Axis::other ? Place{} : place_on(points_[a], value);
      const bool upper = corner >> a & 1;
      weight *= upper ? place.share : 1 - place.share;
      index = index * points_[a].size() + std::min(place.low + upper, points_[a].size() - 1);
    }
    if (weight != 0) sum += weight * values_[index];
  }
  return sum;
}

}  // namespace gen
