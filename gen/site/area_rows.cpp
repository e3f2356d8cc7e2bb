#include "gen/site/area_rows.h"

#include <sstream>

#include "gen/files.h"
#include "gen/paths.h"

namespace gen {

std::map<std::string, AreaRow> area_rows() {
  std::istringstream lines(read_file(paths::source() / "synth-scripts/area.csv"));
  std::map<std::string, AreaRow> rows;
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string preset, gates, path;
    std::getline(cells, preset, ',');
    std::getline(cells, gates, ',');
    std::getline(cells, path);
    rows[preset] = {std::stod(gates), std::stod(path)};
  }
  return rows;
}

}  // namespace gen
