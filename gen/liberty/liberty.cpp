#include "gen/liberty/liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "gen/config/text.h"
#include "gen/liberty/liberty_reader.h"
#include "gen/liberty/liberty_text.h"
#include "gen/process.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

std::vector<LibertyItem> library_items(std::string_view text) {
  std::vector<LibertyItem> cells;
  for (const LibertyItem& library : liberty_items(text)) {
    if (library.key != "library" || !library.is_group) continue;
    for (const LibertyItem& item : liberty_items(library.body))
      if (item.key == "cell" && item.is_group) cells.push_back(item);
  }
  return cells;
}

using Items = std::vector<LibertyItem>;

std::string value_of(const Items& items, std::string_view key) {
  for (const LibertyItem& item : items)
    if (item.key == key && !item.is_group) return liberty_word(item.value);
  return "";
}

struct Pin {
  std::string name, direction, function;
  double capacitance = 0;
  bool tristate = false;
};

std::vector<Pin> pins_of(const Items& cell) {
  std::vector<Pin> pins;
  for (const LibertyItem& pin : cell) {
    if (pin.key != "pin" || !pin.is_group) continue;
    const Items items = liberty_items(pin.body);
    pins.push_back({liberty_word(pin.value), value_of(items, "direction"), value_of(items, "function"),
                    liberty_number(value_of(items, "capacitance")), !value_of(items, "three_state").empty()});
  }
  return pins;
}

// The input of a cell with one input whose output is its complement.
const Pin* inverted(const std::vector<Pin>& pins) {
  const Pin* input = nullptr;
  std::string function;
  for (const Pin& pin : pins) {
    if (pin.direction == "input" && input != nullptr) return nullptr;
    if (pin.direction == "input") input = &pin;
    if (!pin.function.empty()) function = pin.function;
  }
  std::erase_if(function, [](char c) { return c == '(' || c == ')'; });
  const bool inverts = input != nullptr && (function == "!" + input->name || function == input->name + "'");
  return inverts ? input : nullptr;
}

// Of a `latch (IQ, IQN)` without clear and preset, whose enable and data are pins.
std::optional<LatchCell> plain_latch(const std::string& cell, const LibertyItem& latch,
                                     const std::vector<Pin>& pins) {
  const Items items = liberty_items(latch.body);
  LatchCell found{cell, value_of(items, "enable"), value_of(items, "data_in"), ""};
  for (std::string* name : {&found.enable, &found.data})
    std::erase_if(*name, [](char c) { return c == '(' || c == ')'; });
  const std::string state = liberty_word(latch.value.substr(0, latch.value.find(',')));
  int inputs = 0, named = 0;
  for (const Pin& pin : pins) {
    inputs += pin.direction == "input";
    named += pin.name == found.enable || pin.name == found.data;
    if (pin.function == state) found.output = pin.name;
  }
  if (inputs != 2 || named != 2 || found.output.empty()) return {};
  return found;
}

// Why yosys and abc leave a cell out; empty when they take it.
std::string why_unused(const Items& cell, const std::vector<Pin>& pins, double area, bool stores) {
  if (value_of(cell, "dont_use") == "true") return "dont_use";
  if (std::ranges::any_of(pins, &Pin::tristate)) return "drives only at times";
  const bool computes = std::ranges::any_of(pins, [](const Pin& pin) { return !pin.function.empty(); });
  if (!computes && !stores) return "no logic function";
  return area > 0 ? "" : "no area";
}

// fF of one unit of `capacitive_load_unit (1, pf)`.
double femtofarads(std::string_view text) {
  for (const LibertyItem& library : liberty_items(text)) {
    if (library.key != "library" || !library.is_group) continue;
    for (const LibertyItem& item : liberty_items(library.body)) {
      if (item.key != "capacitive_load_unit") continue;
      const std::string value = liberty_word(item.value);
      const std::string unit = value.substr(std::min(value.find(',') + 1, value.size()));
      return liberty_number(value.substr(0, value.find(','))) * (unit == "pf" || unit == "PF" ? 1000 : 1);
    }
  }
  return 0;
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
  const double unit_ff = femtofarads(text);
  for (const LibertyItem& cell : library_items(text)) {
    const std::string cell_name = liberty_word(cell.value);
    const Items items = liberty_items(cell.body);
    const std::vector<Pin> pins = pins_of(items);
    const double area = cells.areas[cell_name] = liberty_number(value_of(items, "area"));
    bool stores = false;
    const auto smaller = [&](const std::string& best) { return best.empty() || area < cells.areas.at(best); };
    for (const LibertyItem& item : items) {
      if (!item.is_group || (item.key != "ff" && item.key != "latch")) continue;
      stores = true;
      (item.key == "ff" ? cells.flops : cells.latches).insert(cell_name);
      if (const auto latch = item.key == "latch" ? plain_latch(cell_name, item, pins) : std::nullopt)
        if (!cells.latch || smaller(cells.latch->name)) cells.latch = latch;
    }
    if (const std::string why = why_unused(items, pins, area, stores); !why.empty())
      cells.unused[cell_name] = why;
    if (area > 0 && names_nand2(cell_name) && smaller(cells.nand2)) cells.nand2 = cell_name;
    const Pin* input = inverted(pins);
    if (area > 0 && cells.inverter != "INVX1" && input != nullptr &&
        (cell_name == "INVX1" || smaller(cells.inverter))) {
      cells.inverter = cell_name;
      cells.inverter_ff = input->capacitance * unit_ff;
    }
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
      if (item.key == "area") areas[liberty_word(cell.value)] = liberty_number(item.value);
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
    const auto found = layout.find(liberty_word(cell.value));
    if (found == layout.end()) continue;
    for (const LibertyItem& item : liberty_items(cell.body)) {
      if (item.key != "area" || std::abs(liberty_number(item.value) - found->second) < 0.01) continue;
      fixes.push_back({found->first, liberty_number(item.value), found->second});
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

Liberty user_liberty(const std::vector<std::string>& files, std::optional<double> load_ff) {
  constexpr double osu018_inverter_ff = 9.32456;
  std::vector<LibertyText> texts;
  std::vector<std::string> paths;
  for (const std::string& file : files) {
    texts.push_back(read_liberty(file));
    paths.push_back(file);
  }
  Liberty liberty;
  liberty.origin = joined(paths, ", ");
  const std::string text = texts.size() == 1 ? texts[0].text : merged(texts);
  liberty.cells = liberty_cells(text, texts.size() == 1 ? paths[0] : paths[0] + " and others");
  if (load_ff)
    liberty.load_ff = *load_ff;
  else if (liberty.cells.inverter_ff > 0)
    liberty.load_ff *= liberty.cells.inverter_ff / osu018_inverter_ff;
  if (texts.size() == 1 && read_file(files[0]) == text) {
    liberty.file = fs::absolute(files[0]);
  } else {
    liberty.keep = std::make_shared<const TempDir>("liberty");
    liberty.file = *liberty.keep / "merged.lib";
    write_file_atomically(liberty.file, text);
  }
  return liberty;
}

}  // namespace gen
