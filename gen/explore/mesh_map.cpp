#include "gen/explore/mesh_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int pitch = 60;       // of a node, in pixels, at most
constexpr double aside = 0.09;  // of a pitch: each direction of a link on its right side

// Both networks' flits from node to node.
std::map<std::pair<int, int>, std::uint64_t> flits_of(const TopologyResult& t) {
  std::map<std::pair<int, int>, std::uint64_t> flits;
  for (const auto& network : t.figures.links)
    for (const golden::LinkFlits& link : network) flits[{link.from, link.to}] += link.flits;
  return flits;
}

Json links_of(const TopologyResult& t) {
  Json links = Json::array();
  for (const auto& [ends, flits] : flits_of(t)) {
    const int x1 = ends.first % t.nodes_of.width, y1 = ends.first / t.nodes_of.width;
    const int x2 = ends.second % t.nodes_of.width, y2 = ends.second / t.nodes_of.width;
    const double across = (y1 - y2) * aside, down = (x2 - x1) * aside;
    links.push_back({{"x", x1 + across},
                     {"y", y1 + down},
                     {"x2", x2 + across},
                     {"y2", y2 + down},
                     {"flits", flits},
                     {"link", fmt::format("{} to {}", ends.first, ends.second)}});
  }
  return links;
}

Json nodes_of(const TopologyResult& t) {
  Json nodes = Json::array();
  const auto add = [&](int node, const std::string& name, const std::string& about) {
    nodes.push_back(
        {{"x", node % t.nodes_of.width}, {"y", node / t.nodes_of.width}, {"name", name}, {"node", about}});
  };
  for (std::size_t c = 0; c < t.figures.homes.size(); ++c) {
    const auto [loads, hits] = t.figures.homes[c];
    add(t.nodes_of.cores[c], fmt::format("{}", c),
        fmt::format("core {}: {} of {} loads of others hit", c, hits, loads));
    nodes.back()["hits"] = hits;
  }
  for (std::size_t s = 0; s < t.nodes_of.slices.size(); ++s)
    add(t.nodes_of.slices[s], fmt::format("L2 {}", s),
        fmt::format("slice {}: {} requests", s, t.slice_requests[s]));
  return nodes;
}

Json place(const char* field, int nodes) {
  return {{"field", field},
          {"type", "quantitative"},
          {"axis", nullptr},
          {"scale",
           {{"domain", {-0.6, nodes - 0.4}}, {"nice", false}, {"zero", false}, {"reverse", *field == 'y'}}}};
}

Json shade(const char* field, const char* title, const char* scheme) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"scheme", scheme}, {"domainMin", 0}}},
          {"legend",
           {{"orient", "bottom"},
            {"direction", "horizontal"},
            {"gradientLength", 110},
            {"tickCount", 2},
            {"format", "~s"}}}};
}

}  // namespace

std::optional<Chart> mesh_map(const std::string& title, const TopologyResult& t) {
  if (t.figures.links.empty() || t.nodes_of.width == 0) return std::nullopt;
  const Json x = place("x", t.nodes_of.width), y = place("y", t.nodes_of.height);
  Json hits = shade("hits", "hits of other cores' loads", "blues");
  hits["condition"] = {{"test", "!isValid(datum.hits)"}, {"value", "white"}};
  const Json links{{"data", {{"values", links_of(t)}}},
                   {"mark", {{"type", "rule"}, {"strokeWidth", 5}}},
                   {"encoding",
                    {{"x", x},
                     {"y", y},
                     {"x2", {{"field", "x2"}}},
                     {"y2", {{"field", "y2"}}},
                     {"color", shade("flits", "flits of a link", "oranges")},
                     {"tooltip", {{{"field", "link"}}, {{"field", "flits"}}}}}}};
  const Json boxes{
      {"mark",
       {{"type", "square"}, {"size", 900}, {"opacity", 1}, {"stroke", "#666666"}, {"strokeWidth", 1}}},
      {"encoding", {{"x", x}, {"y", y}, {"fill", hits}, {"tooltip", {{{"field", "node"}}}}}}};
  const Json names{{"mark", {{"type", "text"}, {"fontSize", 10}, {"color", "black"}}},
                   {"encoding", {{"x", x}, {"y", y}, {"text", {{"field", "name"}}}}}};
  return Chart{title,
               {{"usermeta", {{"width", pitch * t.nodes_of.width}}},
                {"height", pitch * t.nodes_of.height},
                {"layer", {links, {{"data", {{"values", nodes_of(t)}}}, {"layer", {boxes, names}}}}},
                {"resolve", {{"scale", {{"color", "independent"}, {"fill", "independent"}}}}}}};
}

}  // namespace gen
