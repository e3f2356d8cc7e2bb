// How a family of units registers with the commands: its functions on its own parameter struct.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "gen/config/error.h"
#include "gen/unit/cosim_main.h"
#include "gen/unit/unit.h"

namespace gen {

// Verilog that somebody might write; with a clock it has the port clk.
struct PlainVerilog {
  std::string top, text;
  bool clocked = false;
};

// The function of a unit in a plainer form, for its area to stand beside.
struct PlainForm {
  std::string name;  // what reports call it
  std::variant<rtl::Module, PlainVerilog> what;
};

// What the commands do with the units of a family. `Params` are of the family's struct.
struct UnitKind {
  std::function<Unit(const Params&, const std::string& top)> elaborated;
  std::function<CosimMain(const Params&)> cosim;
  // Throws unless a unit can replay this file of recorded traffic: its kind, and what it would be offered.
  std::function<void(const Params&, const std::string& top, const std::string& recording)> check_replay;
  // The same function in plainer forms; of texts the lines in the given order.
  std::function<std::vector<PlainForm>(const Params&, const std::string& top, std::uint32_t order)>
      plain_forms;
};

// The kind of a configuration's family.
const UnitKind& unit_kind_of(const Config& config);

// From a family's own functions. One that cannot replay says why, as the end of a sentence; one without
// plainer forms has none.
template <class P>
UnitKind unit_kind(Unit (*elaborated)(const P&, const std::string&), CosimMain (*cosim)(const P&),
                   const std::string& no_replay,
                   std::vector<PlainForm> (*plain_forms)(const P&, const std::string&,
                                                         std::uint32_t) = nullptr) {
  return {.elaborated = [=](const Params& p, const std::string& top) { return elaborated(p.get<P>(), top); },
          .cosim = [=](const Params& p) { return cosim(p.get<P>()); },
          .check_replay =
              [=](const Params&, const std::string& top, const std::string&) {
                throw ConfigError("--replay", fmt::format("{} {}", top, no_replay));
              },
          .plain_forms =
              [=](const Params& p, const std::string& top, std::uint32_t order) {
                return plain_forms ? plain_forms(p.get<P>(), top, order) : std::vector<PlainForm>{};
              }};
}

}  // namespace gen
