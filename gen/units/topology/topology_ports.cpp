#include "gen/units/topology/topology_ports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "hw/l1d/controls_params.h"
#include "hw/l1d/stream_params.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

using Fields = std::span<const hw::StreamField>;

// Valid, ready and fields of stream `name` of a model `d`, in brackets.
std::string together(const std::string& name, Fields fields, const hw::MessageShape& shape) {
  std::string ports = fmt::format("d.{0}_valid, d.{0}_ready", name);
  for (const hw::StreamField& f : fields)
    if (f.width(shape)) ports += fmt::format(", d.{}_{}", name, f.name);
  return "(" + ports + ")";
}

std::string visits(const char* who, int count, Fields request, const hw::MessageShape& shape) {
  std::string text;
  for (int n = 0; n < count; ++n)
    text += fmt::format(
        "    visit({}, verif::as_request_with<hw::SidebandBits{{{}}}>{},\n          verif::as_response{});\n",
        n, fmt::join(shape.sideband, ", "), together(fmt::format("{}{}_request", who, n), request, shape),
        together(fmt::format("{}{}_response", who, n), hw::packed_reply_fields, shape));
  return fmt::format(
      "  template <class Visit>\n  static void each_{}(Vdut& d, const Visit& visit) {{\n{}  }}\n", who, text);
}

std::string controls(const hw::TopologyParams& p) {
  const bool in_nodes = hw::kind_of(p.shape.kind).caches_in_nodes;
  std::string text;
  for (int n = 0; n < (in_nodes ? p.shape.nodes : p.shape.cores); ++n)
    for (const hw::Control c : hw::all_controls)
      if (c.role(p.l1d) == hw::ControlRole::input)
        text += fmt::format("    visit({0}, hw::Control(\"{2}\"), d.{1}{0}_{2});\n", n,
                            in_nodes ? "node" : "core", c.name());
  return fmt::format("  template <class Visit>\n  static void each_control({}const Visit&{}) {{\n{}  }}\n",
                     text.empty() ? "Vdut&, " : "Vdut& d, ", text.empty() ? "" : " visit", text);
}

}  // namespace

std::string topology_ports(const hw::TopologyParams& p) {
  const hw::MessageShape at_slices{}, at_cores{.sideband = hw::sideband_bits(hw::plan_of(p).cache)};
  return fmt::format("struct Ports {{\n{}{}{}}};\n",
                     visits("core", p.shape.cores, hw::core_request_fields, at_cores),
                     visits("slice", p.shape.slices, hw::memory_request_fields, at_slices), controls(p));
}

}  // namespace gen
