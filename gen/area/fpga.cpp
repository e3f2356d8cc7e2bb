#include "gen/area/fpga.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/area/request.h"
#include "gen/area/storage_report.h"
#include "gen/area/tool_reports.h"
#include "gen/config/text.h"
#include "gen/disk_space.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "gen/unit/arrays_by_module.h"

namespace gen {
namespace {

struct FpgaFlow {
  std::string name, flow;
};

const std::vector<FpgaFlow>& fpga_flows() {
  // Without pads and clock buffers: the unit is a part of a design.
  static const std::vector<FpgaFlow> all = {
      {"xilinx7", "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf"},
      {"ecp5", "synth_ecp5"},
      {"ice40", "synth_ice40"}};
  return all;
}

// What a cell of a family counts as; nullptr for muxes between tables, which are wired into their slice.
int FpgaCells::*kind_of(const std::string& type) {
  const auto begins = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return type.starts_with(word); });
  };
  if (begins({"RAMB", "DP16K", "PDPW16K", "SB_RAM40"})) return &FpgaCells::block_rams;
  if (begins({"RAM32", "RAM64", "RAM128", "RAM256", "TRELLIS_DPR16"})) return &FpgaCells::distributed_rams;
  if (begins({"CARRY4", "CCU2", "SB_CARRY"})) return &FpgaCells::carries;
  if (begins({"FD", "TRELLIS_FF", "SB_DFF"})) return &FpgaCells::flops;
  if (begins({"LUT", "SB_LUT", "INV", "SRL"})) return &FpgaCells::luts;
  return nullptr;
}

std::vector<std::string> cells_row(const std::string& name, const FpgaCells& c) {
  return {name,
          fmt::format("{}", c.luts),
          fmt::format("{}", c.flops),
          fmt::format("{}", c.carries),
          fmt::format("{}", c.block_rams),
          fmt::format("{}", c.distributed_rams)};
}

nlohmann::ordered_json cells_json(const FpgaCells& c) {
  return {{"luts", c.luts},
          {"flip_flops", c.flops},
          {"carries", c.carries},
          {"block_rams", c.block_rams},
          {"distributed_rams", c.distributed_rams},
          {"cells", c.by_type}};
}

std::string statistics(const Unit& unit, const std::string& family) {
  const TempDir folder("fpga");
  const AreaRequest request = area_request(unit.top.name(), unit.top, 0);
  run_fpga_script(folder.path(), "fpga.ys", family, request.top, request);
  return read_file(folder / "stat.txt");
}

}  // namespace

void FpgaCells::add(const FpgaCells& other, int times) {
  for (const auto member : {&FpgaCells::luts, &FpgaCells::flops, &FpgaCells::carries, &FpgaCells::block_rams,
                            &FpgaCells::distributed_rams})
    this->*member += times * other.*member;
  for (const auto& [type, count] : other.by_type) by_type[type] += times * count;
}

std::string FpgaArray::kind() const {
  return cells.block_rams > 0 ? "block" : cells.distributed_rams > 0 ? "distributed" : "flops";
}

FpgaCells FpgaResult::total() const {
  FpgaCells sum = logic;
  for (const FpgaArray& array : arrays) sum.add(array.cells, array.count);
  return sum;
}

std::vector<std::string> fpga_families() {
  std::vector<std::string> names;
  for (const FpgaFlow& family : fpga_flows()) names.push_back(family.name);
  return names;
}

FpgaCells fpga_cells(const std::map<std::string, int>& by_type) {
  FpgaCells cells{.by_type = by_type};
  for (const auto& [type, count] : by_type)
    if (const auto kind = kind_of(type)) cells.*kind += count;
  return cells;
}

void run_fpga_script(const std::filesystem::path& folder, const std::string& script,
                     const std::string& family, const std::string& top, const AreaRequest& request) {
  std::vector<std::string> files;
  for (const VerilogSource& source : request.sources) {
    files.push_back(fmt::format("{}.v", files.size()));
    write_file_atomically(folder / files.back(), source.text);
  }
  // Without RAMs yosys would take the empty list for every module.
  const std::string rams = request.black_boxes.empty() ? top : joined(request.black_boxes, " ");
  const auto flow = std::ranges::find(fpga_flows(), family, &FpgaFlow::name);
  write_file_atomically(
      folder / script,
      fill_in(read_file(paths::source() / "synth-scripts" / script),
              {{"SOURCES", joined(files, " ")}, {"RAMS", rams}, {"FLOW", flow->flow}, {"TOP", top}}));
  const Finished done = run({.argv = {"yosys", "-Q", "-T", script},
                             .environment = {{"TMPDIR", folder.string()}},
                             .folder = folder});
  if (!done.ok())
    throw ToolError(fmt::format("yosys: {}: {}{}", top, log_tail(done.output), no_space_left({folder})));
}

FpgaResult fpga(const Unit& unit, const std::string& family) {
  find_tool("yosys");
  FpgaResult result{.family = family, .arrays = arrays_by_module<FpgaArray>(unit.storage)};
  const std::string stat = statistics(unit, family);
  for (const auto& [name, text] : stat_modules(stat)) {
    std::map<std::string, int> types = parse_stat_cells(text);
    std::erase_if(types, [](const auto& type) { return type.first.starts_with("sram_"); });
    const auto array =
        std::ranges::find_if(result.arrays, [&](const FpgaArray& a) { return a.one.module == name; });
    if (array != result.arrays.end())
      array->cells = fpga_cells(types);
    else if (name == unit.top.name())
      result.logic.add(fpga_cells(types));
    else  // its cells would count once, however often it is there
      throw ToolError(fmt::format("yosys: {}: module {} is not flattened", unit.top.name(), name));
  }
  return result;
}

std::string fpga_table(const Unit& unit, const FpgaResult& result) {
  std::vector<std::vector<std::string>> rows = {
      {"part", "LUTs", "flip-flops", "carries", "block RAMs", "distributed RAMs", "array as"}};
  const auto add = [&](const std::string& name, const FpgaCells& cells, const std::string& last) {
    rows.push_back(cells_row(name, cells));
    rows.back().push_back(last);
  };
  add(unit.top.name(), result.total(), "-");
  add("  without its arrays", result.logic, "-");
  for (const FpgaArray& array : result.arrays) {
    FpgaCells all;
    all.add(array.cells, array.count);
    add(fmt::format("  {} x {}", array.count, array.one.module), all, array.kind());
  }
  return fmt::format("{}family: {}, mapped by yosys' flow, before placement and routing\n",
                     aligned(rows, true), result.family);
}

nlohmann::ordered_json fpga_json(const Unit& unit, const FpgaResult& result) {
  nlohmann::ordered_json json = {{"name", unit.top.name()}, {"fpga", result.family}};
  json.update(cells_json(result.total()));
  json["logic"] = cells_json(result.logic);
  json["arrays"] = nlohmann::ordered_json::array();
  for (const FpgaArray& array : result.arrays) {
    nlohmann::ordered_json row = {{"module", array.one.module},
                                  {"count", array.count},
                                  {"rows", array.one.rows},
                                  {"row_bits", array.one.row_bits},
                                  {"as", array.kind()}};
    row.update(cells_json(array.cells));
    json["arrays"].push_back(row);
  }
  return json;
}

}  // namespace gen
