#include "cosim/noc/topology_report.h"

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

constexpr std::array<std::pair<const char*, std::uint64_t golden::RemoteFigures::*>, 8> search_names{
    {{"misses", &golden::RemoteFigures::misses},
     {"filtered", &golden::RemoteFigures::filtered},
     {"shared", &golden::RemoteFigures::shared},
     {"searches", &golden::RemoteFigures::searches},
     {"shared_searches", &golden::RemoteFigures::right},
     {"by_leader", &golden::RemoteFigures::by_leader},
     {"by_candidate", &golden::RemoteFigures::by_candidate},
     {"probes", &golden::RemoteFigures::probes}}};

using Losses = golden::RemoteFigures::Losses;
constexpr std::array<std::pair<const char*, std::uint64_t Losses::*>, 4> loss_names{
    {{"timed_out", &Losses::timed_out},
     {"late_lines", &Losses::late},
     {"deflected", &Losses::deflected},
     {"dropped", &Losses::dropped}}};

Json json_of(const golden::RemoteFigures& r) {
  Json json;
  for (const auto& [name, figure] : search_names) json[name] = r.*figure;
  json["by_l2"] = r.misses - r.served();
  json["precision"] = r.precision();
  json["recall"] = r.recall();
  json["probes_a_line"] = r.probes_a_line();
  json["supplied"] = r.supplied;
  json["busiest_supplier"] = r.imbalance(r.supplied);
  json["able"] = r.able;
  json["ablest_core"] = r.imbalance(r.able);
  if (r.stale_loads) json["stale_loads"] = *r.stale_loads;
  if (r.losses)
    for (const auto& [name, figure] : loss_names) json[name] = (*r.losses).*figure;
  return json;
}

// Of a timed run.
golden::RemoteFigures remote_from(const Json& json) {
  golden::RemoteFigures r;
  for (const auto& [name, figure] : search_names) r.*figure = json[name];
  r.supplied = json["supplied"].get<std::vector<std::uint64_t>>();
  r.able = json["able"].get<std::vector<std::uint64_t>>();
  Losses& losses = r.losses.emplace();
  for (const auto& [name, figure] : loss_names) losses.*figure = json[name];
  return r;
}

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
  for (const golden::CrossbarFlits& n : figures.networks)
    json["networks"].push_back(
        {{"crossbars", n.crossbars}, {"inputs", n.inputs}, {"outputs", n.outputs}, {"flits", n.flits}});
  if (figures.remote) json["remote"] = json_of(*figures.remote);
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
  if (json.contains("networks"))
    for (const Json& n : json["networks"])
      figures.networks.push_back({n["crossbars"], n["inputs"], n["outputs"], n["flits"]});
  if (json.contains("remote")) figures.remote = remote_from(json["remote"]);
  if (json.contains("latency"))
    for (const auto& [name, stay] : stay_names)
      if (json["latency"].contains(name))
        figures.*stay = {json["latency"][name]["cycles"], json["latency"][name]["messages"]};
  return figures;
}

}  // namespace verif
