#include "gen/ports.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/rtl/module_data.h"

namespace gen {

std::string bit_range(const rtl::Size& width) {
  return width == 1 ? "" : fmt::format("[{}:0]", (width - 1).text(false));
}

std::string declaration(std::string_view net, const std::string& range, std::string_view name) {
  return range.empty() ? fmt::format("{} {}", net, name) : fmt::format("{} {} {}", net, range, name);
}

std::vector<Port> ports_of(const rtl::Module& module) { return ports_of(module.data()); }

std::vector<Port> ports_of(const rtl::ModuleData& m) {
  std::vector<Port> ports;
  const auto add_clock = [&](const rtl::Clock& c, const std::string& doc) {
    if (m.uses_clock(c.name))
      ports.push_back({.name = c.name, .direction = "input", .doc = doc, .is_clock = true});
    const bool known = std::ranges::find(ports, c.reset, &Port::name) != ports.end();
    if (!c.reset.empty() && !known && m.uses_reset(c.name))
      ports.push_back(
          {.name = c.reset, .direction = "input", .doc = "synchronous reset, active high", .is_reset = true});
  };
  add_clock({}, "clock, rising edge");
  for (const auto& [c, doc] : m.clocks) add_clock(c, doc);
  for (const rtl::Signal& s : m.signals)
    if (s.role == rtl::Role::input || s.role == rtl::Role::output)
      ports.push_back({.name = s.name,
                       .direction = s.role == rtl::Role::input ? "input" : "output",
                       .width = s.width,
                       .doc = s.doc,
                       .is_reg = s.in_block,
                       .size = s.size});
  return ports;
}

}  // namespace gen
