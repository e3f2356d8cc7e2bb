#include "gen/energy/energy_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gen/area/storage_report.h"
#include "hw/coalescer/l1_subsystem_params.h"
#include "hw/l1d/l1d_params.h"

namespace gen {
namespace {

struct PairRow {
  std::string of, name;
  std::optional<double> first, second;
  bool unsure = false;  // one of them has the kind of access, but the window does not separate its energy

  std::optional<double> ratio() const {
    if (!first || !second || *first <= 0) return {};
    return *second / *first;
  }
};

using Figures = std::vector<std::pair<std::string, double>>;  // by name, in the order of a report

std::optional<double> figure_in(const Figures& figures, const std::string& name) {
  const auto found = std::ranges::find(figures, name, &Figures::value_type::first);
  if (found == figures.end()) return {};
  return found->second;
}

double per_cycle(const EnergyReport& report, double pj) { return pj / static_cast<double>(report.window); }

double requests_of(const EnergyReport& report) {
  double sum = 0;
  for (const auto& [stream, count] : report.transfers)
    if (stream.starts_with("core_request")) sum += static_cast<double>(count);
  return sum;
}

Figures accesses_of(const EnergyReport& report) {
  Figures figures = {{"cycle", per_cycle(report, report.pj())}};
  if (const double requests = requests_of(report); requests > 0)
    figures.emplace_back("core request", report.pj() / requests);
  for (const auto& [kind, energy] : report.accesses)
    if (energy.known()) figures.emplace_back(kind, energy.pj);
  return figures;
}

Figures kinds_of(const EnergyReport& report) {
  Figures figures;
  double macros = 0;
  for (const EnergyPart& kind : report.kinds) figures.emplace_back(kind.name, per_cycle(report, kind.pj()));
  for (const ArrayEnergy& array : report.arrays) macros += array.energy ? array.energy->pj() : 0;
  if (macros > 0) figures.emplace_back("RAM macros", per_cycle(report, macros));
  return figures;
}

// The top has a name of its own in each unit.
Figures parts_of(const EnergyReport& report) {
  Figures figures;
  for (const EnergyPart& part : report.parts)
    figures.emplace_back(part.name == report.unit ? "(top)" : part.name, per_cycle(report, part.pj()));
  return figures;
}

void add(std::vector<PairRow>& rows, const char* of, const Figures& first, const Figures& second) {
  for (const auto& [name, value] : first) rows.push_back({of, name, value, figure_in(second, name)});
  for (const auto& [name, value] : second)
    if (!figure_in(first, name)) rows.push_back({of, name, {}, value});
}

std::vector<PairRow> rows_of(const EnergyPair& pair) {
  const EnergyReport &a = pair.first, &b = pair.second;
  std::vector<PairRow> rows;
  add(rows, "pj", accesses_of(a), accesses_of(b));
  for (const auto* report : {&a, &b})
    for (const auto& [kind, energy] : report->accesses) {
      auto row = std::ranges::find(rows, kind, &PairRow::name);
      if (row == rows.end()) row = rows.insert(rows.end(), {"pj", kind, {}, {}});
      row->unsure |= !energy.known();
    }
  rows.push_back({"mw", "dynamic", a.mw(a.pj()), b.mw(b.pj())});
  rows.push_back({"mw", "leakage", a.leakage_mw(), b.leakage_mw()});
  add(rows, "kind", kinds_of(a), kinds_of(b));
  add(rows, "part", parts_of(a), parts_of(b));
  if (requests_of(a) > 0 || requests_of(b) > 0)
    rows.push_back({"requests", "core requests in the window", requests_of(a), requests_of(b)});
  return rows;
}

std::string value_text(const PairRow& row, const std::optional<double>& value, const EnergyReport& report) {
  if (value) return fmt::format("{:.4g}", *value);
  return row.unsure && report.accesses.contains(row.name) ? "not known" : "-";
}

std::string row_name(const PairRow& row) {
  if (row.of == "pj") return fmt::format("{}, pJ", row.name);
  if (row.of == "mw") return fmt::format("{}, mW", row.name);
  if (row.of == "requests") return row.name;
  return fmt::format("  {}, pJ a cycle", row.name);
}

std::string opinion_text(const EnergyReport& report) {
  const auto share = opinion_share(report);
  return share ? fmt::format("{:+.1f} %", 100 * *share) : "no activity";
}

bool is_cache(const Config& config) {
  return config.params.holds<hw::L1dParams>() || config.params.holds<hw::L1SubsystemParams>();
}

// Traffic that each unit would make for itself is not the same.
void check_traffic(const Config& first, const Config& second, const EnergyOptions& options) {
  if (is_cache(first) != is_cache(second)) {
    const bool order = is_cache(first);
    throw ConfigError("--energy",
                      fmt::format("{} is a cache and {} is none: no traffic is the same for both",
                                  (order ? first : second).source, (order ? second : first).source));
  }
  if (is_cache(first) && options.traces.empty() && options.replays.empty())
    throw ConfigError("--energy", fmt::format("{} needs traffic that is the same for both units: --trace "
                                              "FILE, such as builtin:kmeans, or --replay FILE",
                                              first.source));
}

}  // namespace

void check_energies(const Config& first, const Config& second, const EnergyOptions& options) {
  if (options.tech.empty())
    throw ConfigError("--energy", "needs the cells and RAM macros of a technology: --tech FILE.toml");
  for (const Config* config : {&first, &second}) check_energy(*config, options);
  check_traffic(first, second, options);
}

std::optional<EnergyPair> energies_of(const Config& first, const Config& second,
                                      const EnergyOptions& options) {
  auto a = energy_report(first, options);
  if (!a) return {};
  auto b = energy_report(second, options);
  if (!b) return {};
  return EnergyPair{std::move(*a), std::move(*b)};
}

std::string energy_pair_table(const EnergyPair& pair) {
  const EnergyReport &a = pair.first, &b = pair.second;
  std::vector<std::vector<std::string>> lines = {{"energy", a.unit, b.unit, "ratio"}};
  for (const PairRow& row : rows_of(pair)) {
    const auto ratio = row.ratio();
    lines.push_back({row_name(row), value_text(row, row.first, a), value_text(row, row.second, b),
                     ratio ? fmt::format("{:.3f}", *ratio) : "-"});
  }
  std::string text = aligned(lines);
  text += fmt::format("\nwindow: {} cycles from cycle {} of {}, in both\n", a.window, a.from, a.stimulus);
  text += fmt::format("clock: {:g} ns, {:g} V; library: {}\n", a.clock_ns, a.volts, a.library);
  text +=
      fmt::format("this count of the cells against OpenSTA's: {}, {}\n", opinion_text(a), opinion_text(b));
  return text;
}

nlohmann::ordered_json energy_pair_json(const EnergyPair& pair) {
  using Json = nlohmann::ordered_json;
  const auto json_of = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  Json rows = Json::array();
  for (const PairRow& row : rows_of(pair))
    rows.push_back({{"of", row.of},
                    {"name", row.name},
                    {"first", json_of(row.first)},
                    {"second", json_of(row.second)},
                    {"ratio", json_of(row.ratio())}});
  return {{"rows", rows}, {"first", energy_json(pair.first)}, {"second", energy_json(pair.second)}};
}

}  // namespace gen
