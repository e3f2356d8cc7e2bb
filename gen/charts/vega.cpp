#include "gen/charts/vega.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "gen/process.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_variable = "VL_CONVERT_DIR";
constexpr const char* folder_name = "vl-convert-1.9.0.post1";  // as forge calls it

// Where vega.js and the Python package vl_convert are.
fs::path library_folder() {
  if (const char* own = std::getenv(folder_variable); own && *own) return own;
  return cache_folder() / folder_name;
}

bool has(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

std::string missing() {
  return fmt::format("no vl-convert in {}: ./forge charts fetches it, {} names another folder",
                     library_folder().string(), folder_variable);
}

}  // namespace

std::string vega_script() {
  const fs::path file = library_folder() / "vega.js";
  if (has(file)) return read_file(file);
  static bool said = false;
  if (!std::exchange(said, true)) fmt::print(stderr, "l1forge: pages without charts: {}\n", missing());
  return "";
}

void check_pictures() {
  if (!has(library_folder() / "vl_convert")) throw ToolError(missing());
  find_tool("python3");
}

std::string svg_of(const nlohmann::ordered_json& spec) {
  check_pictures();
  const TempDir work("chart");
  write_file_atomically(work / "chart.json", spec.dump());
  constexpr const char* program =
      "import sys\n"
      "sys.path.insert(0, sys.argv[1])\n"
      "import vl_convert\n"
      "svg = vl_convert.vegalite_to_svg(open('chart.json', encoding='utf-8').read())\n"
      "open('chart.svg', 'w', encoding='utf-8').write(svg + '\\n')\n";
  run_checked({.argv = {"python3", "-c", program, fs::absolute(library_folder()).string()},
               .folder = work.path(),
               .timeout = std::chrono::minutes(5)});
  return read_file(work / "chart.svg");
}

}  // namespace gen
