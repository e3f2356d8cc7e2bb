// What a unit is: its paper, its parts, its ports with diagrams of their timing, its parameters.
#include <fmt/format.h>

#include "gen/config/text.h"
#include "gen/datasheet/block_diagram.h"
#include "gen/datasheet/port_rows.h"
#include "gen/datasheet/recorded.h"
#include "gen/datasheet/sections.h"
#include "gen/datasheet/timing.h"
#include "gen/files.h"
#include "gen/html.h"
#include "gen/paths.h"
#include "gen/ports.h"
#include "gen/with_commas.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

// WaveJSON for readers who want the diagram in a document of their own; a script's end may not stand inside.
std::string embedded(const nlohmann::ordered_json& diagram) {
  std::string text = diagram.dump();
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
    text.insert(at + 1, "\\");
  return "<script type=\"application/json\" class=\"wavejson\">" + text + "</script>\n";
}

std::string value_text(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string section(const std::string& heading, const std::string& body) {
  return fmt::format("<h2>{}</h2>\n{}", escaped(heading), body);
}

std::string paragraph(const std::string& text) { return "<p>" + escaped(text) + "</p>\n"; }

std::string about_section(const Sheet& sheet) {
  const Preset& preset = sheet.preset();
  std::string body = paragraph(fmt::format("{}: {}.", capital(preset.family->doc), preset.doc));
  body += paragraph("Source: " + preset.source + ".");
  const std::string works = read_file(paths::source() / "docs/bibliography.md");
  for (const std::string& paper : papers_in(preset.source))
    body += paragraph(fmt::format("{}: {}", paper, work_named(works, paper)));
  std::int64_t ram_bits = 0;
  for (const StorageArray& array : sheet.unit.storage) ram_bits += array.bits();
  HtmlTable figures{.headings = {"figure", "value"}, .rows = {}, .words = 2};
  figures.rows.push_back(
      {"latency", fmt::format("{} {}", sheet.unit.latency, sheet.unit.latency == 1 ? "cycle" : "cycles")});
  figures.rows.push_back({"bits in RAMs", with_commas(std::to_string(ram_bits))});
  figures.rows.push_back({"gates", with_commas(fmt::format("{:.0f}", gates_of(sheet.measured))) + " GE"});
  if (path_of(sheet.measured) > 0)
    figures.rows.push_back({"longest path", fmt::format("{:.2f} ns", path_of(sheet.measured))});
  return body + html(figures) +
         section("Block diagram",
                 "<div class=\"charts\">" + block_diagram_svg(sheet.unit.top) + "</div>\n" +
                     paragraph("Boxes are instances, with their modules; shaded ones are RAMs."));
}

std::string ports_section(const Sheet& sheet) {
  HtmlTable table{
      .headings = {"port", "direction", "bits", "meaning"}, .rows = {}, .words = 4, .has_whole_words = true};
  for (const auto& [port, count] : port_rows(ports_of(sheet.unit.top)))
    table.rows.push_back({port.name, port.direction, fmt::format("{}", port.width), port.doc});
  std::string body = html(table);
  if (!sheet.unit.top.data().streams.empty())
    body += paragraph(
        "A stream transfers at a clock edge at which its valid and ready are both high. Once valid is high, "
        "it and "
        "its fields stay until the transfer.");
  const auto& run = sheet.measured.cosim;
  std::string diagrams = paragraph(
      fmt::format("Cycles of the co-simulation of this page, seed {}: {}. Numbers above the waves count "
                  "its cycles. Ports of "
                  "more than 64 bits are left out. Fields are pale while their stream is not valid.",
                  run["seed"].dump(), "l1forge cosim " + call_of(sheet.config) + " --vcd FILE"));
  diagrams += "<div class=\"charts\">\n";
  for (const auto& diagram : sheet.measured.diagrams) diagrams += timing_svg(diagram);
  diagrams += "</div>\n";
  for (const auto& diagram : sheet.measured.diagrams) diagrams += embedded(diagram);
  return section("Ports", body) + section("Timing diagrams", diagrams);
}

std::string parameters_section(const Sheet& sheet) {
  HtmlTable table{
      .headings = {"parameter", "value", "unit", "meaning"}, .rows = {}, .words = 4, .has_whole_words = true};
  const Family& family = *sheet.preset().family;
  for (const Key& key : family.keys)
    if (counts(family, key, sheet.config.params) && sheet.config.resolved.contains(key.key))
      table.rows.push_back({key.key, value_text(sheet.config.resolved[key.key]), key.unit, key.meaning});
  return section(
      "Parameters",
      paragraph("These keys count in this configuration. l1forge describe NAME lists all of them.") +
          html(table));
}

}  // namespace gen
