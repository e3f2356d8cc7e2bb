#include "gen/cosim/probe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gen/ports.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

void collect(const rtl::ModuleData& m, const std::string& scope, bool top, std::vector<Probe>& out);

void collect_children(const std::vector<rtl::Item>& items, const std::string& scope,
                      std::vector<Probe>& out) {
  for (const rtl::Item& item : items) {
    if (const auto* i = std::get_if<rtl::Instance>(&item.what))
      collect(i->child.data(), scope + "." + i->name, false, out);
    if (const auto* r = std::get_if<rtl::Repeat>(&item.what))
      for (int k = 0; k < r->times; ++k)
        collect_children(r->items, fmt::format("{}.{}[{}]", scope, r->label, k), out);
  }
}

void collect(const rtl::ModuleData& m, const std::string& scope, bool top, std::vector<Probe>& out) {
  for (const rtl::Signal& s : m.signals) {
    const bool port = s.role == rtl::Role::input || s.role == rtl::Role::output;
    out.push_back({scope, s.name, s.width, top && port ? s.name : fmt::format("probe_{}", out.size())});
  }
  collect_children(m.items, scope, out);
}

std::string range(int width) { return width == 1 ? "" : fmt::format("[{}:0] ", width - 1); }

}  // namespace

ProbedTop probed(const rtl::Module& top, bool inner, const std::vector<ViewPort>& view) {
  ProbedTop out{top.name() + "_probed", "", {}};
  const auto ports = ports_of(top);
  for (const Port& p : ports)
    if (p.is_clock || p.is_reset) out.probes.push_back({"dut", p.name, 1, p.name});
  collect(top.data(), "dut", true, out.probes);
  if (!inner) std::erase_if(out.probes, [](const Probe& p) { return p.port != p.net || p.scope != "dut"; });

  std::vector<std::string> list, pins;
  for (const Port& p : ports) {
    list.push_back(fmt::format("{} wire {}{}", p.direction, range(p.width), p.name));
    pins.push_back(fmt::format(".{0}({0})", p.name));
  }
  std::string assigns;
  for (const Probe& p : out.probes) {
    if (p.port == p.net && p.scope == "dut") continue;
    list.push_back(fmt::format("output wire {}{}", range(p.width), p.port));
    assigns += fmt::format("  assign {} = {}.{};\n", p.port, p.scope, p.net);
  }
  for (const ViewPort& p : view) {
    list.push_back(fmt::format("{} wire {}{}", p.value.empty() ? "input" : "output", range(p.width), p.name));
    if (!p.value.empty()) assigns += fmt::format("  assign {} = {};\n", p.name, p.value);
  }
  // Indices of a view are as wide as they come.
  out.verilog = fmt::format("{}module {} (\n  {}\n);\n\n  {} dut ({});\n{}\nendmodule\n",
                            view.empty() ? "" : "/* verilator lint_off WIDTH */\n", out.module,
                            fmt::join(list, ",\n  "), top.name(), fmt::join(pins, ", "), assigns);
  return out;
}

}  // namespace gen
