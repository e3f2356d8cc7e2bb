#include "gen/units/topology/topology_ports.h"

#include <fmt/format.h>

#include <span>

#include "hw/l1d/stream_params.h"

namespace gen {
namespace {

// Valid, ready and fields of stream `name` of a model `d`, in braces.
std::string together(const std::string& name, std::span<const hw::StreamField> fields) {
  std::string ports = fmt::format("d.{0}_valid, d.{0}_ready", name);
  for (const hw::StreamField& f : fields) ports += fmt::format(", d.{}_{}", name, f.name);
  return "{" + ports + "}";
}

std::string visits(const char* who, int count) {
  std::string text;
  for (int n = 0; n < count; ++n)
    text += fmt::format("    visit({}, verif::RequestPorts{},\n          verif::ResponsePorts{});\n", n,
                        together(fmt::format("{}{}_request", who, n), hw::packed_request_fields),
                        together(fmt::format("{}{}_response", who, n), hw::packed_reply_fields));
  return fmt::format(
      "  template <class Visit>\n  static void each_{}(Vdut& d, const Visit& visit) {{\n{}  }}\n", who, text);
}

}  // namespace

std::string topology_ports(const hw::TopologyShape& shape) {
  return fmt::format("struct Ports {{\n{}{}}};\n", visits("core", shape.cores),
                     visits("slice", shape.slices));
}

}  // namespace gen
