#include "gen/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <thread>

#include "gen/config/catalogue.h"
#include "gen/config/config.h"
#include "gen/config/error.h"
#include "gen/cosim/cosim.h"
#include "gen/explore/system_bench.h"
#include "gen/files.h"
#include "gen/process.h"
#include "golden/l1d/functional_bench.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr double cosim_seconds = 1, generation_seconds = 0.4;  // of processor time, about, for a row

struct BenchUnit {
  std::string name;
  std::vector<std::string> settings;
  Config config;
};

BenchUnit unit_of(const std::string& name, const std::vector<std::string>& settings) {
  return {name, settings, load_config(name, settings)};
}

std::vector<BenchUnit> units_of(const BenchOptions& options) {
  std::vector<BenchUnit> units;
  for (const std::string& name : options.units)
    if (!is_system(name)) units.push_back(unit_of(name, options.settings));
  if (!options.units.empty()) return units;
  for (const Preset& preset : presets()) {
    std::vector<std::string> settings = preset.small;
    if (!settings.empty()) settings.push_back(fmt::format("name={}_small", preset.name));
    units.push_back(unit_of(preset.name, settings));
  }
  return units;
}

// "bench NAME -s KEY=VALUE ..." and the like.
std::vector<std::string> call(const std::string& program, const char* command, const BenchUnit& unit) {
  std::vector<std::string> argv{program, command, unit.name};
  for (const std::string& setting : unit.settings) argv.insert(argv.end(), {"-s", setting});
  return argv;
}

// Whole processes, as a script would start them: the median in milliseconds.
double generation_ms(const BenchUnit& unit, const TempDir& work) {
  constexpr std::size_t most = 9;
  std::vector<std::string> argv = call("/proc/self/exe", "gen", unit);
  argv.insert(argv.end(), {"-o", (work / unit.config.top).string()});
  std::vector<double> runs;
  for (double total = 0; runs.size() < most && total < generation_seconds; total += runs.back())
    runs.push_back(run_checked({.argv = argv}).seconds);
  std::ranges::nth_element(runs, runs.begin() + std::ssize(runs) / 2);
  return 1000 * runs[runs.size() / 2];
}

Json measured(const BenchUnit& unit, const TempDir& work) {
  const CosimSpeed speed = cosim_speed(unit.config, cosim_seconds);
  if (speed.bare == 0)
    throw ConfigError(unit.config.top,
                      "bits of its protected RAMs flip in the co-simulation, so its models alone are not "
                      "timed; measure it without ecc.*");
  Json row = {{"unit", unit.config.top},
              {"generate_ms", generation_ms(unit, work)},
              {"golden_cycles_per_second", speed.golden},
              {"cosim_cycles_per_second", speed.cosim},
              {"bare_cycles_per_second", speed.bare}};
  if (const auto* cache = unit.config.params.find<hw::L1dParams>())
    for (const golden::FunctionalSpeed& f : golden::functional_speed(*cache))
      row["untimed_accesses_per_second"][std::string(f.pattern)] = f.per_second;
  return row;
}

Json measured_by(const std::string& program, const BenchUnit& unit, const TempDir& work) {
  const std::string report = (work / "beside.json").string();
  std::vector<std::string> argv = call(program, "bench", unit);
  argv.insert(argv.end(), {"--json", report});
  run_checked({.argv = argv});
  try {
    return Json::parse(read_file(report)).at(0);
  } catch (const std::exception& e) {
    throw ToolError(fmt::format("{}: its report of {} cannot be read: {}", program, unit.name, e.what()));
  }
}

// The program to measure beside this one, once it has said that it is an l1forge.
std::string checked_beside(const std::string& named) {
  const std::string place = "--beside " + named;
  std::error_code error;
  if (std::filesystem::is_directory(named, error)) throw ConfigError(place, "is a folder, no l1forge");
  const bool here = std::filesystem::exists(named, error);
  if (!here && named.find('/') != std::string::npos) throw ConfigError(place, "there is no such program");
  const std::string program = here ? std::filesystem::absolute(named).string() : named;
  const Finished done = run({.argv = {program, "--version"}, .timeout = std::chrono::seconds(10)});
  if (!done.ok() || !done.output.starts_with("l1forge "))
    throw ConfigError(place, fmt::format("is no l1forge: of --version it says {}", log_tail(done.output, 1)));
  return program;
}

// A column of a table: where its figure stands in a row's JSON, and what it is divided by.
struct Column {
  std::string title;
  Json::json_pointer figure;
  double unit;
  int digits;
};

// Both tables have the same first column, and below a row its figures of the other build.
class BenchTable {
 public:
  BenchTable(std::size_t names, bool shown, std::vector<Column> columns)
      : names_(names), shown_(shown), columns_(std::move(columns)) {}

  void head() const {
    std::string line = fmt::format("{:<{}}", "unit", names_);
    for (const Column& c : columns_) line += fmt::format("  {:>{}}", c.title, width(c));
    print(line);
  }

  void row(const Json& row) const {
    figures(row["unit"], row);
    if (!row.contains("beside")) return;
    figures("  beside", row["beside"]);
    std::string line = fmt::format("{:<{}}", "  this / beside", names_);
    for (const Column& c : columns_)
      line += fmt::format(
          "  {:>{}}",
          fmt::format("{:.2f}", row[c.figure].get<double>() / row["beside"].at(c.figure).get<double>()),
          width(c));
    print(line);
  }

 private:
  static std::size_t width(const Column& c) { return std::max<std::size_t>(c.title.size(), 9); }

  void figures(const std::string& name, const Json& of) const {
    std::string line = fmt::format("{:<{}}", name, names_);
    for (const Column& c : columns_)
      line += fmt::format("  {:>{}.{}f}", of.at(c.figure).get<double>() / c.unit, width(c), c.digits);
    print(line);
  }

  // At once, into a pipe too.
  void print(const std::string& line) const {
    if (!shown_) return;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

  std::size_t names_;
  bool shown_;
  std::vector<Column> columns_;
};

const std::vector<Column>& speeds() {
  static const std::vector<Column> columns = {
      {"generate ms", "/generate_ms"_json_pointer, 1, 1},
      {"golden kHz", "/golden_cycles_per_second"_json_pointer, 1000, 1},
      {"cosim kHz", "/cosim_cycles_per_second"_json_pointer, 1000, 1},
      {"bare kHz", "/bare_cycles_per_second"_json_pointer, 1000, 1}};
  return columns;
}

std::vector<Column> patterns(const Json& row) {
  std::vector<Column> columns;
  for (const auto& [pattern, speed] : row["untimed_accesses_per_second"].items())
    columns.push_back(
        {pattern, Json::json_pointer("/untimed_accesses_per_second") / std::string(pattern), 1e6, 1});
  return columns;
}

// Compiles beside each other as many as there are cores: most programs are one file.
void build_all(const std::vector<BenchUnit>& units, std::size_t first, std::size_t last) {
  std::vector<std::future<void>> builds;
  for (std::size_t i = first; i < last; ++i)
    builds.push_back(
        std::async(std::launch::async, [&config = units[i].config] { build_for_speed(config); }));
  for (auto& build : builds) build.wait();
  for (auto& build : builds) build.get();
}

}  // namespace

int bench(const BenchOptions& options) {
  options.reports.check();
  if (options.units.empty() && !options.settings.empty())
    throw ConfigError("bench -s", "changes a unit that is named; name one");
  if (std::ranges::any_of(options.units, is_system) && !(options.settings.empty() && options.beside.empty()))
    throw ConfigError(options.settings.empty() ? "--beside" : "bench -s",
                      "is for units; name systems in a call of their own");
  const std::vector<BenchUnit> units = units_of(options);
  const std::string beside = options.beside.empty() ? "" : checked_beside(options.beside);
  const TempDir work("bench");
  std::size_t names = std::string_view("  this / beside").size();
  for (const BenchUnit& unit : units) names = std::max(names, unit.config.top.size());
  const bool shown = !options.reports.to_stdout();
  const BenchTable table(names, shown, speeds());
  if (!units.empty()) table.head();
  Json rows = Json::array();
  const std::size_t together = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (i % together == 0) build_all(units, i, std::min(units.size(), i + together));
    Json row = measured(units[i], work);
    if (!beside.empty()) row["beside"] = measured_by(beside, units[i], work);
    table.row(row);
    rows.push_back(std::move(row));
  }
  std::optional<BenchTable> untimed;
  for (const Json& row : rows) {
    if (!row.contains("untimed_accesses_per_second")) continue;
    if (!untimed) {
      if (shown) fmt::print("\nuntimed caches, million accesses a second\n");
      untimed.emplace(names, shown, patterns(row)).head();
    }
    untimed->row(row);
  }
  SystemBench systems(shown);
  for (const std::string& name : options.units.empty() ? benched_systems() : options.units)
    if (is_system(name)) rows.push_back(systems.row(name));
  options.reports.write(rows, rows);
  return 0;
}

}  // namespace gen
