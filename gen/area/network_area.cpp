#include "gen/area/network_area.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "gen/area/cell_leakage.h"
#include "gen/area/request.h"
#include "hw/noc/vc_crossbar.h"
#include "hw/noc/vc_input.h"
#include "hw/noc/vc_output.h"
#include "hw/noc/vc_queue.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

constexpr double crosspoints_a_port = 4.6;  // what a port of a router weighs in the thesis' figures
constexpr int narrow = 1, wide = 5;         // bytes of the flits that are synthesized

std::vector<hw::CrossbarGroup> crossbars_of(const hw::TopologyParams& p) {
  std::vector<hw::CrossbarGroup> all;
  for (const auto& fabric : hw::plan_of(p).fabrics)
    for (const hw::CrossbarGroup& group : fabric->crossbars()) all.push_back(group);
  return all;
}

// Gates that every bit of a flit needs, and those beside.
struct Line {
  double a_bit = 0, fixed = 0;
};

Line line_of(double few, double many) {
  const double a_bit = (many - few) / (8 * (wide - narrow));
  return {a_bit, few - 8 * narrow * a_bit};
}

CrossbarParts parts_of(const hw::CrossbarParams& p, const Line& queue, const Line& input,
                       const Line& output) {
  const double bits = hw::word_bits(p), queues = p.inputs * p.vcs;
  const double buffers = queues * (queue.fixed + bits * queue.a_bit);
  const double input_bit = p.inputs * input.a_bit - queues * queue.a_bit;
  const double input_fixed = p.inputs * input.fixed - queues * queue.fixed;
  return {.buffers = buffers,
          .multiplexers = bits * (input_bit + p.outputs * output.a_bit),
          .allocators = input_fixed + p.outputs * output.fixed};
}

// Parts to be synthesized, each text once.
class Parts {
 public:
  // Where the result will stand.
  std::size_t add(const rtl::Module& part) {
    AreaRequest request = area_request(part.name(), part, 0);
    std::string text;
    for (const VerilogSource& source : request.sources) text += source.text;
    const auto [found, added] = places_.try_emplace(std::move(text), requests_.size());
    if (added) requests_.push_back(std::move(request));
    return found->second;
  }
  std::vector<AreaResult> results(const Liberty& liberty) const { return synthesize_all(requests_, liberty); }

 private:
  std::vector<AreaRequest> requests_;
  std::map<std::string, std::size_t> places_;
};

struct CrossbarFigures {
  CrossbarParts area, leakage;
};

std::vector<CrossbarFigures> figures_of(const std::vector<hw::CrossbarParams>& crossbars,
                                        const Liberty& liberty) {
  Parts parts;
  std::vector<std::array<std::size_t, 6>> places;  // queue, input, output at each width
  for (hw::CrossbarParams p : crossbars) {
    auto& place = places.emplace_back();
    for (const std::size_t at : {0, 3}) {
      p.flit_bytes = at ? wide : narrow;
      p.side_bits = 0;
      place[at] = parts.add(hw::vc_queue(p, hw::word_bits(p)));
      place[at + 1] = parts.add(hw::vc_input(p));
      place[at + 2] = parts.add(hw::vc_output(p));
    }
  }
  const std::vector<AreaResult> results = parts.results(liberty);
  std::vector<double> gates;
  for (const AreaResult& result : results) gates.push_back(result.gate_equivalents);
  const std::vector<double> leakages = leakages_nw(results, liberty);
  std::vector<CrossbarFigures> figures;
  for (std::size_t i = 0; i < crossbars.size(); ++i) {
    const auto taken_on = [&](const std::vector<double>& of) {
      const auto line = [&](std::size_t k) { return line_of(of[places[i][k]], of[places[i][k + 3]]); };
      return parts_of(crossbars[i], line(0), line(1), line(2));
    };
    figures.push_back({taken_on(gates), taken_on(leakages)});
  }
  return figures;
}

std::string signed_percent(double of, double beside) {
  return fmt::format("{:+.0f} %", 100 * (of / beside - 1));
}

void add_total(std::string& text, const NetworkArea& n, const NetworkArea& baseline) {
  const CrossbarParts t = n.total(), b = baseline.total();
  text += fmt::format("{:<28} {:>10.0f} {:>12.0f} {:>10.0f} {:>12.0f} {:>8} {:>12} {:>8}\n", n.name,
                      t.buffers, t.multiplexers, t.allocators, t.sum(), signed_percent(t.sum(), b.sum()),
                      signed_percent(n.crosspoints, baseline.crosspoints),
                      signed_percent(n.model(), baseline.model()));
}

nlohmann::ordered_json to_json(const CrossbarParts& a) {
  return {{"buffers", a.buffers},
          {"multiplexers", a.multiplexers},
          {"allocators", a.allocators},
          {"sum", a.sum()}};
}

nlohmann::ordered_json to_json(const NetworkArea& n) {
  nlohmann::ordered_json json{{"name", n.name},
                              {"crosspoints", n.crosspoints},
                              {"model", n.model()},
                              {"gate_equivalents", to_json(n.total())},
                              {"leakage_nw", to_json(n.leakage())}};
  for (const CrossbarRow& row : n.rows)
    json["crossbars"].push_back({{"name", row.name},
                                 {"count", row.count},
                                 {"inputs", row.inputs},
                                 {"outputs", row.outputs},
                                 {"word_bits", row.word_bits},
                                 {"gate_equivalents", to_json(row.one)},
                                 {"leakage_nw", to_json(row.leakage)}});
  return json;
}

CrossbarParts times_count(const std::vector<CrossbarRow>& rows, CrossbarParts CrossbarRow::*figure) {
  CrossbarParts sum;
  for (const CrossbarRow& row : rows) {
    sum.buffers += row.count * (row.*figure).buffers;
    sum.multiplexers += row.count * (row.*figure).multiplexers;
    sum.allocators += row.count * (row.*figure).allocators;
  }
  return sum;
}

}  // namespace

CrossbarParts NetworkArea::total() const { return times_count(rows, &CrossbarRow::one); }
CrossbarParts NetworkArea::leakage() const { return times_count(rows, &CrossbarRow::leakage); }

double NetworkArea::model() const { return crosspoints + crosspoints_a_port * ports; }

hw::TopologyParams baseline_of(hw::TopologyParams p) {
  p.shape.kind = hw::TopologyKind::baseline;
  p.boost = false;
  return p;
}

NetworkArea networks_of(const hw::TopologyParams& p, const std::string& name) {
  NetworkArea network{.name = name};
  for (const hw::CrossbarGroup& n : crossbars_of(p)) {
    network.rows.push_back(
        {n.name, n.count, n.crossbar.inputs, n.crossbar.outputs, hw::word_bits(n.crossbar)});
    if (n.mirrors) continue;
    network.crosspoints += n.count * n.crossbar.inputs * n.crossbar.outputs;
    network.ports += n.count * (n.crossbar.inputs + n.crossbar.outputs);
  }
  return network;
}

std::vector<NetworkArea> measured(const std::vector<NamedTopology>& topologies, const Liberty& liberty) {
  std::vector<hw::CrossbarParams> crossbars;
  for (const NamedTopology& t : topologies)
    for (const hw::CrossbarGroup& n : crossbars_of(t.params)) crossbars.push_back(n.crossbar);
  const std::vector<CrossbarFigures> figures = figures_of(crossbars, liberty);
  std::vector<NetworkArea> networks;
  auto of = figures.begin();
  for (const NamedTopology& t : topologies) {
    networks.push_back(networks_of(t.params, t.name));
    for (CrossbarRow& row : networks.back().rows) {
      row.one = of->area;
      row.leakage = of++->leakage;
    }
  }
  return networks;
}

std::vector<WholeCrossbar> beside_whole(const std::vector<hw::CrossbarParams>& crossbars,
                                        const Liberty& liberty) {
  const std::vector<CrossbarFigures> figures = figures_of(crossbars, liberty);
  std::vector<AreaRequest> requests;
  for (const hw::CrossbarParams& p : crossbars)
    requests.push_back(area_request("vc_crossbar", hw::vc_crossbar(p, "vc_crossbar"), 0));
  const std::vector<AreaResult> results = synthesize_all(requests, liberty);
  std::vector<WholeCrossbar> beside;
  for (std::size_t i = 0; i < crossbars.size(); ++i)
    beside.push_back({crossbars[i], figures[i].area.sum(), results[i].gate_equivalents});
  return beside;
}

std::string network_table(const NetworkArea& topology, const NetworkArea& baseline) {
  std::string text = fmt::format("{:<28} {:>10} {:>12} {:>10} {:>12}\n", "crossbar, gate equivalents of one",
                                 "buffers", "multiplexers", "allocators", "sum");
  for (const NetworkArea* n : {&baseline, &topology})
    for (const CrossbarRow& row : n->rows)
      text += fmt::format("{:<28} {:>10.0f} {:>12.0f} {:>10.0f} {:>12.0f}\n",
                          fmt::format("{} {} of {}x{}", row.count, row.name, row.inputs, row.outputs),
                          row.one.buffers, row.one.multiplexers, row.one.allocators, row.one.sum());
  text += fmt::format("\n{:<28} {:>10} {:>12} {:>10} {:>12} {:>8} {:>12} {:>8}\n", "all crossbars", "buffers",
                      "multiplexers", "allocators", "sum", "", "crosspoints", "model");
  add_total(text, baseline, baseline);
  add_total(text, topology, baseline);
  return text;
}

nlohmann::ordered_json network_json(const NetworkArea& topology, const NetworkArea& baseline) {
  return {{"baseline", to_json(baseline)}, {"topology", to_json(topology)}};
}

}  // namespace gen
