#include "hw/policy/protection_distance.h"

#include <fmt/format.h>

#include <bit>

#include "hw/policy/protected_lines.h"
#include "hw/policy/protection_distance_ranges.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr;

std::string words(const ProtectionDistanceParams& p) {
  return fmt::format(
      "Protects lines of {} sets of {} ways for {} loads of their set (ACI thesis, section 4.2.5).", p.sets,
      p.ways, p.distance);
}

}  // namespace

void check(const ProtectionDistanceParams& p) {
  require_in(ProtectionDistanceRanges::sets, "index.sets", p.sets, "use 32, the sets of the reference cache");
  require_in(ProtectionDistanceRanges::ways, "geometry.ways", p.ways,
             "use 4, the ways of the reference cache");
  require_in(ProtectionDistanceRanges::distance, "bypass.protection_distance.distance", p.distance,
             "use 4, the thesis'");
}

rtl::Module protection_distance(const ProtectionDistanceParams& p, const std::string& name) {
  check(p);
  rtl::Module m(name, words(p));
  const LineEvents events = line_event_inputs(m, p, true);
  const Expr bypass = m.output("bypass", 1, "the load goes past the cache");
  const Expr open = m.output("open", p.ways, "ways that may be replaced");
  ProtectedLines lines(m, p, events);
  std::vector<Expr> row;
  for (const auto& way : lines.add({}, events.index)) row.push_back(way.shown);
  lines.decide(row, bypass, open);
  return m;
}

}  // namespace hw
