#include "gen/area/thesis_networks.h"

#include <fmt/format.h>

#include <span>

#include "hw/topology/topology.h"

namespace gen {
namespace {

using Kind = hw::TopologyKind;
constexpr int cores = 80, slices = 32;

struct Published {
  const char* name;
  Kind kind;
  int nodes, clusters, percent;
  std::optional<int> static_percent = {};
};
constexpr Published published[] = {
    {"Pr40", Kind::private_nodes, 40, 40, -28, -4},  {"Pr20", Kind::private_nodes, 20, 20, -54},
    {"Pr10", Kind::private_nodes, 10, 10, -67},      {"Sh40", Kind::shared_nodes, 40, 1, 69, 57},
    {"Sh40+C5", Kind::clustered, 40, 5, -45, -15},   {"Sh40+C10", Kind::clustered, 40, 10, -50, -16},
    {"Sh40+C20", Kind::clustered, 40, 20, -45, -14},
};

hw::TopologyParams with_shape(hw::TopologyParams p, const Published& row) {
  p.shape = {row.kind, cores, row.nodes, slices, row.clusters};
  p.boost = false;
  return p;
}

std::vector<NamedTopology> topologies_of(const hw::TopologyParams& p) {
  std::vector<NamedTopology> all{{"baseline", baseline_of(with_shape(p, published[0]))}};
  for (const Published& row : published) all.push_back({row.name, with_shape(p, row)});
  return all;
}

// 0 beside nothing: a library without leakage.
double percent(double of, double beside) { return beside == 0 ? 0 : 100 * (of / beside - 1); }

struct Column {
  const char* name;
  double (*value)(const NetworkArea&);
};
constexpr Column columns[] = {
    {"all gates", [](const NetworkArea& n) { return n.total().sum(); }},
    {"buffers", [](const NetworkArea& n) { return n.total().buffers; }},
    {"multiplexers", [](const NetworkArea& n) { return n.total().multiplexers; }},
    {"allocators", [](const NetworkArea& n) { return n.total().allocators; }},
    {"all but buffers", [](const NetworkArea& n) { return n.total().sum() - n.total().buffers; }},
    {"crosspoints", [](const NetworkArea& n) { return static_cast<double>(n.crosspoints); }},
    {"model", [](const NetworkArea& n) { return n.model(); }},
};
constexpr Column leakage_columns[] = {
    {"leakage", [](const NetworkArea& n) { return n.leakage().sum(); }},
    {"buffers", [](const NetworkArea& n) { return n.leakage().buffers; }},
    {"all but buffers", [](const NetworkArea& n) { return n.leakage().sum() - n.leakage().buffers; }},
};

// Beside the baseline, in per cent.
std::string cells_of(const NetworkArea& area, const NetworkArea& base, std::span<const Column> shown) {
  std::string text = fmt::format("{:<10}", area.name);
  for (const Column& column : shown)
    text += fmt::format(" {:>13.0f} %", percent(column.value(area), column.value(base)));
  return text;
}

std::string head_of(std::span<const Column> shown) {
  std::string text = fmt::format("{:<10}", "");
  for (const Column& column : shown) text += fmt::format(" {:>15}", column.name);
  return text + fmt::format(" {:>8}\n", "thesis");
}

}  // namespace

ThesisNetworks thesis_topologies(const hw::TopologyParams& p) {
  ThesisNetworks networks;
  for (const auto& [name, params] : topologies_of(p)) {
    const NetworkArea area = networks_of(params, name);
    if (name == "baseline")
      networks.baseline = area;
    else
      networks.rows.push_back(
          {area, published[networks.rows.size()].percent, published[networks.rows.size()].static_percent});
  }
  networks.queue_storage_percent = 100.0 * 4 * p.node.queue * p.l1d.line_bytes * published[0].nodes /
                                   (static_cast<double>(p.l1d.capacity_bytes) * cores);
  return networks;
}

ThesisNetworks thesis_networks(const hw::TopologyParams& p, const Liberty& liberty) {
  ThesisNetworks networks = thesis_topologies(p);
  const std::vector<NamedTopology> topologies = topologies_of(p);
  std::vector<NetworkArea> areas = measured(topologies, liberty);
  networks.baseline = areas[0];
  for (std::size_t i = 0; i < networks.rows.size(); ++i) networks.rows[i].area = areas[i + 1];
  return networks;
}

std::vector<WholeCrossbar> thesis_whole(const hw::TopologyParams& p, const Liberty& liberty) {
  std::vector<hw::CrossbarParams> crossbars;
  for (const auto& fabric : hw::plan_of(with_shape(p, published[5])).fabrics)
    for (const hw::CrossbarGroup& group : fabric->crossbars())
      if (!group.mirrors) crossbars.push_back(group.crossbar);
  return beside_whole(crossbars, liberty);
}

std::string thesis_table(const ThesisNetworks& networks) {
  const NetworkArea& base = networks.baseline;
  const CrossbarParts b = base.total();
  std::string text = fmt::format(
      "baseline {}x{}, requests and replies, gate equivalents: buffers {:.0f}, multiplexers {:.0f}, "
      "allocators {:.0f}, sum {:.0f}\n\n",
      cores, slices, b.buffers, b.multiplexers, b.allocators, b.sum());
  text += head_of(columns);
  for (const ThesisRow& row : networks.rows)
    text += cells_of(row.area, base, columns) + fmt::format(" {:>6} %\n", row.published_percent);
  if (base.leakage().sum() > 0) {
    text += fmt::format("\nstatic power, baseline {:.4g} uW\n\n", base.leakage().sum() / 1000);
    text += head_of(leakage_columns);
    for (const ThesisRow& row : networks.rows)
      text += cells_of(row.area, base, leakage_columns) +
              (row.published_static_percent ? fmt::format(" {:>6} %\n", *row.published_static_percent)
                                            : fmt::format(" {:>8}\n", "-"));
  }
  return text +
         fmt::format("\nqueues of 40 nodes: {:.2f} % of the L1s' data\n", networks.queue_storage_percent);
}

std::string whole_table(const std::vector<WholeCrossbar>& whole) {
  std::string text =
      fmt::format("\n{:<26} {:>14} {:>14} {:>8}\n", "one crossbar", "by parts", "as a whole", "");
  for (const WholeCrossbar& w : whole)
    text += fmt::format("{:<26} {:>14.0f} {:>14.0f} {:>6.1f} %\n",
                        fmt::format("{}x{}, {} VCs of {} flits", w.crossbar.inputs, w.crossbar.outputs,
                                    w.crossbar.vcs, w.crossbar.vc_depth),
                        w.parts, w.whole, percent(w.parts, w.whole));
  return text;
}

nlohmann::ordered_json thesis_json(const ThesisNetworks& networks) {
  nlohmann::ordered_json json;
  const CrossbarParts b = networks.baseline.total();
  json["baseline_gate_equivalents"] = {{"buffers", b.buffers},
                                       {"multiplexers", b.multiplexers},
                                       {"allocators", b.allocators},
                                       {"sum", b.sum()}};
  for (const ThesisRow& row : networks.rows) {
    nlohmann::ordered_json one{{"name", row.area.name}};
    for (const Column& column : columns)
      one["percent"][column.name] = percent(column.value(row.area), column.value(networks.baseline));
    for (const Column& column : leakage_columns)
      one["static_percent"][column.name] = percent(column.value(row.area), column.value(networks.baseline));
    one["published_percent"] = row.published_percent;
    if (row.published_static_percent) one["published_static_percent"] = *row.published_static_percent;
    for (const CrossbarRow& c : row.area.rows)
      one["crossbars"].push_back({{"name", c.name},
                                  {"count", c.count},
                                  {"inputs", c.inputs},
                                  {"outputs", c.outputs},
                                  {"word_bits", c.word_bits},
                                  {"buffers", c.one.buffers},
                                  {"multiplexers", c.one.multiplexers},
                                  {"allocators", c.one.allocators}});
    json["topologies"].push_back(std::move(one));
  }
  for (const WholeCrossbar& w : networks.whole)
    json["whole"].push_back({{"inputs", w.crossbar.inputs},
                             {"outputs", w.crossbar.outputs},
                             {"by_parts", w.parts},
                             {"as_a_whole", w.whole}});
  json["queue_storage_percent"] = networks.queue_storage_percent;
  return json;
}

}  // namespace gen
