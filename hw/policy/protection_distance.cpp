#include "hw/policy/protection_distance.h"

#include <fmt/format.h>

#include <bit>

#include "hw/policy/protected_lines.h"
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
  require(p.sets >= 2 && p.sets <= 1024 && std::has_single_bit(static_cast<unsigned>(p.sets)), "index.sets",
          p.sets, "must be a power of two from 2 to 1024", "use 32, the sets of the reference cache");
  require(p.ways >= 1 && p.ways <= 16, "geometry.ways", p.ways, "must be from 1 to 16",
          "use 4, the ways of the reference cache");
  require(p.distance >= 1 && p.distance <= 255, "bypass.protection_distance.distance", p.distance,
          "must be from 1 to 255", "use 4, the thesis'");
}

rtl::Module protection_distance(const ProtectionDistanceParams& p, const std::string& name) {
  check(p);
  rtl::Module m(name, words(p));
  const LineEvents events = line_event_inputs(m, p);
  const Expr bypass = m.output("bypass", 1, "the load goes past the cache");
  const Expr open = m.output("open", p.ways, "ways that may be replaced");
  ProtectedLines lines(m, p, events);
  std::vector<Expr> row;
  for (const auto& way : lines.add({}, events.index)) row.push_back(way.shown);
  lines.decide(row, bypass, open);
  return m;
}

}  // namespace hw
