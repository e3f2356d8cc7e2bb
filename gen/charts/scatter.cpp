#include "gen/charts/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int plot_height = 280;
constexpr double near_across = 0.06, near_up = 0.05;  // of the plot: numbers would cover each other

Json axis(const char* field) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", {{"nice", false}, {"padding", 12}}},
          {"axis", axis_of_numbers(5)}};
}

bool all_positive(const std::vector<Mark>& marks, double Mark::*figure) {
  return std::ranges::all_of(marks, [&](const Mark& m) { return m.*figure > 0; });
}

// Where a figure lies between the least and the largest.
double place_of(const std::vector<Mark>& marks, const Mark& mark, double Mark::*figure) {
  const bool log = all_positive(marks, figure);
  const auto at = [&](const Mark& m) { return log ? std::log(m.*figure) : m.*figure; };
  double least = at(mark), most = least;
  for (const Mark& m : marks) least = std::min(least, at(m)), most = std::max(most, at(m));
  return most > least ? (at(mark) - least) / (most - least) : 0.5;
}

// The numbers of those on the front that tie with this one.
std::string numbers_of(const std::vector<Mark>& marks, const Mark& mark, std::size_t first) {
  const auto ties = std::ranges::count_if(
      marks, [&](const Mark& m) { return m.on_front && m.x == mark.x && m.y == mark.y; });
  return ties > 1 ? fmt::format("{}-{}", first, first + static_cast<std::size_t>(ties) - 1)
                  : std::to_string(first);
}

}  // namespace

Json scatter_spec() {
  const Json front{
      {"transform", {{{"filter", "datum.on"}}}},
      {"mark",
       {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1}, {"color", palette()[5]}}},
      {"encoding", {{"order", {{"field", "x"}}}}}};
  const Json marks{
      {"mark", {{"type", "circle"}, {"opacity", 1}}},
      {"encoding",
       {{"color", {{"condition", {{"test", "datum.on"}, {"value", palette()[5]}}}, {"value", palette()[0]}}},
        {"size", {{"condition", {{"test", "datum.on"}, {"value", 90}}}, {"value", 40}}},
        {"stroke", {{"condition", {{"test", "datum.on"}, {"value", "currentColor"}}}, {"value", nullptr}}},
        {"opacity", chosen_opacity(0.85)},
        {"tooltip",
         {{{"field", "configuration"}},
          {{"field", "x"}, {"type", "quantitative"}, {"format", ",.4~g"}},
          {{"field", "y"}, {"type", "quantitative"}, {"format", ",.4~g"}},
          {{"field", "colour"}},
          {{"field", "command"}}}}}}};
  return {{"title", {{"text", ""}, {"fontSize", 13}}},
          {"height", plot_height},
          {"layer", {front, marks}},
          {"encoding", {{"x", axis("x")}, {"y", axis("y")}}}};
}

Chart front_chart(const std::string& title, const std::string& x_title, const std::string& y_title,
                  const std::vector<Mark>& marks) {
  Json spec = scatter_spec(), rows = Json::array(), names = Json::array();
  std::size_t number = 0;
  const Mark *last = nullptr, *labelled = nullptr;
  for (const Mark& m : marks) {
    Json& row = rows.emplace_back(
        Json{{"configuration", m.configuration}, {"x", m.x}, {"y", m.y}, {"on", m.on_front}});
    if (!m.on_front) continue;
    names.push_back({{"number", ++number}, {"name", fmt::format("{} {}", number, m.configuration)}});
    const bool tie = last && last->x == m.x && last->y == m.y;
    last = &m;
    if (tie || (labelled &&
                std::abs(place_of(marks, m, &Mark::x) - place_of(marks, *labelled, &Mark::x)) < near_across &&
                std::abs(place_of(marks, m, &Mark::y) - place_of(marks, *labelled, &Mark::y)) < near_up))
      continue;
    labelled = &m;
    row["numbers"] = numbers_of(marks, m, number);
  }
  const auto complete = [&](const char* channel, const std::string& words, double Mark::*figure) {
    const bool log = all_positive(marks, figure);
    Json& encoding = spec["encoding"][channel];
    encoding["title"] = words + (log ? " (log scale)" : "");
    encoding["scale"].update(log ? Json{{"type", "log"}} : Json{{"zero", false}});
  };
  complete("x", x_title, &Mark::x);
  complete("y", y_title, &Mark::y);
  spec.erase("title");
  spec["layer"].push_back(
      {{"transform", {{{"filter", "isValid(datum.numbers)"}}}},
       {"mark", {{"type", "text"}, {"align", "left"}, {"baseline", "bottom"}, {"dx", 5}, {"dy", -4}}},
       {"encoding", {{"text", {{"field", "numbers"}}}}}});
  std::ranges::stable_partition(rows,
                                [](const Json& row) { return !row["on"].get<bool>(); });  // the front above
  spec["data"] = {{"values", rows}};
  const Json list{{"data", {{"values", names}}},
                  {"height", {{"step", 16}}},
                  {"mark", {{"type", "text"}, {"align", "left"}}},
                  {"encoding",
                   {{"y", {{"field", "number"}, {"type", "ordinal"}, {"axis", nullptr}}},
                    {"x", {{"value", 0}}},
                    {"text", {{"field", "name"}}}}}};
  return {title, {{"vconcat", {spec, list}}, {"spacing", 8}}};
}

}  // namespace gen
