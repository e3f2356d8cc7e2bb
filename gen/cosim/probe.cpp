#include "gen/cosim/probe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "gen/ports.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

// A module of the tree and where it stands: in Verilog's words, and as names of state have it.
struct Place {
  const rtl::ModuleData& module;
  std::string scope, path;
};

void walk(const Place& at, const std::function<void(const Place&)>& see) {
  see(at);
  const std::function<void(const std::vector<rtl::Item>&, const std::string&, const std::string&)> children =
      [&](const std::vector<rtl::Item>& items, const std::string& scope, const std::string& number) {
        for (const rtl::Item& item : items) {
          if (const auto* i = std::get_if<rtl::Instance>(&item.what))
            walk({i->child.data(), scope + i->name + ".", at.path + i->name + number + "."}, see);
          if (const auto* r = std::get_if<rtl::Repeat>(&item.what))
            for (int k = 0; k < r->times; ++k)
              children(r->items, fmt::format("{}{}[{}].", scope, r->label, k),
                       fmt::format("{}{}", number, k));
        }
      };
  children(at.module.items, at.scope, "");
}

std::vector<Probe> all_nets(const rtl::Module& top) {
  std::vector<Probe> out;
  walk({top.data(), "dut.", ""}, [&](const Place& at) {
    const bool is_top = at.path.empty();
    for (const rtl::Signal& s : at.module.signals) {
      const bool port = s.role == rtl::Role::input || s.role == rtl::Role::output;
      out.push_back({at.scope.substr(0, at.scope.size() - 1), s.name, s.width,
                     is_top && port ? s.name : fmt::format("probe_{}", out.size())});
    }
  });
  return out;
}

std::string range(int width) { return width == 1 ? "" : fmt::format("[{}:0] ", width - 1); }

int bits_of(const ShownValue& v) {
  int bits = v.width;
  for (const rtl::Index& part : v.parts) bits *= part.count;
  return bits;
}

// What the values ask for, each once.
std::map<std::string, int> looks_of(const std::vector<ShownValue>& shown) {
  std::map<std::string, int> looks;
  for (const ShownValue& v : shown)
    if (v.look) looks[v.look->name] = v.look->count;
  return looks;
}

std::string indices_text(const ShownValue& v) {
  std::vector<rtl::Index> all = v.parts;
  if (v.look) all.insert(all.begin(), *v.look);
  std::vector<std::string> texts;
  for (const rtl::Index& i : all) texts.push_back(fmt::format("{{\"{}\", {}}}", i.name, i.count));
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

}  // namespace

std::vector<ShownValue> shown_state(const rtl::Module& top) {
  std::vector<ShownValue> out;
  walk({top.data(), "dut.", ""}, [&](const Place& at) {
    for (const rtl::Observed& o : at.module.observed) {
      ShownValue v{at.path + o.name, o.value.width(), o.look, o.parts, rtl::verilog(o.value, at.scope)};
      for (const rtl::Index& part : o.parts) v.width /= part.count;
      const rtl::Signal* signal = at.module.signal(rtl::verilog(o.value));
      v.is_port = at.path.empty() && signal && signal->role == rtl::Role::output;
      out.push_back(std::move(v));
    }
  });
  return out;
}

std::vector<UpsetRam> rams_below(const rtl::Module& top, const std::vector<std::string>& instances) {
  std::vector<UpsetRam> out;
  walk({top.data(), "dut.", ""}, [&](const Place& at) {
    if (std::ranges::none_of(instances,
                             [&](const std::string& name) { return at.path.starts_with(name + "."); }))
      return;
    for (const rtl::Store& store : at.module.mems)
      out.push_back({at.path.substr(0, at.path.size() - 1), at.scope + store.mem.name, store.mem.depth,
                     store.mem.width});
  });
  return out;
}

std::vector<UpsetRam> flops_of(const rtl::Module& top) {
  std::vector<UpsetRam> out;
  walk({top.data(), "dut.", ""}, [&](const Place& at) {
    if (at.module.name->starts_with("sram_")) return;
    for (const rtl::Signal& s : at.module.signals)
      if (s.role == rtl::Role::reg) out.push_back({at.path + s.name, at.scope + s.name, 0, s.width});
    for (const rtl::Store& store : at.module.mems)
      out.push_back({at.path + store.mem.name, at.scope + store.mem.name, store.mem.depth, store.mem.width});
  });
  return out;
}

namespace {

int row_bits_of(const UpsetRam& ram) {
  return rtl::clog2(static_cast<std::uint64_t>(std::max(ram.count, 2)));
}

// Not at an edge of the clock: a row that is written there takes no upset.
std::string upset_text(const std::vector<UpsetRam>& upset) {
  std::string cases;
  const int row_bits = row_bits_of(std::ranges::max(upset, {}, &UpsetRam::count));
  for (std::size_t n = 0; n < upset.size(); ++n) {
    const int bits = row_bits_of(upset[n]);
    const std::string row = bits == row_bits ? "[upset_row]" : fmt::format("[upset_row[{}:0]]", bits - 1);
    cases += fmt::format("      16'd{0}: {1} <= {1} ^ upset_bits[{2}:0];\n", n,
                         upset[n].rows + (upset[n].count ? row : ""), upset[n].bits - 1);
  }
  return "  always @(posedge upset) begin\n    case (upset_ram)\n" + cases +
         "      default: begin\n      end\n    endcase\n  end\n";
}

}  // namespace

bool has_clock(const rtl::Module& top) { return std::ranges::any_of(ports_of(top), &Port::is_clock); }

ProbedTop probed(const rtl::Module& top, bool inner, const std::vector<ShownValue>& shown,
                 const std::vector<UpsetRam>& upset) {
  const auto ports = ports_of(top);
  ProbedTop out{top.name() + "_probed", "", {}, has_clock(top)};
  for (const Port& p : ports)
    if (p.is_clock || p.is_reset) out.probes.push_back({"dut", p.name, 1, p.name});
  for (Probe& p : all_nets(top)) out.probes.push_back(std::move(p));
  if (!inner) std::erase_if(out.probes, [](const Probe& p) { return !p.is_port(); });

  std::vector<std::string> list, pins;
  std::string registers, loads, assigns;
  if (out.steps) list.push_back("input wire drive_inputs");
  for (const Port& p : ports) {
    list.push_back(fmt::format("{} wire {}{}", p.direction, range(p.width), p.name));
    const bool driven = out.steps && p.direction == "input" && !p.is_clock;
    pins.push_back(fmt::format(".{}({}{})", p.name, driven ? "driven_" : "", p.name));
    if (!driven) continue;
    registers += fmt::format("  reg {}driven_{};\n", range(p.width), p.name);
    loads += fmt::format("    driven_{0} <= {0};\n", p.name);
  }
  if (!loads.empty()) registers += "  always @(posedge drive_inputs) begin\n" + loads + "  end\n";
  for (const Probe& p : out.probes) {
    if (p.is_port()) continue;
    list.push_back(fmt::format("output wire {}{}", range(p.width), p.port));
    assigns += fmt::format("  assign {} = {}.{};\n", p.port, p.scope, p.net);
  }
  for (const auto& [name, count] : looks_of(shown))
    list.push_back(fmt::format("input wire {}{}", range(rtl::clog2(static_cast<std::uint64_t>(count))),
                               rtl::Module::look_port(name)));
  // With zeros above, so that 64 bits can be read from any bit of the value on.
  for (std::size_t n = 0; n < shown.size(); ++n) {
    const int padding = 128 - bits_of(shown[n]) % 64;
    list.push_back(fmt::format("output wire {}state{}", range(bits_of(shown[n]) + padding), n));
    assigns +=
        fmt::format("  assign state{} = {{{}'d0, {}}};  // {}\n", n, padding, shown[n].value, shown[n].name);
  }
  if (!upset.empty()) {
    list.push_back("input wire upset, input wire [15:0] upset_ram");
    const UpsetRam& deepest = std::ranges::max(upset, {}, &UpsetRam::count);
    const int bits = std::ranges::max(upset, {}, &UpsetRam::bits).bits;
    list.push_back(fmt::format("input wire {}upset_row", range(row_bits_of(deepest))));
    list.push_back(fmt::format("input wire {}upset_bits", range(std::max(bits, 2))));
    assigns += upset_text(upset);
    if (deepest.count == 0) assigns += "  wire unused_row;\n  assign unused_row = ^upset_row;\n";
  }
  out.verilog = fmt::format("module {} (\n  {}\n);\n\n{}  {} dut ({});\n{}\nendmodule\n", out.module,
                            fmt::join(list, ",\n  "), registers, top.name(), fmt::join(pins, ", "), assigns);
  return out;
}

std::string state_text(const std::vector<ShownValue>& shown, bool complete,
                       const std::vector<UpsetRam>& upset) {
  std::string calls = complete ? "" : "  state.ports_alone();\n";
  for (const auto& [name, count] : looks_of(shown))
    calls +=
        fmt::format("  state.looks_at(\"{}\", {}, dut.{});\n", name, count, rtl::Module::look_port(name));
  for (std::size_t n = 0; n < shown.size(); ++n)
    calls += fmt::format("  state.shows(\"{}\", {}, {}, dut.state{});\n", shown[n].name, shown[n].width,
                         indices_text(shown[n]), n);
  for (std::size_t n = 0; n < upset.size(); ++n)
    calls += fmt::format("  state.flips(\"{}\", {}, {}, {}, dut);\n", upset[n].name, n,
                         std::max(upset[n].count, 1), upset[n].bits);
  return calls;
}

}  // namespace gen
