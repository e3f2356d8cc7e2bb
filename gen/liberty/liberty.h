// The standard-cell library that areas are counted in: Debian's osu018 with its wrong areas put right, or a
// user's.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gen/files.h"

namespace gen {

// A cell whose area in the Liberty file is not the size of its layout.
struct AreaFix {
  std::string cell;
  double liberty_area = 0, layout_area = 0;  // um^2

  bool operator==(const AreaFix&) const = default;
};

// A latch that is open while its enable is 1, and has nothing else.
struct LatchCell {
  std::string name, enable, data, output;  // the cell and its pins
};

// What the flow needs to know of a Liberty file.
struct LibertyCells {
  std::map<std::string, double> areas;
  std::set<std::string> flops, latches;
  std::string nand2;                          // the smallest NAND2: its area is one gate equivalent
  std::string inverter;                       // what drives each input: INVX1, or else the smallest inverter
  double inverter_ff = 0;                     // capacitance of its input; 0 where the file does not state it
  std::optional<LatchCell> latch = {};        // the smallest
  std::map<std::string, std::string> unused;  // cells that no netlist gets, each with the reason
};

struct Liberty {
  std::filesystem::path file;  // what the tools read
  std::string origin;          // where it comes from, for the report
  std::vector<AreaFix> fixes;
  LibertyCells cells;
  double load_ff = 15;                       // at each output
  std::shared_ptr<const TempDir> keep = {};  // holds `file` where it is no file of the user's

  double nand2_area() const { return cells.areas.at(cells.nand2); }
};

// osu018 of the package qflow-tech-osu018, patched by its LEF into the cache folder. Throws ToolError naming
// the package when it is not installed.
Liberty default_liberty(const std::filesystem::path& folder = "/usr/share/qflow/tech/osu018");

// A user's Liberty files: one plain file as it is, others as one. Without `load_ff` the load of outputs is as
// many inputs of the library's inverter as 15 fF are of osu018's: abc cannot buffer for a far larger load.
Liberty user_liberty(const std::vector<std::string>& files, std::optional<double> load_ff = {});

// Throws ToolError, beginning with `name`, when the text has no cells, no NAND2 or no inverter.
LibertyCells liberty_cells(std::string_view text, const std::string& name);

// The area of each cell.
std::map<std::string, double> cell_areas(std::string_view text);

// Width times height of each MACRO of a LEF file.
std::map<std::string, double> lef_areas(std::string_view text);

// The Liberty text with the area of each cell that differs from its layout replaced; says which.
std::string patch_areas(std::string_view liberty, const std::map<std::string, double>& layout,
                        std::vector<AreaFix>& fixes);

}  // namespace gen
