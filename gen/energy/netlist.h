// A mapped netlist as energy needs it: cells of the library and RAMs, joined by nets of one bit.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "gen/liberty/power_cell.h"

namespace gen {

// Numbers of nets: these two are constants.
constexpr int net_zero = 0, net_one = 1;

// A number of a net, pin or cell as an index.
inline std::size_t place(int number) { return static_cast<std::size_t>(number); }

struct NetlistPort {
  std::string name;
  bool is_input = false;
  std::vector<int> nets = {};  // the lowest bit first
};

struct NetlistCell {
  std::string name;                 // instances that it lies in, joined by dots, come first
  const PowerCell* kind = nullptr;  // of the library; none for a RAM without energies
  std::vector<int> nets = {};       // of each pin of `kind`; -1: not connected
};

// An instance of a RAM wrapper or of a macro: its pins by their names in Verilog.
struct NetlistRam {
  std::string name, module;
  std::map<std::string, std::vector<int>> pins = {};
  int cell = -1;  // of the same, where the library has energies of it
};

struct Netlist {
  int nets = 2;
  std::vector<NetlistPort> ports = {};
  std::vector<NetlistCell> cells = {};
  std::vector<NetlistRam> rams = {};

  const NetlistPort* port(const std::string& name) const;
};

// The top in the JSON of yosys. Throws ToolError where it has none.
nlohmann::json netlist_module(const std::string& json, const std::string& top);

// The types of its cells.
std::set<std::string> netlist_types(const nlohmann::json& module);

// Throws ToolError for a cell that is neither of the libraries nor among `rams`.
Netlist read_netlist(const nlohmann::json& module, const std::vector<PowerLibrary>& libraries,
                     const std::vector<std::string>& rams);

}  // namespace gen
