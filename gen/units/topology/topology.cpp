#include "gen/units/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gen/units/bench_main.h"
#include "gen/units/index/reachable_sets.h"
#include "gen/units/l1d/l1d.h"
#include "gen/units/l1d/l1d_accounts.h"
#include "gen/units/topology/topology_ports.h"
#include "hw/noc/crossing_fifo.h"
#include "hw/packet/packetiser.h"
#include "hw/packet/receiver.h"
#include "hw/topology/dc_l1_node.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

template <class Names, class Enum>
auto name_of(const Names& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

nlohmann::ordered_json crossbar_facts(const hw::CrossbarSizes& sizes, const hw::CrossbarParams& requests,
                                      const hw::CrossbarParams& replies) {
  return {{"crossbars", sizes.count},
          {"request_inputs", sizes.inputs},
          {"request_outputs", sizes.outputs},
          {"request_side_bits", requests.side_bits},
          {"reply_side_bits", replies.side_bits}};
}

std::string cpp_shape(const hw::TopologyShape& s) {
  constexpr std::array kinds{"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"};
  return fmt::format(
      "{{.kind = hw::TopologyKind::{}, .cores = {}, .nodes = {}, .slices = {}, .clusters = {}}}",
      name_of(kinds, s.kind), s.cores, s.nodes, s.slices, s.clusters);
}

std::string cpp_select(hw::VcSelect select) {
  return select == hw::VcSelect::line ? "hw::VcSelect::line" : "hw::VcSelect::destination";
}

std::string cpp_packet(const hw::PacketParams& p) {
  return fmt::format(
      "{{.packet = {{.network = hw::Network::{}, .address_bits = {}, .line_bytes = {}, .chunk_bytes = {}, "
      ".flit_bytes = {}, .id_bits = {}, .ports = {}, .vcs = {}, .vc_depth = {}, .vc_select = {}, .sectoring "
      "= {}}}}}",
      p.network == hw::Network::request ? "request" : "reply", p.address_bits, p.line_bytes, p.chunk_bytes,
      p.flit_bytes, p.id_bits, p.ports, p.vcs, p.vc_depth, cpp_select(p.vc_select), p.sectoring);
}

nlohmann::ordered_json cache_facts(const hw::L1dParams& cache, const hw::L1dFacts& f) {
  return {{"sets", hw::sets_of(cache)},         {"capacity_bytes", cache.capacity_bytes},
          {"mshr_entries", cache.mshr_entries}, {"address_bits", cache.address_bits},
          {"core_id_bits", cache.core_id_bits}, {"memory_id_bits", f.memory_id_bits}};
}

}  // namespace

Unit elaborate(const hw::HomeParams& p, const std::string& top) {
  const rtl::Module module = hw::home_selection(p, top);
  const hw::HomeMap map = hw::home_map(p.shape);
  return {.top = module,
          .facts = {{"homes", map.homes},
                    {"slices_a_home", map.slices_a_home},
                    {"home_field_low", map.field_low},
                    {"home_field_bits", map.field_bits}}};
}
std::string replay_refusal(const hw::HomeParams&) { return no_cache; }
std::string cosim_main(const hw::HomeParams& p, const std::string& probes) {
  return bench_main("noc/home_cosim.h", "HomeBench", "HomeParams", cpp_params(p), 200'000, probes);
}
std::vector<AreaRequest> plain_forms(const hw::HomeParams&, const std::string&, std::uint32_t) { return {}; }
std::string cpp_params(const hw::HomeParams& p) {
  return fmt::format("{{.shape = {}, .address_bits = {}, .squeeze = {}}}", cpp_shape(p.shape), p.address_bits,
                     p.squeeze);
}

Unit elaborate(const hw::PacketiserParams& p, const std::string& top) {
  return {.top = hw::packetiser(p.packet, top), .facts = {{"side_bits", hw::side_bits(p.packet)}}};
}
std::string replay_refusal(const hw::PacketiserParams&) { return no_cache; }
std::string cosim_main(const hw::PacketiserParams& p, const std::string& probes) {
  return bench_main("noc/packetiser_cosim.h", "PacketiserBench", "PacketiserParams", cpp_params(p), 200'000,
                    probes);
}
std::vector<AreaRequest> plain_forms(const hw::PacketiserParams&, const std::string&, std::uint32_t) {
  return {};
}
std::string cpp_params(const hw::PacketiserParams& p) { return cpp_packet(p.packet); }

Unit elaborate(const hw::ReceiverParams& p, const std::string& top) {
  return {
      .top = hw::receiver(p.packet, top), .latency = 1, .facts = {{"side_bits", hw::side_bits(p.packet)}}};
}
std::string replay_refusal(const hw::ReceiverParams&) { return no_cache; }
std::string cosim_main(const hw::ReceiverParams& p, const std::string& probes) {
  return bench_main("noc/receiver_cosim.h", "ReceiverBench", "ReceiverParams", cpp_params(p), 200'000,
                    probes);
}
std::vector<AreaRequest> plain_forms(const hw::ReceiverParams&, const std::string&, std::uint32_t) {
  return {};
}
std::string cpp_params(const hw::ReceiverParams& p) { return cpp_packet(p.packet); }

Unit elaborate(const hw::CrossingParams& p, const std::string& top) {
  return {.top = hw::crossing_fifo(p, top), .latency = 1, .facts = {{"clock_ratio", hw::noc1_ratio}}};
}
std::string replay_refusal(const hw::CrossingParams&) { return no_cache; }
std::string cosim_main(const hw::CrossingParams& p, const std::string& probes) {
  return bench_main("noc/crossing_fifo_cosim.h", "CrossingBench", "CrossingParams", cpp_params(p), 200'000,
                    probes);
}
std::vector<AreaRequest> plain_forms(const hw::CrossingParams&, const std::string&, std::uint32_t) {
  return {};
}
std::string cpp_params(const hw::CrossingParams& p) {
  return fmt::format("{{.entries = {}, .width = {}, .to_fast = {}}}", p.entries, p.width, p.to_fast);
}

Unit elaborate(const hw::DcL1NodeParams& p, const std::string& top) {
  const hw::L1d node = hw::dc_l1_node(p, top);
  Unit unit{.top = node.module,
            .latency = node.facts.latency + 2,
            .tag_bits = node.facts.tag_bits,
            .accounts = storage_accounts(p.l1d, node.facts.tag_bits)};
  unit.facts["cache"] = cache_facts(p.l1d, node.facts);
  return unit;
}
std::string replay_refusal(const hw::DcL1NodeParams&) {
  return "has queues around its cache: recordings are of a cache alone; use --random";
}
std::string cosim_main(const hw::DcL1NodeParams& p, const std::string& probes) {
  return bench_main("noc/dc_l1_node_cosim.h", "DcL1NodeBench", "DcL1NodeParams", cpp_params(p), 200'000,
                    probes);
}
std::vector<AreaRequest> plain_forms(const hw::DcL1NodeParams&, const std::string&, std::uint32_t) {
  return {};
}
std::string cpp_params(const hw::DcL1NodeParams& p) {
  return fmt::format("{{.l1d = {}, .queue = {}, .home_low = {}, .home_bits = {}, .boost = {}}}",
                     cpp_params(p.l1d), p.queue, p.home_low, p.home_bits, p.boost);
}

Unit elaborate(const hw::TopologyParams& p, const std::string& top) {
  const hw::Topology topology = hw::dc_l1(p, top);
  const hw::TopologyPlan& plan = topology.plan;
  // A load hit of one flit: 9 cycles beside the cache's, one less with a fast NoC#1 (docs/dc-l1-timing.md).
  const int networks = !hw::has_nodes(p.shape.kind) ? 0 : p.boost ? 8 : 9;
  Unit unit{.top = topology.module,
            .latency = topology.cache.latency + networks,
            .tag_bits = topology.cache.tag_bits};
  unit.facts["cache"] = cache_facts(plan.cache, topology.cache);
  unit.facts["slice_id_bits"] = plan.slice_id_bits;
  if (hw::has_noc1(p.shape.kind))
    unit.facts["noc1"] = crossbar_facts(plan.map.noc1, plan.noc1_requests, plan.noc1_replies);
  unit.facts["noc2"] = crossbar_facts(plan.map.noc2, plan.noc2_requests, plan.noc2_replies);
  if (!hw::has_nodes(p.shape.kind)) return unit;
  unit.facts["queue_storage_percent"] =
      100.0 * 4 * p.node.queue * p.l1d.line_bytes / plan.cache.capacity_bytes;
  unit.facts["homes"] = plan.map.homes;
  unit.facts["squeezed_bits"] = plan.node.home_bits;
  const std::vector<int> reached = reachable_sets(p);
  const auto [fewest, most] = std::ranges::minmax_element(reached);
  const int sets = hw::sets_of(plan.cache);
  if (p.l1d.index.kind != hw::IndexKind::adi)
    unit.facts["reachable_sets"] = {{"fewest", reached.empty() ? sets : *fewest},
                                    {"most", reached.empty() ? sets : *most}};
  return unit;
}
std::string replay_refusal(const hw::TopologyParams&) {
  return "has many cores: recordings are of one cache; use --random or --trace";
}
std::string cosim_main(const hw::TopologyParams& p, const std::string& probes) {
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/lockstep/noc/dc_l1_cosim.h\"\n#include "
      "\"verif/lockstep/noc/dc_l1_trace.h\"\n\n"
      "namespace {{\nconstexpr hw::TopologyParams params{};\n{}"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  if (!o.traces.empty())\n"
      "    return verif::conclude(o, verif::DcL1TraceCosim<Vdut, params, Ports>(o, add_probes).run());\n"
      "  return verif::conclude(o, verif::CycleCosim<Vdut, verif::DcL1Bench<Vdut, params, Ports>>(o, 20000, "
      "add_probes).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params(p), topology_ports(p.shape), probes);
}
std::string golden_main(const hw::TopologyParams& p) {
  return fmt::format(
      "#include \"verif/lockstep/noc/dc_l1_world.h\"\n\n"
      "namespace {{\nconstexpr hw::TopologyParams params{};\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  std::vector<verif::DcL1Result> results;\n"
      "  for (const auto& trace : o.traces)\n"
      "    results.push_back(verif::golden_kernel<params>(trace, o.scheduler));\n"
      "  verif::write_results(results, o);\n  return 0;\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params(p));
}
std::vector<AreaRequest> plain_forms(const hw::TopologyParams&, const std::string&, std::uint32_t) {
  return {};
}
std::string cpp_params(const hw::TopologyParams& p) {
  return fmt::format(
      "{{.shape = {}, .boost = {}, .vc_select = {}, .node = {{.queue = {}, .sectoring = {}, .squeeze = {}}}, "
      ".flit_bytes = {}, .vcs = {}, .vc_depth = {}, .iterations = {}, .l1d = {}}}",
      cpp_shape(p.shape), p.boost, cpp_select(p.vc_select), p.node.queue, p.node.sectoring, p.node.squeeze,
      p.flit_bytes, p.vcs, p.vc_depth, p.iterations, cpp_params(p.l1d));
}

}  // namespace gen
