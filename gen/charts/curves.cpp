#include "gen/charts/curves.h"

#include <algorithm>

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int curves_height = 240;

Json axis(const char* field, const std::string& title, double most) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"domain", {0, most}}, {"nice", false}}},
          {"axis", axis_of_numbers(5)}};
}

}  // namespace

Chart curve_chart(const std::string& title, const CurveAxes& axes, const std::vector<Curve>& curves) {
  Json points = Json::array(), limits = Json::array(), names = Json::array();
  for (const Curve& curve : curves) {
    names.push_back(curve.name);
    for (const CurvePoint& point : curve.points) {
      points.push_back({{"name", curve.name}, {"x", point.x}, {"y", std::min(point.y, axes.most_y)}});
      if (point.y > axes.most_y) break;
    }
    if (curve.limit) limits.push_back({{"name", curve.name}, {"x", *curve.limit}});
  }
  const Json colour{{"field", "name"},
                    {"type", "nominal"},
                    {"title", nullptr},
                    {"scale", {{"domain", names}}},
                    {"legend", {{"orient", "bottom"}, {"columns", 1}, {"labelLimit", 0}}}};
  const Json x = axis("x", axes.x, axes.most_x);
  const Json lines{{"data", {{"values", points}}},
                   {"mark", {{"type", "line"}, {"point", {{"size", 14}}}}},
                   {"encoding", {{"x", x}, {"y", axis("y", axes.y, axes.most_y)}, {"color", colour}}}};
  Json layers = Json::array({lines});
  if (!limits.empty())
    layers.push_back({{"data", {{"values", limits}}},
                      {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}}},
                      {"encoding", {{"x", x}, {"color", colour}}}});
  return {title, {{"height", curves_height}, {"layer", layers}}};
}

}  // namespace gen
