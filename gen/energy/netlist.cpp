#include "gen/energy/netlist.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/process.h"

namespace gen {
namespace {

using Json = nlohmann::json;

// The numbers of yosys, which begin at 2 and have gaps, as numbers without.
class Nets {
 public:
  int operator[](const Json& bit) {
    if (bit.is_string())
      return bit == "1" ? net_one : net_zero;  // "x" as well: the simulation has two values
    return numbers_.try_emplace(bit.get<int>(), static_cast<int>(numbers_.size()) + 2).first->second;
  }
  std::vector<int> list(const Json& bits) {
    std::vector<int> nets;
    for (const Json& bit : bits) nets.push_back((*this)[bit]);
    return nets;
  }
  int count() const { return static_cast<int>(numbers_.size()) + 2; }

 private:
  std::map<int, int> numbers_;
};

// "$flatten\a.$abc$12" is a cell of the instance a.
std::string plain_name(std::string name) {
  constexpr std::string_view mark = "$flatten\\";
  if (name.starts_with(mark)) name.erase(0, mark.size());
  std::erase(name, '\\');
  return name;
}

const PowerCell* kind_of(const std::string& type, const std::vector<PowerLibrary>& libraries) {
  for (const PowerLibrary& library : libraries)
    if (const auto found = library.cells.find(type); found != library.cells.end()) return &found->second;
  return nullptr;
}

std::vector<int> connected(const PowerCell& kind, const std::map<std::string, std::vector<int>>& pins) {
  std::vector<int> nets(kind.pins.size(), -1);
  for (const auto& [pin, list] : pins)
    for (std::size_t bit = 0; bit < list.size(); ++bit) {
      int at = list.size() == 1 ? kind.pin(pin) : -1;
      if (at < 0) at = kind.pin(fmt::format("{}[{}]", pin, bit));
      if (at < 0) throw ToolError(fmt::format("{} has no pin {} of the netlist", kind.name, pin));
      nets[static_cast<std::size_t>(at)] = list[bit];
    }
  return nets;
}

}  // namespace

Json netlist_module(const std::string& json, const std::string& top) try {
  return Json::parse(json).at("modules").at(top);
} catch (const Json::exception&) {
  throw ToolError(fmt::format("yosys: its netlist has no module {}", top));
}

const NetlistPort* Netlist::port(const std::string& name) const {
  const auto found = std::ranges::find(ports, name, &NetlistPort::name);
  return found == ports.end() ? nullptr : &*found;
}

std::set<std::string> netlist_types(const Json& module) {
  std::set<std::string> types;
  for (const Json& cell : module.at("cells")) types.insert(cell.at("type").get<std::string>());
  return types;
}

Netlist read_netlist(const Json& module, const std::vector<PowerLibrary>& libraries,
                     const std::vector<std::string>& rams) {
  Netlist netlist;
  Nets nets;
  for (const auto& [name, port] : module.at("ports").items())
    netlist.ports.push_back({name, port.at("direction") == "input", nets.list(port.at("bits"))});
  for (const auto& [name, cell] : module.at("cells").items()) {
    const std::string type = cell.at("type");
    std::map<std::string, std::vector<int>> pins;
    for (const auto& [pin, bits] : cell.at("connections").items()) pins[pin] = nets.list(bits);
    const PowerCell* kind = kind_of(type, libraries);
    const bool is_ram = std::ranges::find(rams, type) != rams.end();
    if (kind == nullptr && !is_ram)
      throw ToolError(fmt::format("yosys: its netlist has a cell {}, which no library has", type));
    if (is_ram) netlist.rams.push_back({plain_name(name), type, pins});
    if (kind == nullptr) continue;
    if (is_ram) netlist.rams.back().cell = static_cast<int>(netlist.cells.size());
    netlist.cells.push_back({plain_name(name), kind, connected(*kind, pins)});
  }
  netlist.nets = nets.count();
  return netlist;
}

}  // namespace gen
