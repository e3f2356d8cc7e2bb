#include "gen/energy/energy_groups.h"

#include <algorithm>
#include <set>

namespace gen {
namespace {

int group_named(EnergyGroups& groups, const std::string& name) {
  const auto found = std::ranges::find(groups.names, name);
  if (found != groups.names.end()) return static_cast<int>(found - groups.names.begin());
  groups.names.push_back(name);
  return static_cast<int>(groups.names.size()) - 1;
}

}  // namespace

std::string part_of(const std::string& cell, const std::vector<std::string>& instances) {
  std::string part;
  for (const std::string& instance : instances)
    if (instance.size() > part.size() && cell.size() > instance.size() && cell.starts_with(instance) &&
        cell[instance.size()] == '.')
      part = instance;
  return part;
}

EnergyGroups energy_groups(const Netlist& netlist, const std::vector<std::string>& instances,
                           const std::string& clock, const std::string& top) {
  std::set<int> macros;
  for (const NetlistRam& ram : netlist.rams)
    if (ram.cell >= 0) macros.insert(ram.cell);
  EnergyGroups groups;
  for (int c = 0; c < static_cast<int>(netlist.cells.size()); ++c) {
    const NetlistCell& cell = netlist.cells[place(c)];
    const std::string part = part_of(cell.name, instances);
    const bool by_part = !instances.empty(), macro = macros.contains(c);
    groups.of_cell.push_back(group_named(groups, macro              ? "RAM macros"
                                                 : by_part          ? (part.empty() ? top : part)
                                                 : cell.kind->state ? "flip-flops"
                                                                    : "gates"));
    groups.of_clock_pins.push_back(by_part || macro ? groups.of_cell.back() : group_named(groups, "clock"));
  }
  const NetlistPort* port = netlist.port(clock);
  for (int net = 0; net < netlist.nets; ++net)
    groups.of_net.push_back(group_named(groups, !instances.empty() ? "clock net and inputs"
                                                : port != nullptr && port->nets[0] == net ? "clock"
                                                                                          : "inputs"));
  return groups;
}

}  // namespace gen
