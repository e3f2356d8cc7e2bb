#include "gen/units/topology/topology_ports.h"

#include <fmt/format.h>

namespace gen {
namespace {

std::string visits(const char* who, int count) {
  std::string text;
  for (int n = 0; n < count; ++n) {
    const std::string request = fmt::format("d.{}{}_request", who, n),
                      response = fmt::format("d.{}{}_response", who, n);
    text += fmt::format(
        "    visit({0}, verif::RequestPorts{{{1}_valid, {1}_ready, {1}_id, {1}_kind, {1}_address, {1}_mask, "
        "{1}_byte_enable, {1}_data}},\n"
        "          verif::ResponsePorts{{{2}_valid, {2}_ready, {2}_id, {2}_mask, {2}_data}});\n",
        n, request, response);
  }
  return fmt::format(
      "  template <class Visit>\n  static void each_{}(Vdut& d, const Visit& visit) {{\n{}  }}\n", who, text);
}

}  // namespace

std::string topology_ports(const hw::TopologyShape& shape) {
  return fmt::format("struct Ports {{\n{}{}}};\n", visits("core", shape.cores),
                     visits("slice", shape.slices));
}

}  // namespace gen
