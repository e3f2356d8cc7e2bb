// What pictures of runs have in common: their frame and headings, colours, and names as they may stand in
// SVG.
#pragma once
#include <cstddef>
#include <string>

namespace gen {

// Where names stand and where plots begin, and how wide plots are.
struct PictureArea {
  int label = 10, left = 260, width = 560;
};
inline constexpr PictureArea picture_area;

// Of the run of that number; there are eight, then they come again.
const char* colour_of(std::size_t number);

std::string escaped(const std::string& text);
// Long names keep their end, which tells files apart.
std::string fitted(const std::string& text);

// A heading at height `y`, which it moves below it.
std::string title_of(const std::string& text, int& y);
// The picture around a body that ends at height `y`.
std::string framed(const std::string& body, int y);

}  // namespace gen
