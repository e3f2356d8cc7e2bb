#include "gen/energy/net_loads.h"

#include <algorithm>

namespace gen {
namespace {

// The slowest transitions of an output, given those of its inputs and its load.
template <class InputLoad>
void take_transitions(const PowerPin& pin, NetLoad& out, const InputLoad& input) {
  using Sense = TransitionTables::Sense;
  for (const TransitionTables& arc : pin.transitions) {
    const NetLoad in = input(arc.related);
    const double slower = std::max(in.rise_ns, in.fall_ns);
    const bool both = arc.of_clock || arc.sense == Sense::both;
    const double for_rise = both ? slower : arc.sense == Sense::positive ? in.rise_ns : in.fall_ns;
    const double for_fall = both ? slower : arc.sense == Sense::positive ? in.fall_ns : in.rise_ns;
    out.rise_ns = std::max(out.rise_ns, arc.rise.at(for_rise, out.rise_ff));
    out.fall_ns = std::max(out.fall_ns, arc.fall.at(for_fall, out.fall_ff));
  }
}

class Walk {
 public:
  Walk(const Netlist& netlist, std::vector<NetLoad>& loads)
      : netlist_(netlist), loads_(loads), driver_(loads.size(), {-1, -1}), done_(loads.size(), false) {
    for (int c = 0; c < static_cast<int>(netlist.cells.size()); ++c) {
      const NetlistCell& cell = netlist.cells[place(c)];
      for (int p = 0; p < cell.kind->state_variable(); ++p)
        if (!cell.kind->pins[place(p)].is_input && cell.nets[place(p)] >= 0)
          driver_[place(cell.nets[place(p)])] = {c, p};
    }
  }

  void settled(int net) { done_[place(net)] = true; }

  // Depth first with a stack of its own, since paths of thousands of cells exist.
  void visit(int first) {
    std::vector<int> waiting{first};
    while (!waiting.empty()) {
      const int net = waiting.back();
      const auto [c, p] = driver_[place(net)];
      if (done_[place(net)] || c < 0) {
        done_[place(net)] = true;
        waiting.pop_back();
        continue;
      }
      const NetlistCell& cell = netlist_.cells[place(c)];
      const PowerPin& pin = cell.kind->pins[place(p)];
      const std::size_t before = waiting.size();
      for (const TransitionTables& arc : pin.transitions)
        if (const int from = cell.nets[place(arc.related)]; from >= 0 && !done_[place(from)])
          waiting.push_back(from);
      if (waiting.size() != before && waiting.size() < loads_.size() * 4) continue;
      waiting.resize(before);
      take_transitions(pin, loads_[place(net)], [&](int related) {
        const int from = cell.nets[place(related)];
        return from < 0 ? NetLoad{} : loads_[place(from)];
      });
      done_[place(net)] = true;
      waiting.pop_back();
    }
  }

 private:
  const Netlist& netlist_;
  std::vector<NetLoad>& loads_;
  std::vector<std::pair<int, int>> driver_;  // cell and pin
  std::vector<bool> done_;
};

}  // namespace

std::vector<NetLoad> net_loads(const Netlist& netlist, const PortEnvironment& around,
                               const std::string& clock) {
  std::vector<NetLoad> loads(place(netlist.nets));
  const auto add = [&](int net, double rise, double fall) {
    if (net <= net_one) return;
    loads[place(net)].rise_ff += rise;
    loads[place(net)].fall_ff += fall;
  };
  for (const NetlistCell& cell : netlist.cells)
    for (std::size_t p = 0; p < cell.nets.size(); ++p)
      if (const PowerPin& pin = cell.kind->pins[p]; pin.is_input) add(cell.nets[p], pin.rise_ff, pin.fall_ff);
  std::vector<int> outside;  // nets that something outside the cells drives
  for (const NetlistPort& port : netlist.ports)
    for (const int net : port.nets) {
      if (port.is_input) outside.push_back(net);
      if (!port.is_input) add(net, around.load_ff, around.load_ff);
    }
  Walk walk(netlist, loads);
  std::vector<bool> driven(loads.size(), false);
  for (const NetlistCell& cell : netlist.cells)
    for (std::size_t p = 0; p < cell.nets.size(); ++p)
      if (!cell.kind->pins[p].is_input && cell.nets[p] >= 0) driven[place(cell.nets[p])] = true;
  for (const NetlistPort& port : netlist.ports)
    if (port.is_input)
      for (const int net : port.nets) driven[place(net)] = true;
  for (const NetlistRam& ram : netlist.rams)
    for (const auto& [pin, nets] : ram.pins)
      for (const int net : nets) {
        if (net <= net_one) continue;
        // Of a wrapper without a Liberty cell, what no cell and no port drives is an output.
        if (ram.cell < 0 && driven[place(net)])
          add(net, around.load_ff, around.load_ff);
        else if (ram.cell < 0)
          outside.push_back(net);
      }
  const PowerCell* inverter = around.driver;
  const NetlistPort* clocks = netlist.port(clock);
  for (const int net : outside) {
    walk.settled(net);
    if (clocks != nullptr && net == clocks->nets[0]) continue;
    if (inverter == nullptr) continue;
    for (const PowerPin& pin : inverter->pins)
      if (!pin.is_input) take_transitions(pin, loads[place(net)], [](int) { return NetLoad{}; });
  }
  for (int net = 2; net < netlist.nets; ++net) walk.visit(net);
  return loads;
}

}  // namespace gen
