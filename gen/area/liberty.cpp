#include "gen/area/liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

#include "gen/area/liberty_reader.h"
#include "gen/process.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

std::string unquoted(std::string_view text) {
  std::string plain;
  for (char c : text)
    if (c != '"' && c != ' ') plain += c;
  return plain;
}

double number(std::string_view text) {
  const std::string plain = unquoted(text);
  double value = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), value);
  return value;
}

std::vector<LibertyItem> library_items(std::string_view text) {
  std::vector<LibertyItem> cells;
  for (const LibertyItem& library : liberty_items(text)) {
    if (library.key != "library" || !library.is_group) continue;
    for (const LibertyItem& item : liberty_items(library.body))
      if (item.key == "cell" && item.is_group) cells.push_back(item);
  }
  return cells;
}

// True for a cell with one input whose output is its complement.
bool inverts(const std::vector<LibertyItem>& cell) {
  std::set<std::string> inputs;
  std::string function;
  for (const LibertyItem& pin : cell) {
    if (pin.key != "pin" || !pin.is_group) continue;
    for (const LibertyItem& item : liberty_items(pin.body)) {
      if (item.key == "direction" && unquoted(item.value) == "input") inputs.insert(unquoted(pin.value));
      if (item.key == "function") function = unquoted(item.value);
    }
  }
  std::erase_if(function, [](char c) { return c == '(' || c == ')'; });
  return inputs.size() == 1 && (function == "!" + *inputs.begin() || function == *inputs.begin() + "'");
}

bool names_nand2(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name.find("NAND2") != name.npos;
}

// The patched text in the cache folder, written once; in a temporary folder where there is none.
void store(Liberty& liberty, const std::string& name, const std::string& text) {
  fs::path folder = cache_folder();
  if (folder.empty()) {
    liberty.keep = std::make_shared<const TempDir>("liberty");
    folder = liberty.keep->path();
  }
  liberty.file = folder / name;
  std::error_code ignored;
  if (fs::is_regular_file(liberty.file, ignored) && read_file(liberty.file) == text) return;
  write_file_atomically(liberty.file, text);
}

}  // namespace

LibertyCells liberty_cells(std::string_view text, const std::string& name) {
  LibertyCells cells;
  for (const LibertyItem& cell : library_items(text)) {
    const std::string cell_name = unquoted(cell.value);
    const std::vector<LibertyItem> items = liberty_items(cell.body);
    double& area = cells.areas[cell_name];
    for (const LibertyItem& item : items) {
      if (item.key == "area") area = number(item.value);
      if (item.key == "ff" && item.is_group) cells.flops.insert(cell_name);
      if (item.key == "latch" && item.is_group) cells.latches.insert(cell_name);
    }
    const auto smaller = [&](const std::string& best) { return best.empty() || area < cells.areas.at(best); };
    if (area > 0 && names_nand2(cell_name) && smaller(cells.nand2)) cells.nand2 = cell_name;
    if (area > 0 && cells.inverter != "INVX1" && inverts(items) &&
        (cell_name == "INVX1" || smaller(cells.inverter)))
      cells.inverter = cell_name;
  }
  const auto need = [&](bool found, std::string_view what) {
    if (!found)
      throw ToolError(fmt::format("{}: no {} in this Liberty file; name another with --liberty", name, what));
  };
  need(!cells.areas.empty(), "cell");
  need(!cells.nand2.empty(), "NAND2 cell with an area, the unit of gate equivalents,");
  need(!cells.inverter.empty(), "inverter");
  return cells;
}

std::map<std::string, double> cell_areas(std::string_view text) {
  std::map<std::string, double> areas;
  for (const LibertyItem& cell : library_items(text))
    for (const LibertyItem& item : liberty_items(cell.body))
      if (item.key == "area") areas[unquoted(cell.value)] = number(item.value);
  return areas;
}

std::map<std::string, double> lef_areas(std::string_view text) {
  std::map<std::string, double> areas;
  std::istringstream in{std::string(text)};
  std::string macro;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key, by, name;
    double width = 0, height = 0;
    words >> key;
    if (key == "MACRO") words >> macro;
    if (key == "END" && words >> name && name == macro) macro.clear();
    if (key == "SIZE" && !macro.empty() && words >> width >> by >> height) areas[macro] = width * height;
  }
  return areas;
}

std::string patch_areas(std::string_view liberty, const std::map<std::string, double>& layout,
                        std::vector<AreaFix>& fixes) {
  std::string patched;
  size_t copied = 0;
  for (const LibertyItem& cell : library_items(liberty)) {
    const auto found = layout.find(unquoted(cell.value));
    if (found == layout.end()) continue;
    for (const LibertyItem& item : liberty_items(cell.body)) {
      if (item.key != "area" || std::abs(number(item.value) - found->second) < 0.01) continue;
      fixes.push_back({found->first, number(item.value), found->second});
      const size_t at = static_cast<size_t>(item.value.data() - liberty.data());
      patched += liberty.substr(copied, at - copied);
      patched += fmt::format("{:g}", found->second);
      copied = at + item.value.size();
    }
  }
  return patched.append(liberty.substr(copied));
}

Liberty default_liberty(const fs::path& folder) {
  const fs::path cells = folder / "osu018_stdcells.lib", layout = folder / "osu018_stdcells.lef";
  for (const fs::path& file : {cells, layout}) {
    if (std::error_code ignored; !fs::is_regular_file(file, ignored)) {
      throw ToolError(
          fmt::format("{}: not found; install it by: apt-get install qflow-tech-osu018, or name another "
                      "library with --liberty FILE",
                      file.string()));
    }
  }
  Liberty liberty;
  const std::string text = patch_areas(read_file(cells), lef_areas(read_file(layout)), liberty.fixes);
  liberty.origin = fmt::format("{}, {} areas corrected from its LEF", cells.string(), liberty.fixes.size());
  liberty.cells = liberty_cells(text, cells.string());
  store(liberty, "osu018_stdcells_patched.lib", text);
  return liberty;
}

Liberty user_liberty(const fs::path& file) {
  Liberty liberty;
  liberty.file = fs::absolute(file);
  liberty.origin = file.string();
  liberty.cells = liberty_cells(read_file(file), file.string());
  return liberty;
}

}  // namespace gen
