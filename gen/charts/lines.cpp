#include "gen/charts/lines.h"

#include <algorithm>

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

Json axis_to(const char* field, const std::string& title, double most) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"domain", {0, most}}, {"nice", false}}},
          {"axis", axis_of_numbers(5)}};
}

}  // namespace

Chart line_chart(const std::string& title, const LineAxes& axes, const std::vector<Curve>& curves) {
  Json points = Json::array(), bounds = Json::array(), names = Json::array();
  for (const Curve& curve : curves) {
    names.push_back(curve.name);
    for (const auto& [x, y] : curve.points)
      points.push_back({{"curve", curve.name}, {"x", x}, {"y", std::min(y, axes.most_y)}});
    if (curve.bound) bounds.push_back({{"curve", curve.name}, {"x", *curve.bound}});
  }
  const Json x = axis_to("x", axes.x, axes.most_x);
  // Lines differ in their strokes, too, for prints without colour.
  const Json colour{{"field", "curve"},
                    {"type", "nominal"},
                    {"sort", names},
                    {"title", nullptr},
                    {"legend", {{"orient", "top"}, {"columns", 1}, {"symbolType", "stroke"}}}};
  const Json lines{{"mark", {{"type", "line"}, {"strokeWidth", 2}, {"point", {{"size", 18}}}}},
                   {"encoding",
                    {{"x", x},
                     {"y", axis_to("y", axes.y, axes.most_y)},
                     {"color", colour},
                     {"tooltip",
                      {{{"field", "curve"}},
                       {{"field", "x"}, {"title", axes.x}},
                       {{"field", "y"}, {"title", axes.y}, {"format", ".4~g"}}}}}}};
  const Json rules{{"data", {{"values", bounds}}},
                   {"mark", {{"type", "rule"}, {"strokeDash", {4, 4}}}},
                   {"encoding", {{"x", x}, {"color", colour}}}};
  return {title, {{"data", {{"values", points}}}, {"height", 240}, {"layer", {lines, rules}}}};
}

}  // namespace gen
