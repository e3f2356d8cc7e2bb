// A routed layout in the DEF that place2def and qrouter write.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace gen {

// Lengths and positions are um.
struct DefCell {
  std::string name, type;
  double x = 0, y = 0;  // of the lower left corner
};

struct DefWire {
  std::string layer;
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  double length() const;
};

struct DefLayout {
  double left = 0, bottom = 0, right = 0, top = 0;  // of the die
  std::vector<DefCell> cells = {};
  int nets = 0, vias = 0;
  std::vector<DefWire> wires = {};    // of signals
  std::vector<DefWire> stripes = {};  // of the supply
};

// Throws ToolError where the text is no such DEF.
DefLayout parse_def(const std::string& text);

struct LefSize {
  double width = 0, height = 0;
};
// Of each cell of a LEF, um.
std::map<std::string, LefSize> lef_sizes(const std::string& text);

// The picture: cells in rows, wires by layer. `title` stands above it.
std::string layout_svg(const DefLayout& layout, const std::map<std::string, LefSize>& sizes,
                       const std::string& title);

}  // namespace gen
