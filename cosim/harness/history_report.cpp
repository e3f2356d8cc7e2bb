#include "cosim/harness/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace verif {
namespace {

using Json = nlohmann::ordered_json;
using Part = golden::Timeline::Part;

// Every list of a timeline by its name; the last two need a time.
constexpr std::pair<const char*, std::uint64_t Part::*> part_lists[] = {
    {"loads", &Part::loads},
    {"misses", &Part::misses},
    {"cycles", &Part::cycles},
    {"thread_instructions", &Part::issued}};

}  // namespace

Json json_of(const golden::History& history) {
  auto list = Json::array();
  for (const auto& [loads, value] : history.changes) {
    auto& change = list.emplace_back(Json::object());
    change["loads"] = loads;
    if (history.words.empty())
      change[history.key] = value;
    else
      change[history.key] = history.label(value[0]);
  }
  return list;
}

Json summary_of(const golden::History& history) {
  const auto named = [&](int number) {
    return history.words.empty() ? Json(number) : Json(history.label(number));
  };
  const auto longest = std::ranges::max_element(history.held);
  const auto cycles = std::accumulate(history.held.begin(), history.held.end(), std::uint64_t{0});
  Json held = Json::object();
  for (std::size_t i = 0; i < history.held.size(); ++i)
    if (history.held[i] || !history.words.empty()) held[history.label(static_cast<int>(i))] = history.held[i];
  return {{"values", history.changes.size()},
          {"last", named(history.changes.back().value[0])},
          {"longest", named(static_cast<int>(longest - history.held.begin()))},
          {"longest_share", static_cast<double>(*longest) / static_cast<double>(cycles)},
          {"cycles", held}};
}

Json heading_of(const golden::History& history) {
  Json heading = {{"name", history.name}, {"key", history.key}, {"title", history.title}};
  if (!history.words.empty()) heading["words"] = history.words;
  return heading;
}

golden::History history_of(const Json& heading, const Json& list) {
  golden::History history{.name = heading["name"], .key = heading["key"], .title = heading["title"]};
  if (heading.contains("words")) history.words = heading["words"].get<std::vector<std::string>>();
  for (const Json& change : list) {
    const Json& value = change[history.key];
    std::vector<int> numbers;
    if (history.words.empty())
      numbers = value.get<std::vector<int>>();
    else
      numbers.push_back(static_cast<int>(std::ranges::find(history.words, value.get<std::string>()) -
                                         history.words.begin()));
    history.changes.push_back({change["loads"], std::move(numbers)});
  }
  return history;
}

Json json_of(const golden::Timeline& timeline, bool timed) {
  Json json = Json::object();
  for (const auto& [name, member] : std::span(part_lists).first(timed ? 4 : 2))
    for (const Part& part : timeline.parts()) json[name].push_back(part.*member);
  return json;
}

std::vector<Part> parts_of(const Json& timeline) {
  std::vector<Part> parts;
  for (const auto& [name, member] : part_lists) {
    if (!timeline.contains(name)) continue;
    parts.resize(timeline[name].size());
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].*member = timeline[name][i];
  }
  return parts;
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
