// Simulates a mapped netlist by the functions of its cells: two values, settled after each edge of the clock.
// Nothing takes time, so a net changes once an edge at most, and glitches are not seen.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gen/energy/netlist.h"
#include "gen/tech/macro.h"

namespace gen {

// What an instance of a RAM does, by its pins.
struct RamFunction {
  MacroPins pins = {};
  RamPorts ports = RamPorts::one_rw;
  int words = 0, bits = 0;
  int mask_bits = 0;  // 0: no mask
};

// Accesses of a RAM at one edge.
struct RamAccess {
  bool reads = false, writes = false;
};

class GateSimulation {
 public:
  // `rams` has a function for each of the netlist's. Every row is 0 at first, and every flip-flop has what
  // follows from data of 0, as in the co-simulation. Throws ToolError for a loop of gates, or a clock that is
  // not the input `clock`.
  GateSimulation(const Netlist& netlist, std::vector<RamFunction> rams, const std::string& clock);

  // From the next rising edge on.
  void set_input(int net, bool value) { inputs_.push_back({net, value}); }
  // Flip-flops and RAMs take what stood before the edge. A unit without a clock takes its inputs alone.
  void rise();
  // Latches may open.
  void fall();

  bool value(int net) const { return net >= 0 && values_[static_cast<std::size_t>(net)] != 0; }
  // Before the last edge.
  bool before(int net) const { return net >= 0 && before_[static_cast<std::size_t>(net)] != 0; }
  bool state(std::size_t cell) const { return states_[cell] != 0; }
  const std::vector<int>& changed() const { return changed_; }
  // Of each RAM at the last rising edge.
  const std::vector<RamAccess>& accesses() const { return accesses_; }

 private:
  // An output of a cell, or the state of one that can change between edges.
  struct Node {
    int cell = 0, pin = -1;        // -1: the state
    std::vector<int> inputs = {};  // nets
    std::uint64_t table = 0;       // of up to six inputs
    bool tabled = false;
  };

  void add_nodes();
  void sort_nodes();
  void find_clocked(const std::string& clock);
  int clock_polarity(int net, const std::string& user) const;
  bool evaluate(const Node& node) const;
  bool expression(const Boolean& text, int cell) const;
  void put(int net, bool value);
  void settle();
  void edge(bool rising);
  void access_ram(std::size_t ram);
  bool active(std::size_t ram, const std::string& pin) const;
  std::uint64_t number(std::size_t ram, const std::string& pin) const;

  const Netlist& netlist_;
  std::vector<RamFunction> functions_;
  std::vector<Node> nodes_;                 // sorted: a node behind what it depends on
  std::vector<std::vector<int>> readers_;   // nodes by net
  std::vector<std::vector<int>> of_state_;  // nodes that read a cell's state
  std::vector<std::uint8_t> dirty_, values_, before_, states_;
  std::vector<int> driver_;  // node by net; -1: none
  std::vector<std::pair<int, bool>> inputs_;
  std::vector<int> rising_, falling_;       // flip-flops by edge
  std::vector<std::pair<int, bool>> next_;  // states at an edge
  int clock_ = -1;
  bool started_ = false;
  std::vector<std::vector<std::uint8_t>> rows_;
  std::vector<RamAccess> accesses_;
  std::vector<std::pair<int, bool>> read_;  // nets of what RAMs read at an edge
  std::vector<int> changed_;
};

}  // namespace gen
