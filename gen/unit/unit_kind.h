// How a family of units registers with the commands: its functions on its own parameter struct.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/config/error.h"
#include "gen/unit/cosim_main.h"
#include "gen/unit/unit.h"

namespace gen {

// What the commands do with the units of a family. `Params` holds the family's alternative.
struct UnitKind {
  std::function<Unit(const Params&, const std::string& top)> elaborated;
  std::function<CosimMain(const Params&)> cosim;
  // Throws unless a unit can replay this file of recorded traffic: its kind, and what it would be offered.
  std::function<void(const Params&, const std::string& top, const std::string& recording)> check_replay;
  // The same function written plainly, its lines in the given order, for areas to stand beside.
  std::function<std::vector<AreaRequest>(const Params&, const std::string& top, std::uint32_t order)>
      plain_forms;
};

// The kind of a configuration's family.
const UnitKind& unit_kind_of(const Config& config);

// From a family's own functions. One that cannot replay says why, as the end of a sentence; one without
// plainer forms has none.
template <class P>
UnitKind unit_kind(Unit (*elaborated)(const P&, const std::string&), CosimMain (*cosim)(const P&),
                   const std::string& no_replay,
                   std::vector<AreaRequest> (*plain_forms)(const P&, const std::string&,
                                                           std::uint32_t) = nullptr) {
  return {.elaborated = [=](const Params& p, const std::string& top) { return elaborated(p.get<P>(), top); },
          .cosim = [=](const Params& p) { return cosim(p.get<P>()); },
          .check_replay =
              [=](const Params&, const std::string& top, const std::string&) {
                throw ConfigError("--replay", fmt::format("{} {}", top, no_replay));
              },
          .plain_forms =
              [=](const Params& p, const std::string& top, std::uint32_t order) {
                return plain_forms ? plain_forms(p.get<P>(), top, order) : std::vector<AreaRequest>{};
              }};
}

}  // namespace gen
