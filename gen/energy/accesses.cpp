#include "gen/energy/accesses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gen/ports.h"
#include "hw/l1d/stream_params.h"
#include "hw/rtl/module_data.h"
#include "hw/rtl/stream.h"

namespace gen {
namespace {

constexpr std::size_t group_cycles =
    16;  // an access lasts a few cycles, and its energy falls into all of them

using Row = std::vector<double>;

// Solves the equations by elimination with the largest pivot; none where they are not independent.
std::optional<Row> solved(std::vector<Row> a, Row b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row)
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    if (std::abs(a[pivot][column]) < 1e-9) return {};
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = a[row][column] / a[column][column];
      for (std::size_t i = column; i < n; ++i) a[row][i] -= factor * a[column][i];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

std::string kind_text(const std::string& bits) {
  const std::size_t kind = std::stoul("0" + bits, nullptr, 2);
  return std::string(kind < hw::kind_names.size() ? hw::kind_names[kind] : "other");
}

// The sum of squares that the energies found leave.
double rest_of(const Row& found, const std::vector<Row>& rows, const Row& pj) {
  double rest = 0;
  for (std::size_t g = 0; g < pj.size(); ++g) {
    const double fitted = std::inner_product(found.begin(), found.end(), rows[g].begin(), 0.0);
    rest += (pj[g] - fitted) * (pj[g] - fitted);
  }
  return rest;
}

// The sum of squares around the mean.
double spread_of(const Row& pj) {
  const double mean = std::accumulate(pj.begin(), pj.end(), 0.0) / static_cast<double>(pj.size());
  return std::accumulate(pj.begin(), pj.end(), 0.0,
                         [mean](double sum, double value) { return sum + (value - mean) * (value - mean); });
}

// Calls `see` with each cycle of the window and the bits of each port in it.
template <class See>
void for_cycles(const PortChanges& changes, std::int64_t from, std::int64_t window, const See& see) {
  std::map<std::string, std::string> now;
  auto next = changes.changes.begin();
  for (std::int64_t cycle = 0; cycle < from + window; ++cycle) {
    for (; next != changes.changes.end() && next->cycle <= cycle; ++next)
      now[changes.ports[static_cast<std::size_t>(next->port)]] = next->bits;
    if (cycle >= from) see(static_cast<std::size_t>(cycle - from), now);
  }
}

}  // namespace

Transfers transfers_of(const rtl::Module& top, const PortChanges& changes, std::int64_t from,
                       std::int64_t window) {
  Transfers transfers;
  for_cycles(changes, from, window, [&](std::size_t cycle, auto& now) {
    for (const rtl::StreamPorts& stream : top.data().streams) {
      std::string name = stream.name;
      if (const auto kind = now.find(name + "_kind"); kind != now.end() && name.ends_with("request"))
        name += " " + kind_text(kind->second);
      if (!now[stream.name + "_valid"].ends_with('1') || !now[stream.name + "_ready"].ends_with('1'))
        continue;
      auto& list = transfers[name];
      list.resize(static_cast<std::size_t>(window), 0);
      list[cycle] = 1;
    }
  });
  return transfers;
}

// Flits are paced by credits, so a valid one is taken.
std::vector<int> flits_of(const rtl::Module& top, const PortChanges& changes, std::int64_t from,
                          std::int64_t window) {
  constexpr std::string_view head = "_head";
  std::vector<std::string> valid;
  const auto ports = ports_of(top);
  const auto has_input = [&](const std::string& name) {
    return std::ranges::any_of(ports,
                               [&](const Port& p) { return p.name == name && p.direction == "input"; });
  };
  for (const Port& port : ports) {
    if (port.direction != "input" || !port.name.ends_with(head)) continue;
    const std::string input = port.name.substr(0, port.name.size() - head.size());
    if (has_input(input + "_valid") && has_input(input + "_tail")) valid.push_back(input + "_valid");
  }
  std::vector<int> flits;
  if (valid.empty()) return flits;
  flits.resize(static_cast<std::size_t>(window), 0);
  for_cycles(changes, from, window, [&](std::size_t cycle, auto& now) {
    for (const std::string& name : valid) flits[cycle] += now[name].ends_with('1');
  });
  return flits;
}

std::optional<AccessFit> fit_accesses(const std::vector<double>& pj_by_cycle, const Transfers& kinds) {
  const std::size_t groups = pj_by_cycle.size() / group_cycles, columns = kinds.size() + 1;
  if (groups < 4 * columns) return {};
  std::vector<Row> rows(groups, Row(columns, 0));
  Row pj(groups, 0);
  for (std::size_t cycle = 0; cycle < groups * group_cycles; ++cycle) {
    Row& row = rows[cycle / group_cycles];
    pj[cycle / group_cycles] += pj_by_cycle[cycle];
    row[0] += 1;
    std::size_t column = 0;
    for (const auto& [name, list] : kinds) row[++column] += list[cycle];
  }
  std::vector<Row> normal(columns, Row(columns, 0));
  Row right(columns, 0);
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t i = 0; i < columns; ++i) {
      right[i] += rows[g][i] * pj[g];
      for (std::size_t j = 0; j < columns; ++j) normal[i][j] += rows[g][i] * rows[g][j];
    }
  const auto found = solved(normal, right);
  if (!found) return {};
  const double rest = rest_of(*found, rows, pj), spread = spread_of(pj);
  const double variance = rest / static_cast<double>(groups - columns);
  const auto energy = [&](std::size_t column) {
    Row unit(columns, 0);
    unit[column] = 1;
    const double own = (*solved(normal, unit))[column];  // of the inverse's diagonal
    return AccessEnergy{.pj = (*found)[column], .error_pj = std::sqrt(std::max(0.0, variance * own))};
  };
  AccessFit fit{.idle = energy(0), .pj = {}, .explained = spread > 0 ? 1 - rest / spread : 0};
  std::size_t column = 0;
  for (const auto& [name, list] : kinds) fit.pj[name] = energy(++column);
  return fit;
}

}  // namespace gen
