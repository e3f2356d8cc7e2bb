#include "gen/layout/blif.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "gen/process.h"

namespace gen {
namespace {

// Of osu018.
constexpr const char* buffer_cell = "BUFX2";

struct PortBit {
  std::string name;
  nlohmann::json net;  // a number, or "0", "1" or "x"
};

std::vector<PortBit> port_bits(const nlohmann::json& module, const std::string& direction) {
  std::vector<PortBit> all;
  for (const auto& [name, port] : module["ports"].items()) {
    if (port["direction"] != direction) continue;
    const nlohmann::json& bits = port["bits"];
    for (std::size_t n = 0; n < bits.size(); ++n)
      all.push_back({bits.size() == 1 ? name : fmt::format("{}[{}]", name, n), bits[n]});
  }
  return all;
}

std::set<int> nets_of_cells(const nlohmann::json& module) {
  std::set<int> nets;
  for (const nlohmann::json& cell : module["cells"])
    for (const nlohmann::json& bits : cell["connections"])
      for (const nlohmann::json& bit : bits)
        if (bit.is_number_integer()) nets.insert(bit.get<int>());
  return nets;
}

}  // namespace

Blif blif_of(const nlohmann::json& module, const std::string& top) {
  Blif blif;
  std::map<int, std::string> names;  // of nets
  std::set<int> at_border;           // nets that have a pin there
  std::string inputs, outputs, gates;
  const auto gate = [&](const std::string& type, const std::string& pins) {
    gates += fmt::format(".gate {}{}\n", type, pins);
    ++blif.cells;
  };
  const std::vector<PortBit> leaving = port_bits(module, "output");
  std::set<int> read = nets_of_cells(module);
  for (const PortBit& bit : leaving)
    if (bit.net.is_number_integer()) read.insert(bit.net.get<int>());
  for (const PortBit& bit : port_bits(module, "input")) {
    if (!read.contains(bit.net.get<int>())) continue;  // nothing reads it
    names[bit.net.get<int>()] = bit.name;
    at_border.insert(bit.net.get<int>());
    inputs += " " + bit.name;
  }
  const auto name_of = [&](int net) {
    const auto known = names.find(net);
    return known == names.end() ? names[net] = fmt::format("n{}", net) : known->second;
  };
  for (const PortBit& bit : leaving) {
    if (!bit.net.is_number_integer()) {
      ++blif.tied_outputs;
      continue;
    }
    const int net = bit.net.get<int>();
    outputs += " " + bit.name;
    if (at_border.insert(net).second)
      names[net] = bit.name;
    else
      gate(buffer_cell, fmt::format(" A={} Y={}", name_of(net), bit.name));
  }
  for (const auto& [name, cell] : module["cells"].items()) {
    std::string pins;
    for (const auto& [pin, bits] : cell["connections"].items()) {
      if (bits.empty()) continue;
      if (!bits[0].is_number_integer())
        throw ToolError(
            fmt::format("{}: pin {} of {} is constant, and osu018 has no cell for that", top, pin, name));
      pins += fmt::format(" {}={}", pin, name_of(bits[0].get<int>()));
    }
    gate(cell["type"].get<std::string>(), pins);
  }
  blif.text = fmt::format(".model {}\n.inputs{}\n.outputs{}\n{}.end\n", top, inputs, outputs, gates);
  return blif;
}

}  // namespace gen
