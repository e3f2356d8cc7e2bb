#include "gen/energy/energy_meter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace gen {

namespace {

// The index of a pin's first table among those of all pins, two of each.
std::size_t first_use(const PowerCell& cell, int pin) {
  std::size_t first = 0;
  for (int p = 0; p < pin; ++p) first += 2 * cell.pins[place(p)].power.size();
  return first;
}

}  // namespace

EnergyMeter::EnergyMeter(const Netlist& netlist, std::vector<NetLoad> loads, double volts,
                         EnergyGroups groups)
    : netlist_(netlist), loads_(std::move(loads)), volts_(volts), groups_(std::move(groups)) {
  by_group_.resize(groups_.names.size());
  group_now_.assign(groups_.names.size(), 0);
  const std::size_t nets = place(netlist.nets);
  cells_.resize(netlist.cells.size());
  users_.resize(nets);
  driver_.assign(nets, -1);
  uses_.resize(netlist.cells.size());
  seen_.assign(netlist.cells.size(), 0);
  outside_pj_.assign(nets, 0);
  toggles_.assign(nets, 0);
  high_.assign(nets, 0);
  reads_.assign(netlist.rams.size(), 0);
  writes_ = reads_;
  for (int c = 0; c < static_cast<int>(netlist.cells.size()); ++c) {
    const NetlistCell& cell = netlist.cells[place(c)];
    uses_[place(c)].assign(first_use(*cell.kind, cell.kind->state_variable()), 0);
    for (std::size_t p = 0; p < cell.nets.size(); ++p) {
      if (cell.nets[p] < 0) continue;
      users_[place(cell.nets[p])].push_back(c);
      if (!cell.kind->pins[p].is_input) driver_[place(cell.nets[p])] = c;
    }
  }
}

// Conditions speak of the other pins: of a clock as they stood before its edge, else as they stand behind it.
double EnergyMeter::pin_energy(int c, int p, const GateSimulation& simulation) {
  const NetlistCell& cell = netlist_.cells[place(c)];
  const PowerPin& pin = cell.kind->pins[place(p)];
  if (pin.power.empty()) return 0;
  const int net = cell.nets[place(p)];
  const bool rises = simulation.value(net);
  const auto toggled = [&](int other) {
    const int n = other < 0 ? -1 : cell.nets[place(other)];
    return simulation.value(n) != simulation.before(n);
  };
  const auto stated = [&](const PowerTables& tables) {
    return tables.when && tables.when->value([&](int variable) {
      const int state = variable - cell.kind->state_variable();
      if (state >= 0) return simulation.state(place(c)) == (state == 0);
      const int n = cell.nets[place(variable)];
      return pin.is_clock ? simulation.before(n) : simulation.value(n);
    });
  };
  // Tables without a condition are for what no condition of the same pin and supply covers.
  const auto holds = [&](const PowerTables& tables) {
    return tables.when ? stated(tables) : std::ranges::none_of(pin.power, [&](const PowerTables& other) {
      return other.related == tables.related && other.supply == tables.supply && stated(other);
    });
  };
  // The mean of the tables of a supply, and the sum over supplies.
  const auto mean = [&](const auto& applies) -> std::optional<double> {
    std::map<std::string_view, std::pair<double, int>> of_supply;
    std::vector<std::size_t> counted;
    for (std::size_t t = 0; t < pin.power.size(); ++t) {
      const PowerTables& tables = pin.power[t];
      if (!applies(tables)) continue;
      counted.push_back(t);
      const NetLoad& from = loads_[place(tables.related < 0 ? std::max(net, 0)
                                                            : std::max(cell.nets[place(tables.related)], 0))];
      const bool from_rises = tables.related < 0 ? rises : simulation.value(cell.nets[place(tables.related)]);
      const NetLoad& own = loads_[place(net)];
      auto& [sum, count] = of_supply[tables.supply];
      sum += tables.at(rises, from_rises ? from.rise_ns : from.fall_ns, rises ? own.rise_ff : own.fall_ff);
      ++count;
    }
    if (of_supply.empty()) return {};
    double all = 0;
    for (const auto& [supply, energy] : of_supply) all += energy.first / energy.second;
    const std::size_t first = first_use(*cell.kind, p);
    for (const std::size_t t : counted)
      uses_[place(c)][first + 2 * t + rises] += 1.0 / of_supply[pin.power[t].supply].second;
    return all;
  };
  if (pin.is_input) return mean(holds).value_or(0);
  // One change of an output has one cause; of several pins that changed at once it is the mean.
  if (const auto sum = mean([&](const PowerTables& t) { return toggled(t.related) && holds(t); }))
    return *sum;
  if (const auto sum = mean([&](const PowerTables& t) { return toggled(t.related); })) return *sum;
  return mean([](const PowerTables&) { return true; }).value_or(0);
}

double EnergyMeter::uses(int c, int pin, std::size_t table, bool rises) const {
  return uses_[place(c)][first_use(*netlist_.cells[place(c)].kind, pin) + 2 * table + rises];
}

void EnergyMeter::add(double pj, const std::vector<int>& groups, int of) {
  now_ += pj;
  if (!groups.empty()) group_now_[place(groups[place(of)])] += pj;
}

void EnergyMeter::count_cell(int c, const GateSimulation& simulation) {
  if (seen_[place(c)] == edge_) return;
  seen_[place(c)] = edge_;
  const NetlistCell& cell = netlist_.cells[place(c)];
  for (int p = 0; p < static_cast<int>(cell.nets.size()); ++p) {
    const int net = cell.nets[place(p)];
    if (net < 0 || simulation.value(net) == simulation.before(net)) continue;
    const double pj = pin_energy(c, p, simulation);
    cells_[place(c)].internal_pj += pj;
    const bool of_clock = cell.kind->pins[place(p)].is_clock;
    if (of_clock) cells_[place(c)].clock_pj += pj;
    add(pj, of_clock ? groups_.of_clock_pins : groups_.of_cell, c);
  }
}

void EnergyMeter::count_edge(const GateSimulation& simulation) {
  ++edge_;
  for (const int net : simulation.changed()) {
    ++toggles_[place(net)];
    const NetLoad& load = loads_[place(net)];
    const double pj = (simulation.value(net) ? load.rise_ff : load.fall_ff) * volts_ * volts_ / 2000;
    const int driver = driver_[place(net)];
    (driver >= 0 ? cells_[place(driver)].switching_pj : outside_pj_[place(net)]) += pj;
    add(pj, driver >= 0 ? groups_.of_cell : groups_.of_net, driver >= 0 ? driver : net);
    for (const int user : users_[place(net)]) count_cell(user, simulation);
  }
}

void EnergyMeter::count_cycle(const GateSimulation& simulation) {
  for (int net = 2; net < netlist_.nets; ++net) high_[place(net)] += simulation.value(net);
  for (std::size_t c = 0; c < netlist_.cells.size(); ++c) {
    const NetlistCell& cell = netlist_.cells[c];
    double nw = cell.kind->leakage_nw;
    for (const Leakage& leakage : cell.kind->leakage)
      if (leakage.when->value([&](int variable) {
            const int state = variable - cell.kind->state_variable();
            return state < 0 ? simulation.value(cell.nets[place(variable)])
                             : simulation.state(c) == (state == 0);
          })) {
        nw = leakage.nw;
        break;
      }
    cells_[c].leakage_nw_cycles += nw;
  }
  for (std::size_t r = 0; r < reads_.size(); ++r) {
    reads_[r] += simulation.accesses()[r].reads;
    writes_[r] += simulation.accesses()[r].writes;
  }
  by_cycle_.push_back(now_);
  now_ = 0;
  for (std::size_t g = 0; g < by_group_.size(); ++g) by_group_[g].push_back(std::exchange(group_now_[g], 0));
}

}  // namespace gen
