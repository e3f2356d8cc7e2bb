// The library that draws charts: Vega, Vega-Lite and Vega-Embed as one script for pages, and vl-convert,
// which draws with them without a browser. ./forge keeps both in the cache folder; no copy is in the
// repository.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace gen {

// Empty where the library is not there; says so once on standard error.
std::string vega_script();

// Throws ToolError where pictures cannot be drawn, before a long run.
void check_pictures();

// Draws a Vega-Lite specification. Throws ToolError.
std::string svg_of(const nlohmann::ordered_json& spec);

}  // namespace gen
