#include "gen/units/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/cosim/port_list.h"
#include "gen/units/index/reachable_sets.h"
#include "gen/units/l1d/l1d.h"
#include "gen/units/l1d/l1d_accounts.h"
#include "gen/units/topology/topology_ports.h"
#include "hw/noc/crossing_fifo.h"
#include "hw/packet/packetiser.h"
#include "hw/packet/receiver.h"
#include "hw/topology/dc_l1_node.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

nlohmann::ordered_json facts_of(const hw::Fabric& fabric) {
  nlohmann::ordered_json facts;
  for (const auto& [name, value] : fabric.facts()) facts[name] = value;
  return facts;
}

nlohmann::ordered_json cache_facts(const hw::L1dParams& cache, const hw::L1dFacts& f) {
  return {{"sets", hw::sets_of(cache)},         {"capacity_bytes", cache.capacity_bytes},
          {"mshr_entries", cache.mshr_entries}, {"address_bits", cache.address_bits},
          {"core_id_bits", cache.core_id_bits}, {"memory_id_bits", f.memory_id_bits}};
}

Unit elaborated(const hw::HomeParams& p, const std::string& top) {
  const rtl::Module module = hw::home_selection(p, top);
  const hw::HomeMap map = hw::home_map(p.shape);
  return {.top = module,
          .facts = {{"homes", map.homes},
                    {"slices_a_home", map.slices_a_home},
                    {"home_field_low", map.field_low},
                    {"home_field_bits", map.field_bits}}};
}
CosimMain cosim(const hw::HomeParams& p) {
  return cycle_bench("noc/home_cosim.h", "HomeBench", "HomeParams", p, 200'000);
}

Unit elaborated(const hw::PacketiserParams& p, const std::string& top) {
  return {.top = hw::packetiser(p.packet, top), .facts = {{"side_bits", hw::side_bits(p.packet)}}};
}
CosimMain cosim(const hw::PacketiserParams& p) {
  return cycle_bench("noc/packetiser_cosim.h", "PacketiserBench", "PacketiserParams", p, 200'000);
}

Unit elaborated(const hw::ReceiverParams& p, const std::string& top) {
  return {
      .top = hw::receiver(p.packet, top), .latency = 1, .facts = {{"side_bits", hw::side_bits(p.packet)}}};
}
CosimMain cosim(const hw::ReceiverParams& p) {
  return cycle_bench("noc/receiver_cosim.h", "ReceiverBench", "ReceiverParams", p, 200'000);
}

Unit elaborated(const hw::CrossingParams& p, const std::string& top) {
  return {.top = hw::crossing_fifo(p, top), .latency = 1, .facts = {{"clock_ratio", hw::noc1_ratio}}};
}
CosimMain cosim(const hw::CrossingParams& p) {
  return cycle_bench("noc/crossing_fifo_cosim.h", "CrossingBench", "CrossingParams", p, 200'000);
}

Unit elaborated(const hw::DcL1NodeParams& p, const std::string& top) {
  const hw::L1d node = hw::dc_l1_node(p, top);
  Unit unit{.top = node.module,
            .latency = node.facts.latency + 2,
            .tag_bits = node.facts.tag_bits,
            .accounts = storage_accounts(p.l1d, node.facts.tag_bits)};
  unit.facts["cache"] = cache_facts(p.l1d, node.facts);
  return unit;
}
CosimMain cosim(const hw::DcL1NodeParams& p) {
  return cycle_bench("noc/dc_l1_node_cosim.h", "DcL1NodeBench", "DcL1NodeParams", p, 200'000,
                     port_list(hw::dc_l1_node(p, "node").module));
}

Unit elaborated(const hw::TopologyParams& p, const std::string& top) {
  const hw::Topology topology = hw::dc_l1(p, top);
  const hw::TopologyPlan& plan = topology.plan;
  Unit unit{.top = topology.module,
            .latency = topology.cache.latency + plan.hit_latency,
            .tag_bits = topology.cache.tag_bits};
  unit.facts["cache"] = cache_facts(plan.cache, topology.cache);
  unit.facts["slice_id_bits"] = plan.slice_id_bits;
  for (const auto& fabric : plan.fabrics) unit.facts[fabric->name()] = facts_of(*fabric);
  if (plan.queued_messages)
    unit.facts["queue_storage_percent"] =
        100.0 * plan.queued_messages * p.l1d.line_bytes / plan.cache.capacity_bytes;
  if (!hw::kind_of(p.shape.kind).caches_in_nodes) return unit;
  unit.facts["homes"] = plan.map.homes;
  unit.facts["squeezed_bits"] = hw::squeezed_bits(p);
  const std::vector<int> reached = reachable_sets(p);
  const auto [fewest, most] = std::ranges::minmax_element(reached);
  const int sets = hw::sets_of(plan.cache);
  if (p.l1d.index.kind != hw::IndexKind::adi)
    unit.facts["reachable_sets"] = {{"fewest", reached.empty() ? sets : *fewest},
                                    {"most", reached.empty() ? sets : *most}};
  return unit;
}
CosimMain cosim(const hw::TopologyParams& p) {
  CosimMain main =
      cycle_bench("noc/dc_l1_trace.h", "DcL1Bench", "TopologyParams", p, 20'000, topology_ports(p));
  main.report = fmt::format(
      "o.traces.empty() ? {}\n"
      "                   : verif::DcL1TraceCosim<Vdut, params, Ports>(o, add_probes).run()",
      main.report);
  return main;
}

}  // namespace

std::string golden_main(const hw::TopologyParams& p) {
  return fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"verif/lockstep/noc/dc_l1_world.h\"\n\n"
      "namespace {{\nconstexpr hw::TopologyParams params =\n    {};\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  std::vector<verif::DcL1Result> results;\n"
      "  for (const auto& trace : o.traces)\n"
      "    results.push_back(verif::golden_kernel(params, *golden::make_topology<params>(), trace, o));\n"
      "  verif::write_results(results, o);\n  return 0;\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params("TopologyParams", p));
}

std::string system_main(const hw::TopologyParams& p) {
  return fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"verif/lockstep/noc/topology_in_system.h\"\n\n"
      "namespace {{\nconstexpr hw::TopologyParams params =\n    {};\n}}  // namespace\n\n"
      "int main(int argc, char** argv) {{\n"
      "  return verif::topology_in_system(argc, argv, params, verif::make_topology_at<params>);\n}}\n",
      cpp_params("TopologyParams", p));
}

const UnitKind& home_unit() {
  static const UnitKind kind = unit_kind<hw::HomeParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& packetiser_unit() {
  static const UnitKind kind = unit_kind<hw::PacketiserParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& receiver_unit() {
  static const UnitKind kind = unit_kind<hw::ReceiverParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& crossing_unit() {
  static const UnitKind kind = unit_kind<hw::CrossingParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& dc_l1_node_unit() {
  static const UnitKind kind = unit_kind<hw::DcL1NodeParams>(
      elaborated, cosim, "has queues around its cache: recordings are of a cache alone; use --random");
  return kind;
}

const UnitKind& topology_unit() {
  static const UnitKind kind = unit_kind<hw::TopologyParams>(
      elaborated, cosim, "has many cores: recordings are of one cache; use --random or --trace");
  return kind;
}

}  // namespace gen
