// Charts as Vega-Lite specifications: what a page shows, and what pictures are made of.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gen {

// `spec` has no size: a page makes it as wide as its column, a picture some 500 pixels.
struct Chart {
  std::string title;
  nlohmann::ordered_json spec;
  std::string note = {};
  bool wide = false;  // in a page, over all columns
};

// For colour-blind readers, on white and on black (Okabe and Ito). More categories than these get no colours.
inline constexpr std::size_t most_colours = 7;
const nlohmann::ordered_json& palette();
inline constexpr const char* quiet_colour = "#999999";

// Lines of at most so many letters, broken behind spaces, else behind commas, points, slashes and hyphens;
// page.js breaks labels the same way.
std::vector<std::string> lines_of(const std::string& text, std::size_t letters);

// What fades while other configurations are chosen.
nlohmann::ordered_json chosen_opacity(double opacity = 1);

// An axis of names, each in as many lines as it needs.
nlohmann::ordered_json axis_of_names();

// An axis of numbers, from thousandths to millions.
nlohmann::ordered_json axis_of_numbers(int ticks = 4);

// The specification for a page, complete but for its width.
nlohmann::ordered_json page_spec(const Chart& chart);

// One picture of all charts, each below the one before, as SVG. Throws ToolError where vl-convert fails.
std::string picture_of(const std::vector<Chart>& charts);

}  // namespace gen
