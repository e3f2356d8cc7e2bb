#include "gen/area/port_registers.h"

#include <fmt/format.h>

#include <vector>

#include "gen/config/text.h"
#include "gen/ports.h"
#include "gen/process.h"

namespace gen {

int port_bits(const rtl::Module& top) {
  int bits = 0;
  for (const Port& p : ports_of(top))
    if (!p.is_clock) bits += p.width;
  return bits;
}

std::string port_registers(const rtl::Module& top) {
  std::string nets, captured, clock;
  std::vector<std::string> chain, pins;
  for (const Port& p : ports_of(top)) {
    if (p.is_clock && !clock.empty())
      throw ToolError(fmt::format("{} has the clocks {} and {}; --place takes units of one clock", top.name(),
                                  clock, p.name));
    if (p.is_clock) {
      clock = p.name;
      pins.push_back(fmt::format(".{}(port_clock)", p.name));
      continue;
    }
    pins.push_back(fmt::format(".{0}({0})", p.name));
    const std::string range = bit_range(p.width);
    if (p.direction == "input") {
      nets += fmt::format("  {};\n", declaration("reg", range, p.name));
      chain.push_back(p.name);
    } else {
      // Nothing reads it, so yosys would remove it.
      nets += fmt::format("  {};\n  (* keep *) {};\n", declaration("wire", range, p.name),
                          declaration("reg", range, "captured_" + p.name));
      captured += fmt::format("    captured_{0} <= {0};\n", p.name);
    }
  }
  const std::string inputs = joined(chain, ", ");
  return fmt::format(
      "module {} (\n  input wire port_clock,\n  input wire port_serial\n);\n{}"
      "  always @(posedge port_clock) begin\n{}{}  end\n"
      "  {} unit (\n    {}\n  );\nendmodule\n",
      port_registers_name, nets,
      chain.empty() ? "" : fmt::format("    {{{0}}} <= {{{0}, port_serial}};\n", inputs), captured,
      top.name(), joined(pins, ",\n    "));
}

}  // namespace gen
