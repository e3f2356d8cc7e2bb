#include "gen/energy/energy_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gen/charts/bars.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// Instances of a generate loop are one: "way[0].tags" and "way[1].tags" are "way[*].tags".
std::string loop_name(const std::string& part) {
  std::string name;
  for (std::size_t at = 0; at < part.size(); ++at) {
    name += part[at];
    const std::size_t end = part.find_first_not_of("0123456789", at + 1);
    if (part[at] != '[' || end == part.npos || end == at + 1 || part[end] != ']') continue;
    name += '*';
    at = end - 1;
  }
  return name;
}

Json without_loops(const Json& shares) {
  Json sums = Json::object();
  for (const auto& [part, pj] : shares.items()) {
    const std::string name = loop_name(part);
    sums[name] = sums.value(name, 0.0) + pj.get<double>();
  }
  return sums;
}

// By energy in the window, the largest first; those without a colour of their own are one.
std::vector<std::string> shown_parts(const Json& cycle) {
  std::vector<std::string> parts;
  for (const auto& [name, pj] : cycle.items())
    if (pj.get<double>() != 0) parts.push_back(name);
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [&](const std::string& part) { return cycle[part].get<double>(); });
  if (parts.size() > most_colours) parts.resize(most_colours - 1);
  return parts;
}

std::string bar_name(const std::string& access) { return access == "cycle" ? "a cycle, on average" : access; }

}  // namespace

Chart energy_chart(const Json& energy) {
  Json all = Json::object();
  for (const auto& [access, shares] : energy["pj_parts"].items()) all[access] = without_loops(shares);
  const std::vector<std::string> parts = shown_parts(all["cycle"]);
  std::vector<Bar> bars;
  Json sums = Json::array();
  for (const auto& [access, of] : all.items()) {
    double rest = 0, sum = 0;
    const auto add = [&](const std::string& part, double pj) {
      bars.push_back(
          {.name = bar_name(access), .value = pj, .text = fmt::format("{:.4g}", pj), .kind = part});
    };
    for (const auto& [part, pj] : of.items()) {
      sum += pj.get<double>();
      if (std::ranges::find(parts, part) == parts.end()) rest += pj.get<double>();
    }
    for (const std::string& part : parts) add(part, of.value(part, 0.0));
    if (rest != 0) add("other parts", rest);
    sums.push_back(
        {{"name", bar_name(access)}, {"value", std::max(0.0, sum)}, {"text", fmt::format("{:.4g}", sum)}});
  }
  Chart chart =
      bar_chart(fmt::format("Energy of {}", energy["unit"].get<std::string>()), {.title = "pJ"}, bars);
  // Stacked as the legend has them.
  for (int order = 0; Json & row : chart.spec["data"]["values"]) row["order"] = order++;
  chart.spec["layer"][0]["encoding"]["order"] = {{"field", "order"}, {"type", "quantitative"}};
  chart.spec["layer"].back()["data"] = {{"values", sums}};
  chart.note = fmt::format("{}, {:g} V; {} cycles from cycle {} of {}", energy["library"].get<std::string>(),
                           energy["volts"].get<double>(), energy["window"].get<std::int64_t>(),
                           energy["from"].get<std::int64_t>(), energy["stimulus"].get<std::string>());
  return chart;
}

}  // namespace gen
