#include "gen/orfs.h"

#include <fmt/format.h>

#include <string_view>

namespace gen {
namespace {

// Twice as fast as clk and edge-aligned with it.
constexpr std::string_view fast_clock = "clk_noc1";

// Every path goes from this folder, wherever the flow is started.
constexpr const char* here = "$(dir $(lastword $(MAKEFILE_LIST)))";

std::string config_mk(const OrfsDesign& d) {
  std::string text = fmt::format(
      "# OpenROAD-flow-scripts: make DESIGN_CONFIG=<this file>\n"
      "export DESIGN_NAME     = {0}\n"
      "export DESIGN_NICKNAME = {0}\n"
      "export PLATFORM        = {1}\n\n"
      "L1FORGE_DIR := {2}\n",
      d.top, d.platform, here);
  text += "export VERILOG_FILES =";
  for (const std::string& file : d.files) text += fmt::format(" \\\n  $(L1FORGE_DIR){}", file);
  text += "\nexport SDC_FILE = $(L1FORGE_DIR)constraint.sdc\n\n";
  text +=
      "export CORE_UTILIZATION = 55\n"
      "export TNS_END_PERCENT  = 100\n";
  if (!d.macros.empty() && d.black_boxes)
    text +=
        "\n# Macros called after the modules of macros.txt: name their layouts and libraries here.\n"
        "export ADDITIONAL_LEFS =\n"
        "export ADDITIONAL_LIBS =\n";
  return text;
}

// Commands that OpenSTA of 2019 knows too; the flow's own set_units is the platform's.
std::string constraint_sdc(const OrfsDesign& d) {
  std::string text = fmt::format("current_design {}\n\nset period {:g}\n", d.top, d.clock_ns);
  if (d.clocks.empty())
    text += "# No clock port: paths from inputs to outputs are timed by a virtual clock.\n";
  for (const std::string& clock : d.clocks)
    text += fmt::format("create_clock -name {0} -period {1} [get_ports {0}]\n", clock,
                        clock == fast_clock ? "[expr {$period / 2.0}]" : "$period");
  if (d.clocks.empty()) text += "create_clock -name virtual_clock -period $period\n";
  const std::string reference = d.clocks.empty() ? "virtual_clock" : d.clocks[0];

  // `all_inputs -no_clocks` is not portable.
  text +=
      "\nset data_inputs {}\nforeach port [all_inputs] {\n  set name [get_property $port full_name]\n  if "
      "{[lsearch -exact {";
  for (const std::string& clock : d.clocks) text += clock == d.clocks[0] ? clock : " " + clock;
  text += "} $name] < 0} { lappend data_inputs $port }\n}\n";
  text += fmt::format("set_input_delay [expr {{$period * 0.2}}] -clock {} $data_inputs\n", reference);
  text += fmt::format("set_output_delay [expr {{$period * 0.2}}] -clock {} [all_outputs]\n", reference);
  for (const std::string& reset : d.resets)
    text += fmt::format("set_false_path -from [get_ports {}]\n", reset);
  return text;
}

std::string macros_txt(const OrfsDesign& d) {
  if (d.macros.empty()) return "# No RAM macro: the unit is made of gates and flops only.\n";
  std::string text =
      d.black_boxes ? "# Modules that RAM macros of these names are to provide, one a line.\n"
                    : "# Modules with a behavioural body, which becomes flops: RAM macros can replace them\n"
                      "# (l1forge gen --ram blackbox).\n";
  for (const std::string& macro : d.macros) text += macro + "\n";
  return text;
}

}  // namespace

std::map<std::string, std::string> orfs_files(const OrfsDesign& design) {
  return {{"config.mk", config_mk(design)},
          {"constraint.sdc", constraint_sdc(design)},
          {"macros.txt", macros_txt(design)}};
}

}  // namespace gen
