#include "gen/explore/system_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gen/charts/bars.h"

namespace gen {

namespace {

using golden::CycleCause;
using golden::CycleCauses;
using Json = nlohmann::ordered_json;

// Causes that a bar does not show apart are one part of it.
struct BarPart {
  const char* name;
  const char* colour;
  std::vector<CycleCause> causes;

  std::uint64_t of(const CycleCauses& all) const {
    return std::accumulate(causes.begin(), causes.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, CycleCause cause) { return sum + all[cause]; });
  }
};

// From the left of a bar to its right: from the warps down to memory. Neighbours differ in lightness, too.
const std::vector<BarPart>& bar_parts() {
  static const std::vector<BarPart> parts = {
      {"issued", "#009e73", {CycleCause::issued}},
      {"no ready warp", "#b8a98c", {CycleCause::result, CycleCause::barrier, CycleCause::limited}},
      {"no CTA", "#7f7f7f", {CycleCause::empty}},
      {"load-store unit", "#cc79a7", {CycleCause::lsu}},
      {"L1 itself", "#f0e442", {CycleCause::l1}},
      {"L1 fail: no line", "#7a2d00", {CycleCause::fail_line}},
      {"L1 fail: no MSHR", "#d55e00", {CycleCause::fail_mshr}},
      {"L1 fail: no MSHR target", "#f2a277", {CycleCause::fail_merge}},
      {"L1 fail: miss queue", "#fbdcc9", {CycleCause::fail_queue}},
      {"network", "#e69f00", {CycleCause::network}},
      {"L2", "#56b4e9", {CycleCause::l2}},
      {"DRAM", "#0072b2", {CycleCause::dram}},
      {"memory", "#0072b2", {CycleCause::below}}};
  return parts;
}

// Whose ground is dark.
const Json dark_parts{"L1 fail: no line", "L1 fail: no MSHR", "DRAM", "memory", "issued", "no CTA"};

Json row_of_traces(const std::vector<SystemRunShown>& runs) {
  Json traces = Json::array();
  for (const SystemRunShown& one : runs)
    if (std::ranges::find(traces, Json(one.trace)) == traces.end()) traces.push_back(one.trace);
  return {{"row",
           {{"field", "trace"},
            {"sort", traces},
            {"header", {{"title", nullptr}, {"labelOrient", "top"}, {"labelAnchor", "start"}}}}}};
}

// Bytes or instructions a cycle, on a scale that has no 0.
struct RoofScale {
  double least, most;

  double on_it(double figure) const { return std::max(figure, least); }
  Json scale() const { return {{"type", "log"}, {"domain", {least, most}}, {"nice", false}}; }
};

double instructions_of(const SystemRunShown& one) {
  return share(one.run->system->warp_instructions, one.run->cycles);
}

double decade_below(double figure) { return std::pow(10, std::floor(std::log10(figure))); }

RoofScale bytes_scale(const Roofs& roofs, const std::vector<SystemRunShown>& runs) {
  double least = roofs.dram_bytes;
  for (const SystemRunShown& one : runs)
    for (const double b : {bytes_per_cycle(*one.run).network, bytes_per_cycle(*one.run).dram})
      if (b > 0) least = std::min(least, b);
  const double most = 1.2 * std::max(roofs.network_bytes, roofs.dram_bytes);
  return {std::min(decade_below(least), most / 100), most};
}

RoofScale instructions_scale(const Roofs& roofs, const std::vector<SystemRunShown>& runs) {
  double least = roofs.instructions;
  for (const SystemRunShown& one : runs)
    if (const double i = instructions_of(one); i > 0) least = std::min(least, i);
  return {std::min(decade_below(least), roofs.instructions / 10), 1.5 * roofs.instructions};
}

Json roof_axis(const char* field, const std::string& title, const RoofScale& scale) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title + " (log scale)"},
          {"scale", scale.scale()},
          {"axis", axis_of_numbers()}};
}

// A broken line along one axis, and its name beside it.
std::vector<Json> roof(const char* along, double figure, const std::string& words, int offset) {
  const bool level = *along == 'y';
  const Json place{{along, {{"datum", figure}}}};
  Json words_at = place;
  words_at[level ? "x" : "y"] = {{"value", level ? 4 : offset}};
  return {{{"data", {{"values", {Json::object()}}}},
           {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}}},
           {"encoding", place}},
          {{"data", {{"values", {Json::object()}}}},
           {"mark",
            {{"type", "text"},
             {"text", words},
             {"align", level ? "left" : "right"},
             {"dx", level ? 0 : -4},
             {"dy", level ? -7 : 0}}},
           {"encoding", words_at}}};
}

}  // namespace

Chart cycle_causes_chart(const std::vector<SystemRunShown>& runs) {
  Json rows = Json::array(), names = Json::array(), colours = Json::array();
  for (const BarPart& part : bar_parts()) {
    const bool occurs =
        std::ranges::any_of(runs, [&](const SystemRunShown& one) { return part.of(one.causes) > 0; });
    if (!occurs) continue;
    names.push_back(part.name);
    colours.push_back(part.colour);
    for (const SystemRunShown& one : runs) {
      std::uint64_t longest = 1;
      for (const SystemRunShown& other : runs)
        if (other.trace == one.trace) longest = std::max(longest, other.run->cycles);
      const double part_of_it = share(part.of(one.causes), one.causes.all());
      rows.push_back({{"trace", one.trace},
                      {"configuration", one.configuration},
                      {"cause", part.name},
                      {"order", names.size()},
                      {"cycles", static_cast<double>(one.run->cycles) * part_of_it},
                      {"share", fmt::format("{:.1f} %", 100 * part_of_it)},
                      {"inside", part_of_it * share(one.run->cycles, longest) >= 0.12
                                     ? fmt::format("{:.0f} %", 100 * part_of_it)
                                     : ""}});
    }
  }
  const Json y{{"field", "configuration"}, {"type", "nominal"}, {"sort", nullptr}, {"axis", axis_of_names()}};
  Json x{{"field", "cycles"},
         {"type", "quantitative"},
         {"title", "cycles"},
         {"stack", "zero"},
         {"axis", axis_of_numbers()}};
  const Json colour{{"field", "cause"},
                    {"type", "nominal"},
                    {"title", nullptr},
                    {"scale", {{"domain", names}, {"range", colours}}},
                    {"legend", {{"orient", "top"}, {"columns", 2}}}};
  const Json tips{{{"field", "configuration"}}, {{"field", "cause"}}, {{"field", "share"}}};
  Json middle = x;
  middle["bandPosition"] = 0.5;
  const Json bars{{"mark", {{"type", "bar"}, {"stroke", "white"}, {"strokeWidth", 0.5}}},
                  {"encoding",
                   {{"x", x},
                    {"color", colour},
                    {"order", {{"field", "order"}}},
                    {"tooltip", tips},
                    {"opacity", chosen_opacity()}}}};
  const Json shares{
      {"mark", {{"type", "text"}, {"fontSize", 11}}},
      {"encoding",
       {{"x", middle},
        {"text", {{"field", "inside"}}},
        {"detail", {{"field", "cause"}}},
        {"order", {{"field", "order"}}},
        {"color",
         {{"condition",
           {{"test", fmt::format("indexof({}, datum.cause) >= 0", dark_parts.dump())}, {"value", "white"}}},
          {"value", "black"}}}}}};
  return {"Where the cycles of the SMs went",
          {{"usermeta", {{"label", "configuration"}, {"step", 22}}},
           {"data", {{"values", rows}}},
           {"facet", row_of_traces(runs)},
           {"spec", {{"height", {{"step", 22}}}, {"layer", {bars, shares}}, {"encoding", {{"y", y}}}}},
           {"resolve", {{"scale", {{"x", "independent"}, {"y", "independent"}}}}}}};
}

Chart roofline_chart(const std::vector<SystemRunShown>& runs) {
  const Roofs& roofs = runs[0].run->system->roofs;
  const RoofScale bytes = bytes_scale(roofs, runs), instructions = instructions_scale(roofs, runs);
  Json rows = Json::array(), names = Json::array();
  for (const SystemRunShown& one : runs) {
    if (std::ranges::find(names, Json(one.configuration)) == names.end()) names.push_back(one.configuration);
    const BytesPerCycle moved = bytes_per_cycle(*one.run);
    for (const auto& [what, b] : {std::pair{"between L1s and L2", moved.network}, {"of DRAM", moved.dram}})
      rows.push_back(
          {{"trace", one.trace},
           {"configuration", one.configuration},
           {"bytes of", what},
           {"bytes", bytes.on_it(b)},
           {"instructions", instructions.on_it(instructions_of(one))},
           {"figures", fmt::format("{:.3g} bytes, {:.3g} instructions a cycle", b, instructions_of(one))}});
  }
  const Json x = roof_axis("bytes", "bytes a core cycle", bytes);
  const Json y = roof_axis("instructions", "instructions of warps a cycle", instructions);
  Json marks{
      {"mark", {{"type", "point"}, {"size", 60}, {"strokeWidth", 2}}},
      {"encoding",
       {{"x", x},
        {"y", y},
        {"shape",
         {{"field", "bytes of"},
          {"type", "nominal"},
          {"scale", {{"domain", {"between L1s and L2", "of DRAM"}}, {"range", {"circle", "triangle-up"}}}},
          {"legend", {{"orient", "top"}, {"columns", 2}, {"title", "bytes"}}}}},
        {"opacity", chosen_opacity()},
        {"tooltip",
         {{{"field", "configuration"}},
          {{"field", "trace"}},
          {{"field", "bytes of"}},
          {{"field", "figures"}}}}}}};
  if (names.size() <= most_colours)
    marks["encoding"]["color"] = {{"field", "configuration"},
                                  {"type", "nominal"},
                                  {"sort", names},
                                  {"title", nullptr},
                                  {"legend", {{"orient", "top"}, {"columns", 1}}}};
  Json layers = Json::array();
  const auto add = [&](const char* along, double figure, const std::string& words, int offset) {
    for (Json& layer : roof(along, figure, words, offset)) layers.push_back(std::move(layer));
  };
  layers.push_back(marks);
  add("y", roofs.instructions, fmt::format("issue: {:.0f} instructions", roofs.instructions), 0);
  add("x", roofs.dram_bytes, fmt::format("DRAM: {:.0f} bytes", roofs.dram_bytes), 60);
  add("x", roofs.network_bytes, fmt::format("L2 and network: {:.0f} bytes", roofs.network_bytes), 76);
  return {"Instructions and bytes, and their roofs",
          {{"data", {{"values", rows}}}, {"height", 240}, {"layer", layers}}};
}

}  // namespace gen
