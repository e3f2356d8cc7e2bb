#include "gen/charts/comparison.h"

#include <algorithm>

#include "gen/charts/bars.h"
#include "gen/charts/scatter.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ComparedFigure& figure) {
  Json out{{"name", figure.name}, {"title", figure.title}, {"unit", figure.unit}};
  if (figure.digits >= 0) out["digits"] = figure.digits;
  if (figure.more_is_better) out["better"] = "more";
  return out;
}

Json json_of(const ComparedPoint& point) {
  Json out{{"configuration", point.configuration},
           {"command", point.command},
           {"keys", point.keys},
           {"figures", point.figures}};
  if (!point.from.empty()) out["from"] = point.from;
  return out;
}

}  // namespace

Json json_of(const ComparisonChart& c) {
  Json figures = Json::array(), points = Json::array();
  for (const ComparedFigure& figure : c.figures) figures.push_back(json_of(figure));
  for (const ComparedPoint& point : c.points) points.push_back(json_of(point));
  Json out{{"inputs", c.inputs},
           {"keys", c.keys},
           {"figures", figures},
           {"points", points},
           {"baseline", c.baseline}};
  out["start"] = {{"colour", c.colour}};
  if (c.has_bars) {
    Chart bars{"",
               {{"usermeta", {{"label", "configuration"}}}, {"spec", bars_spec({.names = "configuration"})}}};
    out["start"]["figure"] = c.figures.empty() ? "" : c.figures.front().name;
    out["bars"] = page_spec(bars);
  }
  if (!c.across.empty()) {
    out["start"]["x"] = c.across;
    out["start"]["y"] = c.up;
    out["scatter"] = page_spec({"", scatter_spec()});
  }
  return out;
}

}  // namespace gen
