#include "gen/cosim/port_list.h"

#include <fmt/format.h>

#include "gen/ports.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

std::string each(const std::vector<Port>& ports, const char* direction) {
  std::string visits;
  for (const Port& p : ports)
    if (p.direction == direction)
      visits += fmt::format("    visit.template operator()<\"{0}\">(dut.{0});\n", p.name);
  return fmt::format(
      "  template <class Dut, class Visit>\n"
      "  static void each_{}([[maybe_unused]] Dut& dut, [[maybe_unused]] const Visit& visit) {{\n{}  }}\n",
      direction, visits);
}

std::string together(const rtl::StreamPorts& stream) {
  std::string ports = fmt::format("dut.{0}_valid, dut.{0}_ready", stream.name);
  for (const rtl::Field& f : stream.fields) ports += fmt::format(", dut.{}_{}", stream.name, f.name);
  return fmt::format(
      "  template <class Dut, class Visit>\n"
      "  static auto {}(Dut& dut, const Visit& visit) {{\n    return visit({});\n  }}\n",
      stream.name, ports);
}

}  // namespace

std::string port_list(const rtl::Module& top) {
  std::vector<Port> ports = ports_of(top);
  std::erase_if(ports, [](const Port& p) { return p.is_clock; });
  std::string names, streams;
  for (const Port& p : ports) names += fmt::format("      \"{}\",\n", p.name);
  for (const rtl::StreamPorts& s : top.data().streams) streams += together(s);
  return fmt::format(
      "struct Ports {{\n"
      "  static constexpr std::string_view names[] = {{\n{}  }};\n{}{}{}}};\n",
      names, each(ports, "input"), each(ports, "output"), streams);
}

}  // namespace gen
