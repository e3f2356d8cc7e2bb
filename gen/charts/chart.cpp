#include "gen/charts/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gen/charts/vega.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int line_height = 12;
// A telephone shows a picture of this width with letters that can be read. Letters are wider in some browsers
// than in others.
constexpr int picture_width = 520, picture_letters = 28;
constexpr double letter_width = 7.2;

Json config() {
  const Json words{{"labelColor", "currentColor"},
                   {"titleColor", "currentColor"},
                   {"labelFontSize", 12},
                   {"titleFontSize", 12},
                   {"titleFontWeight", "normal"},
                   {"labelLimit", 0},
                   {"titleLimit", 0}};
  Json axis = words, legend = words;
  axis.update({{"domainColor", "currentColor"},
               {"tickColor", "currentColor"},
               {"gridColor", "#888888"},
               {"gridOpacity", 0.3}});
  legend.update({{"orient", "top"}, {"columns", 2}});
  return {{"background", "transparent"},
          {"font", "sans-serif"},
          {"axis", axis},
          {"legend", legend},
          {"header", words},
          {"title",
           {{"color", "currentColor"},
            {"subtitleColor", "currentColor"},
            {"fontSize", 14},
            {"subtitleFontSize", 12},
            {"anchor", "start"},
            {"frame", "group"}}},
          {"text", {{"color", "currentColor"}, {"fontSize", 12}}},
          {"rule", {{"color", "currentColor"}}},
          {"bar", {{"color", palette()[0]}}},
          {"view", {{"stroke", nullptr}}},
          {"facet", {{"spacing", 12}}},
          {"range", {{"category", palette()}}}};
}

// Calls `change` with the specification and all that it consists of.
template <class Change>
void for_all_parts(Json& spec, const Change& change) {
  change(spec);
  if (spec.contains("vconcat"))
    for (Json& part : spec["vconcat"]) for_all_parts(part, change);
  if (spec.contains("spec")) for_all_parts(spec["spec"], change);
}

// The lines of all labels.
std::vector<std::string> label_lines(const Json& spec) {
  std::vector<std::string> lines;
  if (!spec.contains("usermeta") || !spec["usermeta"].contains("label")) return lines;
  const std::string field = spec["usermeta"]["label"];
  for (const Json& row : spec["data"]["values"])
    std::ranges::move(lines_of(row[field].get<std::string>(), picture_letters), std::back_inserter(lines));
  return lines;
}

// As high as the label with the most lines needs it.
void fit_labels(Json& spec) {
  if (label_lines(spec).empty()) return;
  const std::string field = spec["usermeta"]["label"];
  std::size_t most = 1;
  for (const Json& row : spec["data"]["values"])
    most = std::max(most, lines_of(row[field].get<std::string>(), picture_letters).size());
  const int step = std::max(18, 4 + line_height * static_cast<int>(most));
  for_all_parts(spec, [&](Json& part) {
    if (part.contains("height") && part["height"].is_object()) part["height"]["step"] = step;
  });
}

int label_width(const std::vector<std::string>& lines) {
  std::size_t longest = 4;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  return static_cast<int>(letter_width * static_cast<double>(longest));
}

Json params(int letters) {
  return Json::array({{{"name", "chosen"}, {"value", Json::array()}},
                      {{"name", "letters"}, {"value", letters}},
                      {{"name", "skip"}, {"value", 0}}});
}

bool takes_width(const Json& part) { return !part.contains("vconcat") && !part.contains("spec"); }

}  // namespace

const Json& palette() {
  static const Json colours{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c7355"};
  return colours;
}

std::vector<std::string> lines_of(const std::string& text, std::size_t letters) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.size();
    if (end - at > letters) {
      std::size_t last = text.rfind(' ', at + letters);
      if (last == std::string::npos || last <= at) last = text.find_last_of(",./_-", at + letters - 1);
      end = last != std::string::npos && last > at ? last + 1 : at + letters;
    }
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines.empty() ? std::vector<std::string>{""} : lines;
}

Json chosen_opacity(double opacity) {
  return {{"condition",
           {{"test", "!length(chosen) || indexof(chosen, datum.configuration) >= 0"}, {"value", opacity}}},
          {"value", opacity / 5}};
}

Json axis_of_names() {
  const std::string some = "'.{1,' + letters + '}'";
  const std::string lines = fmt::format(
      "split(replace(slice(datum.label, skip), regexp({0} + '(?: +|$)|' + {0} + '[,./_-]|' + {0}, 'g'), "
      "'$&\\n'), '\\n')",
      some);
  Json centred = Json::array();  // several lines begin above the middle
  for (int count = 5; count > 1; --count)
    centred.push_back(
        {{"test", fmt::format("length({}) > {}", lines, count)}, {"value", -line_height * (count - 1) / 2}});
  return {{"title", nullptr},
          {"labelLimit", 0},
          {"domain", false},
          {"ticks", false},
          {"labelPadding", 6},
          {"labelOverlap", false},
          {"labelLineHeight", line_height},
          {"labelOffset", {{"condition", centred}, {"value", 0}}},
          {"labelExpr", fmt::format("slice({}, 0, -1)", lines)}};
}

Json axis_of_numbers(int ticks) {
  return {{"tickCount", ticks},
          {"labelOverlap", "greedy"},
          {"labelSeparation", 4},
          {"labelExpr", "abs(datum.value) >= 1000 ? format(datum.value, '~s') : format(datum.value, '~g')"}};
}

Json page_spec(const Chart& chart) {
  Json spec = chart.spec;
  spec["params"] = params(picture_letters);
  spec["config"] = config();
  return spec;
}

std::string picture_of(const std::vector<Chart>& charts) {
  constexpr int right = 80;  // for figures behind bars
  Json all = Json::array();
  int labels = 0;
  for (const Chart& chart : charts) labels = std::max(labels, label_width(label_lines(chart.spec)));
  for (const Chart& chart : charts) {
    Json part = chart.spec;
    fit_labels(part);
    part.erase("usermeta");
    for_all_parts(part, [&](Json& one) {
      if (takes_width(one) && !one.contains("width")) one["width"] = picture_width - labels - right;
    });
    part["title"] = {{"text", lines_of(chart.title, 46)}};
    if (!chart.note.empty()) part["title"]["subtitle"] = lines_of(chart.note, 46);
    all.push_back(part);
  }
  Json whole{{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
             {"background", "white"},
             {"params", params(picture_letters)},
             {"config", config()},
             {"padding", {{"left", 10 + labels / 8}, {"right", 20}, {"top", 10}, {"bottom", 10}}},
             {"vconcat", all},
             {"spacing", 24},
             {"resolve", {{"scale", {{"color", "independent"}, {"shape", "independent"}}}}}};
  whole["config"].erase("background");
  std::string svg = svg_of(whole);
  return svg.insert(svg.find(' '), " style=\"max-width:100%;height:auto\"");
}

}  // namespace gen
