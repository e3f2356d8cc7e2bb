#include "gen/area/area.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/area/fpga.h"
#include "gen/area/mapping.h"
#include "gen/area/network_area.h"
#include "gen/area/picture.h"
#include "gen/area/placement.h"
#include "gen/area/report.h"
#include "gen/area/request.h"
#include "gen/area/thesis_networks.h"
#include "gen/area/topology_parts.h"
#include "gen/charts/vega.h"
#include "gen/cosim/probe.h"
#include "gen/files.h"
#include "gen/unit/unit.h"
#include "gen/unit/unit_kind.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

void check_outputs(const AreaOptions& options) {
  options.reports.check();
  if (options.svg == "-") throw ConfigError("--svg", "needs a file's name; --json - goes to standard output");
  if (!options.svg.empty()) check_pictures();
}

// The area of each RAM wrapper that one of the user's Liberty files has a cell for.
std::map<std::string, double> macro_areas(const AreaOptions& options, const Unit& unit) {
  std::map<std::string, double> areas;
  for (const std::string& file : options.macros) {
    const auto cells = cell_areas(read_file(file));
    bool used = false;
    for (const StorageArray& a : unit.storage)
      if (const auto cell = cells.find(a.module); cell != cells.end()) {
        areas[a.module] = cell->second;
        used = true;
      }
    if (!used)
      throw ConfigError(
          "--macro " + file,
          fmt::format("has no cell called after a RAM of {}{}", unit.top.name(),
                      unit.storage.empty() ? ", which has none" : ", such as " + unit.storage[0].module));
  }
  return areas;
}

// Others' figures were measured with the default library and recipe, by which alone ours stand beside them.
std::vector<PublishedFigure> comparable(const Unit& unit, const AreaOptions& options) {
  const bool same =
      options.liberty.empty() && options.tech.empty() && options.macros.empty() && options.ram_ns == 0;
  return same ? unit.published : std::vector<PublishedFigure>{};
}

AreaRequest request_of(const PlainForm& form, std::uint32_t order) {
  if (const auto* module = std::get_if<rtl::Module>(&form.what))
    return area_request(form.name, *module, order);
  const auto& plain = std::get<PlainVerilog>(form.what);
  AreaRequest request{.name = form.name, .top = plain.top, .sources = {{plain.top + ".v", plain.text}}};
  if (plain.clocked) request.clocks.push_back("clk");
  return request;
}

// The units to be synthesized: the unit in each shuffle of its netlist, each baseline design in each, and the
// unit with its parts kept apart.
struct Plan {
  std::vector<AreaRequest> requests;
  std::size_t orders = 1, plain = 0;
  bool parts = false;
};

// A unit of more flip-flops takes hours where it is flattened first.
bool is_large(const rtl::Module& top) {
  constexpr std::int64_t most = 100'000;
  std::int64_t flops = 0;
  for (const UpsetRam& kept : flops_of(top)) flops += std::int64_t{std::max(kept.count, 1)} * kept.bits;
  return flops > most;
}

Plan plan_of(const Config& config, const Unit& unit, const AreaOptions& options, double clock_ns,
             const std::optional<RamMapping>& mapping) {
  Plan plan{.requests = {}, .orders = static_cast<std::size_t>(options.orders)};
  const bool large = is_large(unit.top);
  for (std::uint32_t order = 0; order < plan.orders; ++order) {
    plan.requests.push_back(area_request(config.top, unit.top, order));
    if (large) plan.requests.back().first = part_modules(unit.top, 1);
  }
  std::vector<std::vector<AreaRequest>> plain(plan.orders);
  for (std::uint32_t order = 0; order < plan.orders && !options.alone; ++order)
    for (const PlainForm& form : unit_kind_of(config).plain_forms(config.params, config.top, order))
      plain[order].push_back(request_of(form, order));
  plan.plain = plain[0].size();
  for (std::size_t i = 0; i < plan.plain; ++i)
    for (const auto& forms : plain) plan.requests.push_back(forms[i]);
  const int depth = options.parts.value_or(unit.storage.empty() || options.alone ? 0 : 1);
  if (const auto keep = part_modules(unit.top, depth); !keep.empty()) {
    plan.parts = true;
    plan.requests.push_back(area_request(config.top + " by parts", unit.top, 0));
    plan.requests.back().keep = keep;
  }
  for (AreaRequest& request : plan.requests) {
    request.clock_ns = clock_ns;
    request.ram_ns = options.ram_ns;
    if (mapping) apply(*mapping, request);
  }
  return plan;
}

// A topology is its networks here, and its other parts where `parts` names them: each takes minutes.
int topology_area(const Config& config, const AreaOptions& options, const Liberty& liberty) {
  const auto& p = config.get<hw::TopologyParams>();
  if (options.alone)
    throw ConfigError("--alone", fmt::format("{} is a topology, which has no plain form", config.preset));
  with_places(config, [&] { hw::check(p); });
  const auto show = [&](const std::string& table) {
    if (options.reports.to_stdout()) return;
    fmt::print("{}", table);
    std::fflush(stdout);
  };
  nlohmann::ordered_json json, rows;
  if (options.thesis) {
    ThesisNetworks networks = thesis_networks(p, liberty);
    show(thesis_table(networks));
    networks.whole = thesis_whole(p, liberty);
    show(whole_table(networks.whole));
    json = thesis_json(networks);
    rows = json["topologies"];
  } else {
    const auto networks = measured({{"baseline", baseline_of(p)}, {config.top, p}}, liberty);
    show(network_table(networks[1], networks[0]));
    json = network_json(networks[1], networks[0]);
    rows = {json["baseline"], json["topology"]};
    if (options.parts) {
      const auto parts = topology_parts(p, config.top, liberty);
      show(parts_table(parts));
      json["parts"] = parts_json(parts);
    }
  }
  json["nand2_um2"] = liberty.nand2_area();
  options.reports.write(json, rows);
  return 0;
}

int fpga_area(const Config& config, const AreaOptions& options) {
  if (config.params.holds<hw::TopologyParams>())
    throw ConfigError("--fpga", fmt::format("{} is a topology of many caches; name one of its parts, such as "
                                            "l1d or vc_crossbar",
                                            config.preset));
  if (options.place)
    check_placement(options.fpga);
  else if (options.orders != 1)
    throw ConfigError("--orders", "with --fpga it counts the seeds of --place; give both");
  const Unit unit = elaborate(config);
  std::optional<Placement> placement;
  if (options.place) placement = place(unit, options.fpga, options.orders);
  const FpgaResult result = fpga(unit, options.fpga);
  nlohmann::ordered_json json = fpga_json(unit, result);
  std::string table = fpga_table(unit, result);
  if (placement) {
    json["placed"] = placement_json(*placement);
    table += "\n" + placement_table(*placement);
  }
  options.reports.write(json, {json});
  if (!options.reports.to_stdout()) fmt::print("{}", table);
  return 0;
}

}  // namespace

int area(const Config& config, const AreaOptions& options) {
  check_outputs(options);
  if (!options.fpga.empty()) return fpga_area(config, options);
  std::optional<Technology> tech;
  if (!options.tech.empty()) tech = read_technology(options.tech);
  const Liberty liberty = tech                      ? tech->liberty()
                          : options.liberty.empty() ? default_liberty()
                                                    : user_liberty(options.liberty);
  if (config.params.holds<hw::TopologyParams>()) return topology_area(config, options, liberty);
  if (options.thesis)
    throw ConfigError("--thesis", fmt::format("{} is not a topology; use dc_l1", config.preset));
  const Unit unit = elaborate(config);
  const std::optional<double> clock_ns = options.clock_ns ? options.clock_ns
                                         : tech           ? tech->clock_ns
                                                          : std::nullopt;
  std::optional<RamMapping> mapping;
  if (tech) mapping = map_arrays(unit.storage, *tech);
  AreaReport report{.library = liberty.origin,
                    .fixes = liberty.fixes,
                    .nand2_area = liberty.nand2_area(),
                    .clock_ns = clock_ns,
                    .published = comparable(unit, options),
                    .storage = unit.storage,
                    .accounts = unit.accounts,
                    .macro_areas = macro_areas(options, unit),
                    .inverter = liberty.cells.inverter,
                    .ram_ns = options.ram_ns,
                    .load_ff = liberty.load_ff,
                    .mapping = mapping};
  if (liberty.fixes.empty()) report.unused = liberty.cells.unused;
  const Plan plan = plan_of(config, unit, options, clock_ns.value_or(1), mapping);

  const auto results = synthesize_all(plan.requests, liberty);

  for (std::size_t i = 0; i <= plan.plain; ++i) {
    const auto first = results.begin() + static_cast<std::ptrdiff_t>(i * plan.orders);
    report.figures.push_back({.name = plan.requests[i * plan.orders].name,
                              .orders = {first, first + options.orders},
                              .beside = i > 0});
  }
  if (plan.parts) report.parts = parts_of(unit.top, results.back(), report.nand2_area);
  const nlohmann::ordered_json json = area_json(report);
  options.reports.write(json, json["units"]);
  if (!options.reports.to_stdout()) fmt::print("{}", area_table(report));
  if (!options.svg.empty()) write_file_atomically(options.svg, area_svg(report));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].latches && !plan.requests[i].has_latches) {
      fmt::print(stderr, "l1forge: {}: the netlist has {} latches\n", plan.requests[i].name,
                 results[i].latches);
      return 1;
    }
  return 0;
}

}  // namespace gen
