// Transfers at the streams of a unit by cycle, flits at the inputs of a network, and the share of each kind
// of access in the energy of a window.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gen/energy/port_changes.h"
#include "hw/rtl/module.h"

namespace gen {

// By name; how many there are in each cycle of the window.
using Transfers = std::map<std::string, std::vector<int>>;

// Of the streams that the ports show. The requests of a cache's core and memory are apart by their kinds, as
// "core_request load" and "core_request store".
Transfers transfers_of(const rtl::Module& top, const PortChanges& changes, std::int64_t from,
                       std::int64_t window);

// The flits that enter a crossbar or router, at all its inputs; empty for a unit without such inputs.
std::vector<int> flits_of(const rtl::Module& top, const PortChanges& changes, std::int64_t from,
                          std::int64_t window);

// An energy by least squares, and the standard error of that estimate.
struct AccessEnergy {
  double pj = 0;
  double error_pj = 0;

  // At least four standard errors away from nothing; else the window has too few transfers of the kind.
  bool known() const { return pj > 0 && 4 * error_pj <= pj; }
};

// Energies that add up to that of a window as well as can be, by least squares over groups of cycles.
struct AccessFit {
  AccessEnergy idle = {};                       // of each cycle
  std::map<std::string, AccessEnergy> pj = {};  // of each transfer, beyond the idle cycles
  double explained = 0;                         // share of the variance
};

// None where the window cannot separate the kinds.
std::optional<AccessFit> fit_accesses(const std::vector<double>& pj_by_cycle, const Transfers& kinds);

}  // namespace gen
