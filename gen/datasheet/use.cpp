// How a unit is used: its instance, and what surrounds it on a chip.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gen/datasheet/sections.h"
#include "gen/html.h"
#include "gen/orfs.h"
#include "gen/ports.h"

namespace gen {
namespace {

constexpr std::size_t most_lines = 20, columns_of_line = 100;

// An instance with its pins left open, several a line.
std::string instance_text(const Config& config, const std::vector<Port>& ports) {
  std::vector<std::string> lines{config.top + " unit ("};
  std::string line = "  ";
  std::size_t written = 0;
  for (std::size_t n = 0; n < ports.size(); ++n) {
    const bool wired = ports[n].is_clock || ports[n].is_reset;
    const std::string pin =
        fmt::format(".{}({}){}", ports[n].name, wired ? ports[n].name : "", n + 1 < ports.size() ? "," : "");
    if (line.size() + pin.size() > columns_of_line) {
      if (lines.size() + 4 > most_lines) break;
      lines.push_back(line);
      line = "  ";
    }
    line += (line.size() > 2 ? " " : "") + pin;
    ++written;
  }
  lines.push_back(line);
  if (written < ports.size())
    lines.push_back(
        fmt::format("  // and {} more ports, as {}.json lists them", ports.size() - written, config.top));
  lines.emplace_back(");");
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  return text;
}

std::string code(const std::string& text) { return "<pre><code>" + escaped(text) + "</code></pre>\n"; }

std::string scan_text(bool has_clocks, bool two_clocks, bool has_rams) {
  if (!has_clocks) return "Scan: the unit has no flop.";
  std::string text =
      "Scan: every flop is clocked by a port, on its rising edge. There is no latch, no gated or divided "
      "clock "
      "and no asynchronous set or reset, so that scan insertion needs no change.";
  if (two_clocks)
    text +=
        " Give each clock chains of its own, or put a lock-up latch where a chain passes from one to the "
        "other.";
  if (has_rams)
    text +=
        " RAMs keep their enables low while chains shift: gate them in the wrappers. ATPG does not know "
        "what a RAM reads, so add a bypass from write data to read data there, or let it write rows first.";
  return text;
}

std::string rams_text(const Unit& unit) {
  if (unit.storage.empty()) return "The unit has no RAM, so it needs no memory BIST.";
  std::set<std::string> modules;
  for (const StorageArray& array : unit.storage) modules.insert(array.module);
  std::string names;
  for (const std::string& module : modules) names += (names.empty() ? "" : ", ") + module;
  return fmt::format(
      "Memory BIST: {} RAMs stand behind {} wrappers, {}. Their ports leave no other way to the memory, so "
      "that the "
      "multiplexers of a BIST controller go into the wrappers. l1forge gen --ram blackbox leaves their "
      "bodies to "
      "macros of these names. No reset clears a RAM.",
      unit.storage.size(), modules.size(), names);
}

}  // namespace

std::string use_section(const Sheet& sheet) {
  const std::string call = call_of(sheet.config);
  return section(
      "Instantiation",
      code(fmt::format("l1forge gen {0} -o {1}\niverilog -g2005 -s my_top my_top.v -f {1}.f    # in {1}",
                       call, sheet.config.top)) +
          code(instance_text(sheet.config, ports_of(sheet.unit.top))));
}

std::string constraints_section(const Sheet& sheet) {
  OrfsDesign design{.top = sheet.config.top, .files = {}};
  bool two_clocks = false;
  for (const Port& port : ports_of(sheet.unit.top)) {
    if (port.is_clock) design.clocks.push_back(port.name);
    if (port.is_reset) design.resets.push_back(port.name);
    two_clocks |= port.name == "clk_noc1";
  }
  std::string body = paragraph("SDC, as l1forge gen --flow orfs writes it; the period is an example:") +
                     code(orfs_files(design).at("constraint.sdc"));
  if (two_clocks)
    body += paragraph(
        "Crossing of clk_noc1: it rises twice in each period of clk, once with clk, and both come from one "
        "source. "
        "Paths between them are timed, not false: give clk_noc1 half of $clk_period, and balance both "
        "trees as "
        "one. Words cross in crossing FIFOs without synchronizers.");
  if (!design.resets.empty())
    body += paragraph(
        "Reset: synchronous and active high; one rising edge with it high clears all state that is cleared. "
        "Outputs "
        "are undefined before. Registers of pure data pipelines have no reset.");
  else
    body += paragraph("Reset: none; the unit has no state to clear.");
  body += paragraph(scan_text(!design.clocks.empty(), two_clocks, !sheet.unit.storage.empty()));
  return section("Constraints", body + paragraph(rams_text(sheet.unit)));
}

}  // namespace gen
