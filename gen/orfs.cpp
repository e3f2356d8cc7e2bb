#include "gen/orfs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>

#include "gen/config/error.h"

namespace gen {
namespace {

// Twice as fast as clk and edge-aligned with it.
constexpr std::string_view fast_clock = "clk_noc1";

// Every path goes from this folder, wherever the flow is started.
constexpr const char* here = "$(dir $(lastword $(MAKEFILE_LIST)))";

// Bits of a memory that OpenROAD-flow-scripts lets yosys make of flops by default.
constexpr std::int64_t usual_memory_bits = 4096;

// An array's macros, and how many of its kind there are.
bool on_macros(const MappedArray& array) { return array.macro.has_value(); }

// Of each macro once.
std::vector<Macro> hard_macros(const RamMapping& mapping) {
  std::vector<Macro> all;
  std::set<std::string> cells;
  for (const MappedArray& array : mapping.arrays)
    if (on_macros(array) && cells.insert(array.macro->cell).second) all.push_back(*array.macro);
  return all;
}

int instances(const RamMapping& mapping) {
  int sum = 0;
  for (const MappedArray& array : mapping.arrays)
    if (on_macros(array)) sum += array.count * array.macros();
  return sum;
}

// um^2 of all macros, with a halo around each; without a stated outline they count as squares.
double area_with_halos(const RamMapping& mapping, const MacroSize& halo) {
  double sum = 0;
  for (const MappedArray& array : mapping.arrays) {
    if (!on_macros(array)) continue;
    const double side = std::sqrt(array.macro->facts.area);
    const MacroSize size = array.macro->size.value_or(MacroSize{side, side});
    sum += array.count * array.macros() * (size.width + 2 * halo.width) * (size.height + 2 * halo.height);
  }
  return sum;
}

// A makefile's variable with a file a line.
std::string file_list(const std::string& variable, const std::vector<std::string>& files) {
  std::string text = fmt::format("export {} =", variable);
  for (const std::string& file : files) text += " \\\n  " + file;
  return text + "\n";
}

std::string library_of(const Macro& macro) {
  std::string name = std::filesystem::path(macro.liberty).filename();
  constexpr std::string_view known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
  if (name.find_first_not_of(known) != std::string::npos)
    throw ConfigError(macro.liberty, "a makefile cannot name this file: letters, digits and _ - + . alone");
  return name;
}

// What the flow needs where the wrappers instantiate macros.
std::string macro_settings(const OrfsDesign& d) {
  const RamMapping& mapping = *d.mapping;
  std::vector<std::string> lefs, libs, gds;
  for (const Macro& macro : hard_macros(mapping)) {
    lefs.push_back(fmt::format("{}/{}.lef", d.flow.lefs, macro.cell));
    libs.push_back(fmt::format("{}/{}", d.flow.libs, library_of(macro)));
    gds.push_back(fmt::format("{}/{}.gds", d.flow.gds, macro.cell));
  }
  int across = 1;
  for (const MappedArray& array : mapping.arrays)
    if (on_macros(array)) across = std::max(across, array.macros());
  const double share = mapping.macro_area() / area_with_halos(mapping, d.flow.halo.value_or(MacroSize{0, 0}));
  std::string text = fmt::format("\n# {} RAM macros of {}: layouts and libraries by reference.\n",
                                 instances(mapping), mapping.technology);
  text += file_list("ADDITIONAL_LEFS", lefs) + file_list("ADDITIONAL_LIBS", libs) +
          file_list("ADDITIONAL_GDS", gds);
  text +=
      "\n# Modules stay apart, so that the macro placer knows which macros belong together.\n"
      "export SYNTH_HIERARCHICAL = 1\n";
  if (d.flow.halo)
    text += fmt::format("export MACRO_PLACE_HALO = {:g} {:g}\n", d.flow.halo->width, d.flow.halo->height);
  text += fmt::format(
      "# The macros of one array are a cluster.\nexport RTLMP_MIN_MACRO = 1\nexport RTLMP_MAX_MACRO = {}\n"
      "export PLACE_DENSITY_LB_ADDON = 0.10\n"
      "# Macros fill {:.0f} % of the area that they and their halos take, and that takes 70 % of the core.\n"
      "export CORE_UTILIZATION = {:.0f}\n",
      across, 100 * share, std::clamp(70 * share, 5.0, 55.0));
  text +=
      "# By hand instead, in rows at the lower and the upper edge: make L1FORGE_MACROS=rows\n"
      "ifeq ($(L1FORGE_MACROS),rows)\n"
      "export MACRO_PLACEMENT_TCL = $(L1FORGE_DIR)macro_placement.tcl\nendif\n";
  return text;
}

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
  const bool has_macros = d.mapping && instances(*d.mapping) > 0;
  if (!has_macros) text += "export CORE_UTILIZATION = 55\n";
  text += "export TNS_END_PERCENT  = 100\n";
  if (d.largest_memory > usual_memory_bits)
    text += fmt::format(
        "# Arrays without a macro become flops, up to so many bits each.\n"
        "export SYNTH_MEMORY_MAX_BITS = {}\n",
        d.largest_memory);
  if (has_macros) text += macro_settings(d);
  if (!d.macros.empty() && d.black_boxes)
    text +=
        "\n# Macros called after the modules of macros.txt: name their layouts and libraries here.\n"
        "export ADDITIONAL_LEFS =\n"
        "export ADDITIONAL_LIBS =\n";
  return text;
}

// Commands that OpenSTA of 2019 knows too; the flow's own set_units is the platform's.
std::string constraint_sdc(const OrfsDesign& d) {
  std::string text = fmt::format("current_design {}\n\nset clk_period {:g}\n", d.top, d.clock_ns);
  if (d.clocks.empty())
    text += "# No clock port: paths from inputs to outputs are timed by a virtual clock.\n";
  for (const std::string& clock : d.clocks)
    text += fmt::format("create_clock -name {0} -period {1} [get_ports {0}]\n", clock,
                        clock == fast_clock ? "[expr {$clk_period / 2.0}]" : "$clk_period");
  if (d.clocks.empty()) text += "create_clock -name virtual_clock -period $clk_period\n";
  const std::string reference = d.clocks.empty() ? "virtual_clock" : d.clocks[0];

  // `all_inputs -no_clocks` is not portable.
  text +=
      "\nset data_inputs {}\nforeach port [all_inputs] {\n  set name [get_property $port full_name]\n  if "
      "{[lsearch -exact {";
  for (const std::string& clock : d.clocks) text += clock == d.clocks[0] ? clock : " " + clock;
  text += "} $name] < 0} { lappend data_inputs $port }\n}\n";
  text += fmt::format("set_input_delay [expr {{$clk_period * 0.2}}] -clock {} $data_inputs\n", reference);
  text += fmt::format("set_output_delay [expr {{$clk_period * 0.2}}] -clock {} [all_outputs]\n", reference);
  for (const std::string& reset : d.resets)
    text += fmt::format("set_false_path -from [get_ports {}]\n", reset);
  return text;
}

// Arrays by shape, with what stands for them.
std::string mapped_macros_txt(const RamMapping& mapping) {
  std::string text = "# Arrays: how many, the module of each, its macros across x deep.\n";
  for (const MappedArray& a : mapping.arrays)
    text += on_macros(a)
                ? fmt::format("{} {} {} x {} {}\n", a.count, a.one.module, a.across, a.deep, a.macro->cell)
                : fmt::format("{} {} no macro: {}\n", a.count, a.one.module,
                              a.fallback == RamFallback::latches ? "latches" : "flops");
  return text;
}

// Macros by name in rows, from the lower and the upper edge of the core in turn, so that the cells stay
// together in its middle. Outlines are those of the layouts.
std::string macro_placement_tcl(const OrfsDesign& d) {
  const MacroSize halo = d.flow.halo.value_or(MacroSize{0, 0});
  return fmt::format(
             "# RAM macros in rows, from the lower and the upper edge of the core in turn; the macros of an "
             "array stand\n"
             "# side by side. OpenROAD-flow-scripts runs it as MACRO_PLACEMENT_TCL.\n"
             "set halo_x {:g}\nset halo_y {:g}\n",
             halo.width, halo.height) +
         R"(if {[info exists ::env(MACRO_PLACE_HALO)]} { lassign $::env(MACRO_PLACE_HALO) halo_x halo_y }
set block [ord::get_db_block]
set units [$block getDefUnits]
set core [$block getCoreArea]
foreach {name method} {left xMin right xMax bottom yMin top yMax} {
  set $name [expr {double([$core $method]) / $units}]
}
set macros {}
foreach inst [$block getInsts] {
  if {[[$inst getMaster] isBlock]} { lappend macros [list [$inst getName] $inst] }
}

# Rows: the macros of each, and its height.
set rows {}
set row {}
set x $left
set height 0
foreach macro [lsort -dictionary -index 0 $macros] {
  lassign $macro name inst
  set master [$inst getMaster]
  set width [expr {double([$master getWidth]) / $units + 2 * $halo_x}]
  set tall [expr {double([$master getHeight]) / $units + 2 * $halo_y}]
  if {$x + $width > $right && $row ne {}} {
    lappend rows [list $height $row]
    set row {}
    set x $left
    set height 0
  }
  if {$x + $width > $right} { error "$name is wider than the core: lower CORE_UTILIZATION" }
  lappend row [list $name [expr {$x + $halo_x}]]
  set x [expr {$x + $width}]
  set height [expr {max($height, $tall)}]
}
if {$row ne {}} { lappend rows [list $height $row] }

set number 0
foreach one $rows {
  lassign $one height row
  if {$bottom + $height > $top} { error "the macros are higher than the core: lower CORE_UTILIZATION" }
  if {$number % 2 == 0} {
    set y [expr {$bottom + $halo_y}]
    set bottom [expr {$bottom + $height}]
  } else {
    set top [expr {$top - $height}]
    set y [expr {$top + $halo_y}]
  }
  foreach macro $row {
    place_macro -macro_name [lindex $macro 0] -location [list [lindex $macro 1] $y] -orientation R0
  }
  incr number
}
)";
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
  const bool is_mapped = design.mapping && !design.mapping->arrays.empty();
  std::map<std::string, std::string> files{
      {"config.mk", config_mk(design)},
      {"constraint.sdc", constraint_sdc(design)},
      {"macros.txt", is_mapped ? mapped_macros_txt(*design.mapping) : macros_txt(design)}};
  if (is_mapped && instances(*design.mapping) > 0) files["macro_placement.tcl"] = macro_placement_tcl(design);
  return files;
}

}  // namespace gen
