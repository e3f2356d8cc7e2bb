// How much longer a run takes that is known to be done to some share, for lines on a terminal.
#pragma once
#include <fmt/format.h>

#include <string>

namespace verif {

// ", 12 s left"; nothing before there is enough to judge by.
inline std::string time_left(double seconds_so_far, double share) {
  if (seconds_so_far < 1 || share < 0.01 || share > 1) return "";
  const double left = seconds_so_far * (1 - share) / share;
  return left < 120 ? fmt::format(", {:.0f} s left", left) : fmt::format(", {:.0f} min left", left / 60);
}

}  // namespace verif
