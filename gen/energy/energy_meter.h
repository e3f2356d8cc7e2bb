// Counts the energy of each cell of a simulated netlist: internal energies by the cells' tables, the charge
// of the nets that they drive, leakage by the states that they are in.
#pragma once
#include <cstdint>
#include <vector>

#include "gen/energy/energy_groups.h"
#include "gen/energy/gate_simulation.h"
#include "gen/energy/net_loads.h"

namespace gen {

struct CellEnergy {
  double internal_pj = 0, switching_pj = 0;
  double clock_pj = 0;           // of clock pins; within internal_pj
  double leakage_nw_cycles = 0;  // the sum over all cycles
};

class EnergyMeter {
 public:
  EnergyMeter(const Netlist& netlist, std::vector<NetLoad> loads, double volts, EnergyGroups groups = {});

  // Behind each edge of the clock.
  void count_edge(const GateSimulation& simulation);
  // Behind each cycle.
  void count_cycle(const GateSimulation& simulation);

  std::int64_t cycles() const { return static_cast<std::int64_t>(by_cycle_.size()); }
  const std::vector<CellEnergy>& cells() const { return cells_; }
  // Energy that goes into the pins of cells through a net that no cell drives, by net.
  const std::vector<double>& outside_pj() const { return outside_pj_; }
  const std::vector<std::int64_t>& toggles() const { return toggles_; }  // of each net
  const std::vector<std::int64_t>& high() const { return high_; }        // cycles that each net ends high in
  const std::vector<double>& by_cycle() const { return by_cycle_; }      // pJ without leakage
  // The same of each group, cycle by cycle.
  const std::vector<std::vector<double>>& by_group() const { return by_group_; }
  const EnergyGroups& groups() const { return groups_; }
  const std::vector<NetLoad>& loads() const { return loads_; }
  // How often an energy of `table` of a pin was counted, of rises or of falls; of tables whose mean was
  // taken the share.
  double uses(int cell, int pin, std::size_t table, bool rises) const;
  // Of the RAMs of the netlist.
  const std::vector<std::int64_t>& reads() const { return reads_; }
  const std::vector<std::int64_t>& writes() const { return writes_; }

 private:
  void add(double pj, const std::vector<int>& groups, int of);
  void count_cell(int cell, const GateSimulation& simulation);
  double pin_energy(int cell, int pin, const GateSimulation& simulation);

  const Netlist& netlist_;
  const std::vector<NetLoad> loads_;
  const double volts_;
  const EnergyGroups groups_;
  std::vector<CellEnergy> cells_;
  std::vector<std::vector<int>> users_;    // cells by net
  std::vector<int> driver_;                // cell by net; -1: none
  std::vector<std::vector<double>> uses_;  // by cell: two of each table, those of the first pin first
  std::vector<int> seen_;                  // edge at which a cell was counted last
  int edge_ = 0;
  std::vector<double> outside_pj_, by_cycle_;
  std::vector<std::int64_t> toggles_, high_, reads_, writes_;
  std::vector<std::vector<double>> by_group_;
  double now_ = 0;  // of the cycle that runs
  std::vector<double> group_now_;
};

}  // namespace gen
