#include "verif/lockstep/noc/topology_report.h"

#include <array>

namespace verif {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array network_names{"requests", "replies"};

constexpr std::array<std::pair<const char*, golden::Stay golden::TopologyFigures::*>, 5> stay_names{
    {{"loads", &golden::TopologyFigures::loads},
     {"home_trips", &golden::TopologyFigures::home_trips},
     {"at_homes", &golden::TopologyFigures::at_homes},
     {"slice_trips", &golden::TopologyFigures::slice_trips},
     {"at_slices", &golden::TopologyFigures::at_slices}}};

}  // namespace

void add_figures(Json& json, const golden::TopologyFigures& figures) {
  if (figures.direct.accesses)
    for (const auto& [name, counter] : golden::counter_names)
      if (figures.direct.*counter) json["direct"][std::string(name)] = figures.direct.*counter;
  for (const golden::HomeLoads& home : figures.homes)
    json["homes"].push_back({{"loads", home.loads}, {"hits", home.hits}});
  for (std::size_t n = 0; n < figures.links.size(); ++n)
    for (const golden::LinkFlits& link : figures.links[n])
      json["links"][network_names.at(n)].push_back(
          {{"from", link.from}, {"to", link.to}, {"flits", link.flits}});
  for (const auto& [name, stay] : stay_names)
    if ((figures.*stay).messages)
      json["latency"][name] = {{"messages", (figures.*stay).messages},
                               {"cycles", (figures.*stay).cycles},
                               {"mean", (figures.*stay).mean()}};
}

golden::TopologyFigures figures_of(const Json& json) {
  golden::TopologyFigures figures;
  if (json.contains("direct"))
    for (const auto& [name, counter] : golden::counter_names)
      figures.direct.*counter = json["direct"].value(std::string(name), std::uint64_t{0});
  if (json.contains("homes"))
    for (const Json& home : json["homes"]) figures.homes.push_back({home["loads"], home["hits"]});
  if (json.contains("links"))
    for (const char* network : network_names)
      for (auto& links = figures.links.emplace_back(); const Json& link : json["links"][network])
        links.push_back({link["from"], link["to"], link["flits"]});
  if (json.contains("latency"))
    for (const auto& [name, stay] : stay_names)
      if (json["latency"].contains(name))
        figures.*stay = {json["latency"][name]["cycles"], json["latency"][name]["messages"]};
  return figures;
}

}  // namespace verif
