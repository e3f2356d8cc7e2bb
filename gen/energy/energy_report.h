// The energy report: pJ and mW by what they go into, by part and by array, beside OpenSTA's power.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gen/energy/accesses.h"
#include "gen/energy/energy_meter.h"
#include "gen/energy/second_opinion.h"

namespace gen {

// pJ of the whole window.
struct EnergyPart {
  std::string name;
  double internal_pj = 0, switching_pj = 0;
  double leakage_mw = 0;
  double pj() const { return internal_pj + switching_pj; }
};

// RAMs of one module.
struct ArrayEnergy {
  std::string module;
  int instances = 0;
  std::int64_t reads = 0, writes = 0;
  int bits = 0;                           // of an access
  std::optional<EnergyPart> energy = {};  // none: the library has no such cell
};

struct EnergyReport {
  std::string unit, library, stimulus;
  double volts = 0, clock_ns = 0;
  std::int64_t from = 0, window = 0;
  bool internal_tables = true;         // the library has tables of internal power
  std::vector<EnergyPart> kinds = {};  // clock, flip-flops, gates, inputs
  std::vector<EnergyPart> parts = {};  // instances, where they were kept apart
  std::vector<ArrayEnergy> arrays = {};
  std::map<std::string, std::int64_t> transfers = {};  // of each stream
  std::map<std::string, AccessEnergy> accesses = {};   // pJ of each kind of access of a cache
  // What an average cycle and each kind of access consist of, in pJ, by group.
  std::map<std::string, std::map<std::string, double>> shares = {};
  double explained = 0;              // share of the energy's variance that these leave no rest of
  CellPower own = {}, opinion = {};  // cells alone

  double pj() const;  // of the window, without leakage
  double leakage_mw() const;
  double mw(double of_window) const { return of_window / static_cast<double>(window) / clock_ns; }
};

// What one instance of the report's kinds and parts is made of.
void fill_report(const Netlist& netlist, const EnergyMeter& meter, const std::vector<std::string>& instances,
                 const std::string& clock, EnergyReport& report);

// How much more this count of the cells is than OpenSTA's; none where OpenSTA finds no activity.
std::optional<double> opinion_share(const EnergyReport& report);

std::string energy_table(const EnergyReport& report);
nlohmann::ordered_json energy_json(const EnergyReport& report);

}  // namespace gen
