#include "gen/charts/bars.h"

#include <algorithm>

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json bars_spec(const BarAxis& axis) {
  const Json names{{"field", axis.names}, {"type", "nominal"}, {"sort", nullptr}, {"axis", axis_of_names()}};
  const Json tips = Json::array({{{"field", axis.names}}, {{"field", "text"}, {"title", axis.title}}});
  const Json bar{{"mark", {{"type", "bar"}}},
                 {"encoding", {{"y", names}, {"opacity", chosen_opacity()}, {"tooltip", tips}}}};
  const Json number{
      {"mark", {{"type", "text"}, {"align", "left"}, {"dx", 4}}},
      {"encoding", {{"y", names}, {"text", {{"field", "text"}}}, {"opacity", chosen_opacity()}}}};
  const Json reference{{"transform", {{{"filter", "datum.reference"}}}},
                       {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}}},
                       {"encoding", Json::object()}};
  const Json x{
      {"field", "value"}, {"type", "quantitative"}, {"title", axis.title}, {"axis", axis_of_numbers()}};
  return {{"height", {{"step", 18}}}, {"layer", {bar, reference, number}}, {"encoding", {{"x", x}}}};
}

Chart bar_chart(const std::string& title, const BarAxis& axis, const std::vector<Bar>& bars,
                const std::string& note) {
  Json rows = Json::array(), parts = Json::array();
  bool kinds = false;
  for (const Bar& bar : bars) {
    Json& row = rows.emplace_back(
        Json{{axis.names, bar.name}, {"value", bar.value}, {"text", bar.text}, {"part", bar.part}});
    if (!bar.kind.empty()) row["kind"] = bar.kind, kinds = true;
    if (bar.reference) row["reference"] = true;
    if (!bar.part.empty() && std::ranges::find(parts, Json(bar.part)) == parts.end())
      parts.push_back(bar.part);
  }
  Json unit = bars_spec(axis);
  if (kinds)
    unit["layer"][0]["encoding"]["color"] = {
        {"field", "kind"}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}};
  Json spec{{"usermeta", {{"label", axis.names}}}, {"data", {{"values", rows}}}};
  if (parts.size() > 1) {
    spec["facet"] = {{"row",
                      {{"field", "part"},
                       {"sort", parts},
                       {"header", {{"title", nullptr}, {"labelOrient", "top"}, {"labelAnchor", "start"}}}}}};
    spec["spec"] = unit;
    spec["resolve"] = {{"scale", {{"x", axis.same_scale ? "shared" : "independent"}, {"y", "independent"}}}};
  } else {
    spec.update(unit);
  }
  return {title, spec, note};
}

}  // namespace gen
