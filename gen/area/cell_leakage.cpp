#include "gen/area/cell_leakage.h"

#include <numeric>
#include <set>

#include "gen/liberty/liberty_text.h"
#include "gen/liberty/power_cell.h"

namespace gen {
namespace {

double leakage_nw(const PowerCell& cell) {
  if (cell.leakage.empty()) return cell.leakage_nw;
  const double sum = std::accumulate(cell.leakage.begin(), cell.leakage.end(), 0.0,
                                     [](double nw, const Leakage& state) { return nw + state.nw; });
  return sum / static_cast<double>(cell.leakage.size());
}

}  // namespace

std::vector<double> leakages_nw(const std::vector<AreaResult>& results, const Liberty& liberty) {
  std::set<std::string> names;
  for (const AreaResult& result : results)
    for (const auto& [name, count] : result.cells)
      if (liberty.cells.areas.contains(name)) names.insert(name);
  const PowerLibrary library = power_library(read_liberty(liberty.file), names);
  std::vector<double> all;
  for (const AreaResult& result : results) {
    double nw = 0;
    for (const auto& [name, count] : result.cells)
      if (const auto cell = library.cells.find(name); cell != library.cells.end())
        nw += count * leakage_nw(cell->second);
    all.push_back(nw);
  }
  return all;
}

}  // namespace gen
