// Topologies of L1 caches, with the networks between cores, caches and slices (DC-L1 thesis, chapters 3 to
// 5).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/l1d/l1d_unit.h"
#include "gen/units/topology/topology_keys.h"
#include "golden/topology/kinds.h"
#include "hw/index/index_unit.h"
#include "hw/l1d/controls_params.h"
#include "hw/l1d/stream_params.h"
#include "hw/require.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

using hw::TopologyParams;

// Of a mesh of six cores, for rtl-out/.
std::vector<std::string> six_on_a_mesh(const std::string& name) {
  return {"name=" + name, "topology.cores=6", "topology.slices=2",
          "mesh.width=3", "mesh.height=3",    "mesh.memory_nodes=[4, 2]"};
}

// Of four cores on a mesh, with caches of 16 lines.
std::vector<std::string> four_on_a_mesh(const std::string& setting) {
  return {"topology.cores=4",
          "topology.slices=2",
          "mesh.width=3",
          "mesh.height=2",
          "mesh.vc_flits=2",
          "mesh.memory_nodes=[1,4]",
          "geometry.line_bytes=64",
          "mshr.entries=2",
          "geometry.capacity_bytes=1024",
          "mshr.miss_queue=2",
          setting};
}

nlohmann::ordered_json facts_of(const hw::Fabric& fabric) {
  nlohmann::ordered_json facts;
  for (const auto& [name, value] : fabric.facts()) facts[name] = value;
  return facts;
}

// The set of a block address, by the facts of the index unit.
class SetOf {
 public:
  explicit SetOf(const hw::IndexParams& p)
      : facts_(hw::index_unit(p, "index").facts), offset_(hw::offset_bits(p)) {
    for (const auto& taps : facts_.taps) {
      rows_.push_back(0);
      for (const int tap : taps) rows_.back() |= std::uint64_t{1} << tap;
    }
  }

  std::uint64_t operator()(std::uint64_t address) const {
    if (facts_.prime) return (address >> offset_) % static_cast<unsigned>(facts_.prime);
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      set |= std::uint64_t{std::popcount(address & rows_[i]) % 2u} << i;
    return set;
  }

 private:
  hw::IndexFacts facts_;
  int offset_;
  std::vector<std::uint64_t> rows_;
};

std::uint64_t home_of(const hw::HomeMap& map, std::uint64_t address) {
  const std::uint64_t block = address >> 8;
  if (map.by_address) return block % static_cast<unsigned>(map.homes);
  return block % static_cast<unsigned>(map.slices) / static_cast<unsigned>(map.slices_a_home);
}

// How many sets of a node's cache the addresses of its home reach, of each home: fewer than all where the
// index is made of bits that the home fixes; empty where every home reaches all sets, or where the index
// moves (adi).
std::vector<int> reachable_sets(const hw::TopologyParams& p) {
  const hw::HomeMap map = hw::home_map(p.shape);
  const bool squeezed = hw::squeezed_bits(p) > 0;
  if (!hw::kind_of(p.shape.kind).caches_in_nodes || map.homes == 1 || squeezed ||
      p.l1d.index.kind == hw::IndexKind::adi)
    return {};
  const SetOf set_of(p.l1d.index);
  const auto homes = static_cast<std::uint64_t>(map.homes),
             sets = static_cast<std::uint64_t>(p.l1d.index.sets);
  const int line_bits = hw::block_address_bits(p.l1d.index), offset = hw::offset_bits(p.l1d.index);
  // Lines spread over the whole address space, as many as all pairs of home and set are likely to be met by.
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - line_bits);
  const std::uint64_t wanted = std::clamp<std::uint64_t>(32 * homes * sets, 1 << 16, 1 << 22);
  std::vector<bool> met(homes * sets);
  for (std::uint64_t n = 0; n < std::min(wanted, mask + 1); ++n) {
    const std::uint64_t address = (n * 0x9E3779B97F4A7C15u & mask) << offset;
    met[home_of(map, address) * sets + set_of(address)] = true;
  }
  std::vector<int> reached;
  for (std::uint64_t h = 0; h < homes; ++h)
    reached.push_back(
        static_cast<int>(std::count(met.begin() + static_cast<std::ptrdiff_t>(h * sets),
                                    met.begin() + static_cast<std::ptrdiff_t>((h + 1) * sets), true)));
  return reached;
}

Unit elaborated(const hw::TopologyParams& p, const std::string& top) {
  const hw::Topology topology = hw::dc_l1(p, top);
  const hw::TopologyPlan& plan = topology.plan;
  Unit unit{.top = topology.module,
            .latency = latency_of_hit(plan, topology.cache.latency),
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

using Fields = std::span<const hw::StreamField>;

// Valid, ready and fields of stream `name` of a model `d`, in brackets.
std::string together(const std::string& name, Fields fields, const hw::MessageShape& shape) {
  std::string ports = fmt::format("d.{0}_valid, d.{0}_ready", name);
  for (const hw::StreamField& f : fields)
    if (f.width(shape)) ports += fmt::format(", d.{}_{}", name, f.name);
  return "(" + ports + ")";
}

std::string visits(const char* who, int count, Fields request, const hw::MessageShape& shape) {
  std::string text;
  for (int n = 0; n < count; ++n)
    text += fmt::format(
        "    visit({}, verif::as_request_with<hw::SidebandBits{{{}}}>{},\n          verif::as_response{});\n",
        n, fmt::join(shape.sideband, ", "), together(fmt::format("{}{}_request", who, n), request, shape),
        together(fmt::format("{}{}_response", who, n), hw::packed_reply_fields, shape));
  return fmt::format(
      "  template <class Visit>\n  static void each_{}(Vdut& d, const Visit& visit) {{\n{}  }}\n", who, text);
}

std::string controls(const hw::TopologyParams& p) {
  const bool in_nodes = hw::kind_of(p.shape.kind).caches_in_nodes;
  std::string text;
  for (int n = 0; n < (in_nodes ? p.shape.nodes : p.shape.cores); ++n)
    for (const hw::Control c : hw::all_controls)
      if (c.role(p.l1d) == hw::ControlRole::input)
        text += fmt::format("    visit({0}, hw::Control(\"{2}\"), d.{1}{0}_{2});\n", n,
                            in_nodes ? "node" : "core", c.name());
  return fmt::format("  template <class Visit>\n  static void each_control({}const Visit&{}) {{\n{}  }}\n",
                     text.empty() ? "Vdut&, " : "Vdut& d, ", text.empty() ? "" : " visit", text);
}

// Where a cache stands, by its number.
std::string cache_path(hw::TopologyKind kind, int n) {
  const char* const part = hw::kind_of(kind).caches_in_nodes ? "node" : "core";
  const bool in_node = hw::kind_of(kind).caches_in_nodes || kind == hw::TopologyKind::remote;
  return fmt::format("{}_part{}.{}cache.", part, n, in_node ? "node." : "");
}

std::string protection(const hw::TopologyParams& p) {
  const bool in_nodes = hw::kind_of(p.shape.kind).caches_in_nodes;
  std::string visits, paths;
  for (int n = 0; hw::is_protected(p.l1d.ecc) && n < golden::caches_of(p.shape); ++n) {
    const std::string cache = fmt::format("{}{}_", in_nodes ? "node" : "core", n);
    visits += fmt::format(
        "    visit({0}, \"{1}\", d.{1}ecc_corrected, d.{1}ecc_refetched, d.{1}ecc_uncorrectable, "
        "d.{1}ecc_uncorrectable_id);\n",
        n, cache);
    paths += fmt::format("\"{}\", ", cache_path(p.shape.kind, n));
  }
  return fmt::format(
      "  template <class Visit>\n  static void each_ecc({}const Visit&{}) {{\n{}  }}\n"
      "  static std::vector<std::string> cache_paths() {{ return {{{}}}; }}\n",
      visits.empty() ? "Vdut&, " : "Vdut& d, ", visits.empty() ? "" : " visit", visits, paths);
}

// Streams of cores and slices by number, for the bench: a C++ struct Ports in which each_core(dut, visit)
// calls visit(c, request, response), each_slice(dut, visit) visit(s, request, response), with the ports of
// cosim/noc/dc_ports.h, each_control(dut, visit) visit(cache, control, port) with every control that is
// an input, and each_ecc(dut, visit) visit(cache, name, outputs of its protection).
std::string topology_ports(const hw::TopologyParams& p) {
  const hw::MessageShape at_slices{}, at_cores{.sideband = hw::sideband_bits(hw::plan_of(p).cache)};
  return fmt::format(
      "struct Ports {{\n{}{}{}{}}};\n", visits("core", p.shape.cores, hw::core_request_fields, at_cores),
      visits("slice", p.shape.slices, hw::memory_request_fields, at_slices), controls(p), protection(p));
}

CosimMain cosim(const hw::TopologyParams& p) {
  CosimMain main = cycle_bench("noc/dc_l1_trace.h", "DcL1Bench", "TopologyParams", p, 20'000,
                               topology_ports(p), false, hw::is_protected(p.l1d.ecc));
  main.report = fmt::format(
      "o.traces.empty() ? {}\n"
      "                   : verif::DcL1TraceCosim<Vdut, params, Ports>(o, add_probes).run()",
      main.report);
  for (int n = 0; n < golden::caches_of(p.shape); ++n)
    add_upsets(main, p.l1d.ecc, cache_path(p.shape.kind, n));
  return main;
}

bool sound(const hw::TopologyShape& shape) {
  try {
    hw::check(shape);
  } catch (const hw::ParamError&) {
    return false;  // elaboration says what is wrong
  }
  return true;
}

// What the keys of a cache leave open follows from the cache that is built, not from a core's share.
void settle_topology(Params& params) {
  auto& p = params.get<TopologyParams>();
  // Ways through a butterfly are all of one length.
  if (p.shared.fabric == hw::SharedFabric::butterfly) p.shared.min_home_l2 = false;
  if (!sound(p.shape)) return;
  const hw::L1dParams share = p.l1d;
  Params cache = hw::plan_of(p).cache;
  l1d_family().settle(cache);
  p.l1d = cache.get<hw::L1dParams>();
  p.l1d.address_bits = share.address_bits;
  p.l1d.capacity_bytes = share.capacity_bytes;
  p.l1d.mshr_entries = share.mshr_entries;
  p.l1d.core_id_bits = share.core_id_bits;
  p.l1d.counters = share.counters;
  p.l1d.check = share.check;
  p.l1d.drops = share.drops;
  p.l1d.stale_lines = share.stale_lines;
  p.l1d.snoops = share.snoops;
  p.l1d.pc_bits = share.pc_bits;
}

void resolve_topology(Params& params) {
  auto& p = params.get<TopologyParams>();
  if (!sound(p.shape)) return;
  Params cache = hw::plan_of(p).cache;
  l1d_family().resolve(cache);
  p.l1d.split = cache.get<hw::L1dParams>().split;
  p.l1d.mode = cache.get<hw::L1dParams>().mode;
}

void check_topology(const Values& given, const Params& params) {
  const auto& p = params.get<TopologyParams>();
  const auto min = given.find("shared.min_home_l2");
  hw::require(p.shared.fabric == hw::SharedFabric::mesh || min == given.end() || !std::get<bool>(min->second),
              "shared.min_home_l2", true, "counts hops, and in a butterfly all ways are of the same length",
              "leave it out, or use shared.fabric = \"mesh\"");
  if (sound(p.shape)) l1d_family().check_given(given, Params(hw::plan_of(p).cache));
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::TopologyParams>(
      elaborated, cosim, "has many cores: recordings are of one cache; use --random or --trace");
  return table;
}

const Family& family() {
  static const Family family{.name = "topology of L1 caches",
                             .doc = "caches of many cores, and the networks between cores, caches and slices",
                             .defaults = TopologyParams{},
                             .unit = kind,
                             .keys = topology_keys(),
                             .settle = settle_topology,
                             .resolve = resolve_topology,
                             .check_given = check_topology};
  return family;
}

}  // namespace

std::vector<Preset> topology_unit() {
  return {
      {.place = 360,
       .name = "dc_l1",
       .family = &family(),
       .doc = "80 cores, 40 nodes in 10 clusters, 32 slices, and both networks (Sh40+C10)",
       .source = "DC-L1 thesis, chapter 5",
       .shown = {"name=dc_l1", "topology.cores=16", "topology.nodes=8", "topology.slices=8",
                 "topology.clusters=4"},
       .small = {"topology.cores=2", "topology.nodes=2", "topology.slices=2", "topology.clusters=1"}},
      {.place = 370,
       .name = "shared_l1",
       .family = &family(),
       .doc = "28 cores whose L1s share their lines, and 8 slices, on a mesh of 6 x 6 (Shared++)",
       .source = "DC-L1 thesis, chapter 4",
       .overrides = {{"topology.kind", std::string("shared")},
                     {"topology.cores", std::int64_t{28}},
                     {"topology.slices", std::int64_t{8}}},
       .shown = six_on_a_mesh("shared_l1"),
       .small = four_on_a_mesh("mesh.vcs=2")},
      {.place = 380,
       .name = "remote_core",
       .family = &family(),
       .doc = "28 cores that search each other's L1s for what they miss, and 8 slices, on a mesh of 6 x 6",
       .source = "DC-L1 thesis, chapter 3",
       .overrides = {{"topology.kind", std::string("remote")},
                     {"topology.cores", std::int64_t{28}},
                     {"topology.slices", std::int64_t{8}},
                     {"mesh.vcs", std::int64_t{1}},
                     {"mesh.vc_flits", std::int64_t{8}}},
       .shown = six_on_a_mesh("remote_core"),
       .small = four_on_a_mesh("remote.coverage=3")}};
}

}  // namespace gen
