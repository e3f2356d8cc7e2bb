#include "verif/lockstep/units/history_report.h"

#include <fmt/format.h>

namespace verif {

nlohmann::ordered_json json_of(const golden::History& history) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [loads, value] : history.changes) {
    auto& change = list.emplace_back(nlohmann::ordered_json::object());
    change["loads"] = loads;
    if (history.words.empty())
      change[history.key] = value;
    else
      change[history.key] = history.label(value[0]);
  }
  return list;
}

std::vector<std::string> lines_of(const golden::History& history) {
  constexpr std::size_t most = 32;
  std::vector<std::string> lines;
  const auto& changes = history.changes;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes.size() > most && i == most / 2) {
      lines.push_back(fmt::format("  ... {} more, all of them with --json", changes.size() - most));
      i = changes.size() - most / 2;
    }
    std::string numbers;
    for (const int number : changes[i].value) numbers += " " + history.label(number);
    lines.push_back(fmt::format("  {} from load {:>8}:{}", history.key, changes[i].loads, numbers));
  }
  return lines;
}

}  // namespace verif
