#include "gen/energy/energy_run.h"

#include <fmt/format.h>

#include "gen/process.h"

namespace gen {
namespace {

// A port of the netlist and what it is, or must be, in this cycle.
struct SeenPort {
  const NetlistPort* port = nullptr;
  std::vector<bool> bits = {};  // the lowest first
};

std::string bits_text(const std::vector<bool>& bits) {
  std::string text;
  for (auto bit = bits.rbegin(); bit != bits.rend(); ++bit) text += *bit ? '1' : '0';
  return text;
}

void take_bits(SeenPort& port, const std::string& bits) {
  for (std::size_t i = 0; i < port.bits.size(); ++i)
    port.bits[i] = i < bits.size() && bits[bits.size() - 1 - i] == '1';
}

std::optional<PortMismatch> difference(const SeenPort& port, const GateSimulation& simulation,
                                       std::int64_t cycle) {
  for (std::size_t i = 0; i < port.bits.size(); ++i) {
    if (simulation.value(port.port->nets[i]) == port.bits[i]) continue;
    std::vector<bool> found;
    for (const int net : port.port->nets) found.push_back(simulation.value(net));
    return PortMismatch{cycle, port.port->name, bits_text(found), bits_text(port.bits)};
  }
  return {};
}

}  // namespace

std::optional<PortMismatch> run_window(const Netlist& netlist, GateSimulation& simulation,
                                       const PortChanges& changes, const std::string& clock,
                                       std::int64_t from, std::int64_t window, EnergyMeter& meter) {
  std::vector<SeenPort> ports;
  for (const std::string& name : changes.ports) {
    const NetlistPort* port = netlist.port(name);
    if (port == nullptr) throw ToolError(fmt::format("the netlist has no port {}", name));
    ports.push_back({port, std::vector<bool>(port->nets.size(), false)});
  }
  auto next = changes.changes.begin();
  for (std::int64_t cycle = 0; cycle < from + window; ++cycle) {
    for (; next != changes.changes.end() && next->cycle <= cycle; ++next) {
      SeenPort& port = ports[static_cast<std::size_t>(next->port)];
      take_bits(port, next->bits);
      if (!port.port->is_input || port.port->name == clock) continue;
      for (std::size_t i = 0; i < port.bits.size(); ++i)
        simulation.set_input(port.port->nets[i], port.bits[i]);
    }
    simulation.rise();
    if (cycle >= from) meter.count_edge(simulation);
    simulation.fall();
    if (cycle >= from) meter.count_edge(simulation);
    for (const SeenPort& port : ports)
      if (!port.port->is_input)
        if (const auto found = difference(port, simulation, cycle)) return found;
    if (cycle >= from) meter.count_cycle(simulation);
  }
  return {};
}

}  // namespace gen
