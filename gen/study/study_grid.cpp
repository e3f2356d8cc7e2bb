#include "gen/study/study_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gen/config/text.h"
#include "gen/explore/progress.h"
#include "gen/unit/unit.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_points = 20'000;  // a slip in a grid is larger

// All that a unit stores, in RAMs and, where it accounts for them, in flops.
std::int64_t bits_of(const Unit& unit) {
  std::int64_t bits = 0;
  for (const StorageAccount& account : unit.accounts) bits += account.bits();
  if (unit.accounts.empty())
    for (const StorageArray& array : unit.storage) bits += array.bits();
  return bits;
}

// An error of a configuration at the line in the study whose value it is about.
ConfigError placed_in_study(const Grid& grid, const ConfigError& error) {
  const std::string what = error.what();
  for (const Axis& axis : grid.axes)
    for (const Written& value : axis.values) {
      const std::string flag = "-s " + flag_of(axis.key, value) + ": ";
      if (what.starts_with(flag)) return ConfigError(value.place, what.substr(flag.size()));
    }
  return ConfigError(grid.place, fmt::format("[grid.{}]: {}", grid.name, what));
}

bool left_out(const Grid& grid, const std::vector<std::string>& settings) {
  return std::ranges::any_of(grid.without, [&](const Rule& rule) {
    return std::ranges::all_of(rule.settings, [&](const std::string& wanted) {
      return std::ranges::find(settings, wanted) != settings.end();
    });
  });
}

// A value that stands twice would be measured as two configurations of one name.
void check_axes(const Grid& grid) {
  for (const Axis& axis : grid.axes) {
    std::set<std::string> flags;
    for (const Written& value : axis.values)
      if (!flags.insert(flag_of(axis.key, value)).second)
        throw ConfigError(value.place, fmt::format("{} = {}: is there twice", axis.key, value.source));
  }
}

// A {KEY} that no key has the name of would be printed as it stands.
void check_label(const Grid& grid) {
  for (std::size_t at = grid.label.find('{'); at != std::string::npos; at = grid.label.find('{', at + 1)) {
    const std::size_t close = std::min(grid.label.find('}', at), grid.label.size());
    const std::string key = grid.label.substr(at + 1, close - at - 1);
    if (close == grid.label.size() || std::ranges::find(grid.axes, key, &Axis::key) == grid.axes.end())
      throw ConfigError(grid.place, fmt::format("grid.{}.label: {}: is no {{KEY}} of this grid", grid.name,
                                                shortened(grid.label.substr(at, close + 1 - at))));
  }
}

// A rule that names no axis would silently do nothing.
void check_rules(const Grid& grid) {
  std::set<std::string> flags;
  for (const Axis& axis : grid.axes)
    for (const Written& value : axis.values) flags.insert(flag_of(axis.key, value));
  for (const Rule& rule : grid.without)
    for (const std::string& setting : rule.settings)
      if (!flags.contains(setting))
        throw ConfigError(rule.place, fmt::format("grid.{}.without: {}: is no setting of this grid",
                                                  grid.name, shortened(setting)));
}

std::string unit_from(const fs::path& folder, const Grid& grid) {
  if (grid.unit.empty())
    throw ConfigError(grid.place,
                      fmt::format("[grid.{}]: needs unit = a preset's name or a TOML file", grid.name));
  if (!grid.unit.ends_with(".toml")) return grid.unit;
  return fs::absolute(folder / grid.unit).lexically_normal().string();
}

// The grid's label with values for {KEY}, and behind it what varies and is not in the label.
std::string printed_of(const Grid& grid, const StudyPoint& point) {
  if (grid.label.empty()) return point.label();
  std::string text = grid.label;
  for (std::size_t i = 0; i < grid.axes.size(); ++i) {
    const std::string key = "{" + grid.axes[i].key + "}", &setting = point.settings[i];
    const std::string value = setting.substr(setting.find('=') + 1);
    for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += value.size())
      text.replace(at, key.size(), value);
    if (grid.axes[i].values.size() > 1 && grid.label.find("{" + grid.axes[i].key + "}") == std::string::npos)
      text += " " + setting;
  }
  return text;
}

}  // namespace

std::string flag_of(const std::string& key, const Written& value) {
  return fmt::format("{}={}", key, value.type == Written::Type::text ? value.text : value.source);
}

std::vector<std::string> expand(const Grid& grid, const fs::path& folder, std::vector<StudyPoint>& points) {
  check_axes(grid);
  check_label(grid);
  check_rules(grid);
  const std::string unit = unit_from(folder, grid);
  std::vector<std::string> notes;
  std::size_t combinations = 1, refused = 0, dropped = 0;
  for (const Axis& axis : grid.axes)
    if ((combinations *= axis.values.size()) > most_points)
      throw ConfigError(grid.place,
                        fmt::format("[grid.{}]: more than {} combinations", grid.name, most_points));
  Progress progress("study", "configurations", 1);
  for (std::size_t n = 0; n < combinations; ++n) {
    progress.show(0, static_cast<double>(n) / static_cast<double>(combinations), 1);
    StudyPoint point{.grid = grid.name,
                     .unit = unit,
                     .settings = {},
                     .config = {},
                     .bits = 0,
                     .varied = {},
                     .printed = {}};
    std::vector<std::string> varied;
    std::size_t rest = n, stride = combinations;
    for (const Axis& axis : grid.axes) {
      stride /= axis.values.size();
      point.settings.push_back(flag_of(axis.key, axis.values[rest / stride]));
      if (axis.values.size() > 1) varied.push_back(point.settings.back());
      rest %= stride;
    }
    if (left_out(grid, point.settings)) {
      ++dropped;
      continue;
    }
    point.varied = joined(varied, " ");
    point.printed = printed_of(grid, point);
    try {
      point.config = load_config(unit, point.settings);
      if (!grid.model_only) {
        const Unit built = elaborate(point.config);
        point.bits = bits_of(built);
        point.published_bits = published_bits(built.accounts);
      }
    } catch (const ConfigError& error) {
      if (!grid.leave_out_refused) throw placed_in_study(grid, error);
      ++refused;
      continue;
    }
    points.push_back(std::move(point));
  }
  if (dropped + refused == combinations)
    throw ConfigError(grid.place, fmt::format("[grid.{}]: its rules leave none of {} combinations", grid.name,
                                              combinations));
  if (dropped)
    notes.push_back(
        fmt::format("{}: {} of {} combinations are left out by rules", grid.name, dropped, combinations));
  if (refused)
    notes.push_back(
        fmt::format("{}: {} of {} combinations cannot be built", grid.name, refused, combinations));
  return notes;
}

}  // namespace gen
