#include "verif/formal/opened_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hw/rtl/module_data.h"
#include "verif/formal/inside.h"

namespace verif {

namespace {

std::string wire(const std::string& name, int bits) {
  return fmt::format("  wire [{}:0] {};\n", bits - 1, name);
}

}  // namespace

OpenedUnit::OpenedUnit(const rtl::Module& unit, const Fault* fault)
    : unit_(unit), texts_(texts_of(unit, fault)) {}

int OpenedUnit::width(const std::string& net) const { return Nets(unit_)(net).width(); }

void OpenedUnit::see(const std::vector<std::string>& nets, const std::string& part) {
  std::vector<std::pair<std::string, std::string>> path;  // module and instance, the outermost first
  std::string inside = unit_.name();
  std::istringstream names(part);
  for (std::string instance; std::getline(names, instance, '.');) {
    path.emplace_back(inside, instance);
    inside += "_" + instance;
  }
  const auto modules = rtl::modules_of(unit_);
  const auto module = std::ranges::find(modules, inside, &rtl::Module::name);
  if (module == modules.end()) throw std::runtime_error(fmt::format("no module {}", inside));
  for (const std::string& net : nets) {
    const int bits = Nets(*module)(net).width();
    bring_out(texts_.at(inside), net, bits);
    for (const auto& [parent, instance] : path) {
      add_output(texts_.at(parent), net, bits);
      connect(texts_.at(parent), fmt::format("{0}_{1} {1}", parent, instance), net, net);
    }
    wires_ += wire(net, bits);
    pins_ += fmt::format(", .see_{0}({0})", net);
  }
}

void OpenedUnit::drive(const std::string& input, const std::string& expression) {
  width(input);
  driven_[input] = expression;
}

Property OpenedUnit::property(const std::string& claim) const {
  std::string ports, wires, pins;
  for (const rtl::Signal& signal : unit_.data().signals) {
    if (signal.role != rtl::Role::input && signal.role != rtl::Role::output) continue;
    const auto driven = driven_.find(signal.name);
    if (signal.role == rtl::Role::output)
      wires += wire(signal.name, signal.width);
    else
      ports += fmt::format("  input wire [{}:0] {}{},\n", signal.width - 1,
                           driven == driven_.end() ? "" : "any_", signal.name);
    if (driven != driven_.end())
      wires += fmt::format("  wire [{}:0] {} = {};\n", signal.width - 1, signal.name, driven->second);
    pins += fmt::format(", .{0}({0})", signal.name);
  }
  Property out{.top = "property",
               .verilog = {fmt::format("module property (\n  input wire clk,\n  input wire rst,\n{}"
                                       "  output wire bad\n);\n{}{}  {} dut (.clk(clk), .rst(rst){}{});\n{}",
                                       ports, wires, wires_, unit_.name(), pins, pins_, claim)},
               .flush_cycles = 1,
               .undefined_is_free = true};
  for (const auto& [name, verilog] : texts_) out.verilog.push_back(verilog);
  return out;
}

}  // namespace verif
