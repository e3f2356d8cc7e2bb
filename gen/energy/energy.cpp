#include "gen/energy/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <variant>

#include "gen/area/mapping.h"
#include "gen/area/request.h"
#include "gen/charts/vega.h"
#include "gen/cosim/port_run.h"
#include "gen/energy/accesses.h"
#include "gen/energy/energy_picture.h"
#include "gen/energy/energy_report.h"
#include "gen/energy/energy_run.h"
#include "gen/energy/second_opinion.h"
#include "gen/files.h"
#include "gen/ports.h"
#include "gen/process.h"
#include "gen/shell_line.h"
#include "gen/status_line.h"
#include "gen/tech/macro_verilog.h"
#include "gen/unit/unit.h"
#include "gen/unit/unit_kind.h"
#include "golden/trace/open/open_trace.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr double usual_clock_ns = 5;

struct Setup {
  Unit unit;
  Liberty liberty;
  std::optional<Technology> technology = {};
  std::optional<RamMapping> mapping = {};
  std::string clock = {};
  double clock_ns = usual_clock_ns;
};

Setup setup_of(const Config& config, const EnergyOptions& options) {
  if (config.params.holds<hw::TopologyParams>())
    throw ConfigError("energy",
                      fmt::format("{} is a topology of many caches; name one of its parts, such as l1d or "
                                  "vc_crossbar",
                                  config.preset));
  std::optional<Technology> technology;
  if (!options.tech.empty()) technology = read_technology(options.tech);
  Setup setup{.unit = elaborate(config),
              .liberty = technology                ? technology->liberty()
                         : options.liberty.empty() ? default_liberty()
                                                   : user_liberty(options.liberty)};
  for (const Port& port : ports_of(setup.unit.top)) {
    if (!port.is_clock) continue;
    if (!setup.clock.empty())
      throw ConfigError("energy",
                        fmt::format("{} has two clocks; a unit of one clock can be counted", config.preset));
    setup.clock = port.name;
  }
  if (technology) setup.mapping = map_arrays(setup.unit.storage, *technology);
  setup.clock_ns =
      options.clock_ns.value_or(technology && technology->clock_ns ? *technology->clock_ns : usual_clock_ns);
  setup.technology = std::move(technology);
  return setup;
}

// Of a wrapper by its name and shape.
RamFunction function_of(const StorageArray& array) {
  const ArrayNeed need = need_of(array.module);
  RamFunction f{
      .ports = need.ports, .words = array.rows, .bits = array.row_bits, .mask_bits = need.byte_bits};
  const bool two = need.ports == RamPorts::one_r1w;
  f.pins = {.clock = "clk",
            .access = two ? "" : "access",
            .write = "write",
            .read = two ? "read" : "",
            .address = two ? "read_row" : "row",
            .write_address = "write_row",
            .data_in = "write_data",
            .mask = need.byte_bits ? "byte_enable" : "",
            .data_out = "read_data"};
  return f;
}

std::map<std::string, RamFunction> functions_of(const Setup& setup) {
  std::map<std::string, RamFunction> functions;
  for (const StorageArray& array : setup.unit.storage) functions[array.module] = function_of(array);
  if (setup.mapping)
    for (const MappedArray& array : setup.mapping->arrays)
      if (array.macro)
        functions[array.macro->cell] = {pins_of(*array.macro), array.macro->ports, array.macro->words,
                                        array.macro->bits, array.macro->mask_bits};
  return functions;
}

// The cells of the netlist in the library, then those of the macros, each file once.
std::vector<PowerLibrary> libraries_of(const Setup& setup, const std::set<std::string>& types) {
  std::set<std::string> wanted = types;
  wanted.insert(setup.liberty.cells.inverter);
  std::vector<PowerLibrary> libraries = {power_library(read_liberty(setup.liberty.file), wanted)};
  std::set<std::string> read;
  if (setup.mapping)
    for (const MappedArray& array : setup.mapping->arrays)
      if (array.macro && !array.macro->liberty.empty() && read.insert(array.macro->liberty).second)
        libraries.push_back(power_library(read_liberty(array.macro->liberty), types));
  return libraries;
}

PortChanges recorded_ports(const Config& config, const EnergyOptions& options) {
  const std::int64_t cycles = options.from + options.window;
  const bool random = options.traces.empty() && options.replays.empty();
  const PortRun run = run_with_ports(config,
                                     {.random_cycles = random ? cycles : 0,
                                      .traces = options.traces,
                                      .replays = options.replays,
                                      .seed = options.seed,
                                      .coverage = false},
                                     cycles);
  if (!run.report["mismatches"].empty())
    throw ToolError(fmt::format("{}: its co-simulation found a mismatch; see l1forge cosim", config.top));
  PortChanges changes = port_changes(run.vcd);
  if (changes.cycles < cycles)
    throw ConfigError("--window",
                      fmt::format("{} cycles from cycle {} are more than the run, which has {}; take fewer",
                                  options.window, options.from, changes.cycles));
  return changes;
}

std::string stimulus_of(const EnergyOptions& options) {
  std::string text;
  for (const auto* files : {&options.traces, &options.replays})
    for (const std::string& file : *files) text += (text.empty() ? "" : ", ") + file;
  return text.empty() ? fmt::format("random stimulus, seed {}", options.seed) : text;
}

AreaRequest request_of(const Config& config, const Setup& setup, int parts) {
  AreaRequest request = area_request(config.top, setup.unit.top, 0);
  request.keep = part_modules(setup.unit.top, parts);
  if (setup.mapping) apply(*setup.mapping, request);
  return request;
}

// What a netlist needs beside its cells.
struct Mapped {
  std::vector<PowerLibrary> libraries;
  std::map<std::string, RamFunction> functions;
  Netlist netlist;  // refers to the libraries
};

Mapped mapped(const Config& config, const Setup& setup, int parts) {
  const AreaRequest request = request_of(config, setup, parts);
  const auto module = netlist_module(mapped_netlist(request, setup.liberty), request.top);
  Mapped result{.libraries = libraries_of(setup, netlist_types(module)),
                .functions = functions_of(setup),
                .netlist = {}};
  std::vector<std::string> rams;
  for (const auto& [name, function] : result.functions) rams.push_back(name);
  result.netlist = read_netlist(module, result.libraries, rams);
  return result;
}

// Estimates by least squares add up over groups, so shares of an access add up to its energy.
void fill_shares(const EnergyMeter& meter, const Transfers& kinds, EnergyReport& report) {
  for (std::size_t g = 0; g < meter.by_group().size(); ++g) {
    const auto fit = fit_accesses(meter.by_group()[g], kinds);
    if (!fit) return;
    const std::string& group = meter.groups().names[g];
    const auto pj = [&](const char* kind) {
      const auto found = fit->pj.find(kind);
      return found == fit->pj.end() ? 0 : found->second.pj;
    };
    for (const auto& [kind, energy] : fit->pj) report.shares[kind][group] = energy.pj;
    report.shares["idle cycle"][group] = fit->idle.pj;
    if (fit->pj.contains("hit")) report.shares["miss"][group] = pj("hit") + pj("fill");
  }
}

std::int64_t sum_of(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

// A load that hits costs what a load does, one that misses the fill of a line as well.
void fill_accesses(const Config& config, const Setup& setup, const PortChanges& changes,
                   const EnergyMeter& meter, EnergyReport& report) {
  const Transfers transfers = transfers_of(setup.unit.top, changes, report.from, report.window);
  for (std::size_t g = 0; g < meter.by_group().size(); ++g)
    report.shares["cycle"][meter.groups().names[g]] =
        std::accumulate(meter.by_group()[g].begin(), meter.by_group()[g].end(), 0.0) /
        static_cast<double>(report.window);
  for (const auto& [stream, cycles] : transfers) report.transfers[stream] = sum_of(cycles);
  Transfers kinds;
  if (auto flits = flits_of(setup.unit.top, changes, report.from, report.window); !flits.empty()) {
    report.transfers["flit"] = sum_of(flits);
    kinds["flit"] = std::move(flits);
  } else if (!config.params.holds<hw::L1dParams>()) {
    return;
  }
  for (const auto& [stream, kind] : {std::pair{"core_request load", "hit"},
                                     {"core_request store", "store"},
                                     {"core_request atomic", "atomic"},
                                     {"memory_response", "fill"}})
    if (const auto found = transfers.find(stream); found != transfers.end()) kinds[kind] = found->second;
  const auto fit = fit_accesses(meter.by_cycle(), kinds);
  if (!fit) return;
  fill_shares(meter, kinds, report);
  report.accesses = fit->pj;
  report.accesses["idle cycle"] = fit->idle;
  if (fit->pj.contains("hit") && fit->pj.contains("fill")) {
    const AccessEnergy hit = fit->pj.at("hit"), fill = fit->pj.at("fill");
    if (hit.known() && fill.known())
      report.accesses["miss"] = {hit.pj + fill.pj, std::hypot(hit.error_pj, fill.error_pj)};
  }
  report.explained = fit->explained;
}

// The report, or the output of the netlist that is not as in lock step.
std::variant<EnergyReport, PortMismatch> measured(const Config& config, const EnergyOptions& options,
                                                  const Setup& setup) {
  StatusLine status("energy");
  status.at(fmt::format("{}: co-simulation", config.top));
  const PortChanges changes = recorded_ports(config, options);
  status.at(fmt::format("{}: yosys maps it to cells", config.top));
  const Mapped m = mapped(config, setup, options.parts);
  std::vector<RamFunction> of_rams;
  for (const NetlistRam& ram : m.netlist.rams) of_rams.push_back(m.functions.at(ram.module));

  status.at(fmt::format("{}: gates run in step with the co-simulation", config.top));
  GateSimulation simulation(m.netlist, of_rams, setup.clock);
  const PortEnvironment around{&m.libraries[0].cells.at(setup.liberty.cells.inverter), setup.liberty.load_ff};
  const std::vector<std::string> instances = part_instances(setup.unit.top, options.parts);
  EnergyMeter meter(m.netlist, net_loads(m.netlist, around, setup.clock), m.libraries[0].volts,
                    energy_groups(m.netlist, instances, setup.clock, config.top));
  if (const auto found =
          run_window(m.netlist, simulation, changes, setup.clock, options.from, options.window, meter))
    return *found;

  EnergyReport report{.unit = config.top,
                      .library = setup.technology ? setup.technology->name : setup.liberty.origin,
                      .stimulus = stimulus_of(options),
                      .volts = m.libraries[0].volts,
                      .clock_ns = setup.clock_ns,
                      .from = options.from,
                      .window = options.window};
  fill_report(m.netlist, meter, instances, setup.clock, report);
  for (ArrayEnergy& array : report.arrays) array.bits = m.functions.at(array.module).bits;
  fill_accesses(config, setup, changes, meter, report);
  status.at(fmt::format("{}: OpenSTA counts the same window", config.top));
  report.opinion = second_opinion(m.netlist, meter, setup.liberty, setup.clock, setup.clock_ns);
  return report;
}

}  // namespace

void check_energy(const Config& config, const EnergyOptions& options) {
  setup_of(config, options);
  for (const std::string& recording : options.replays)
    unit_kind_of(config).check_replay(config.params, config.top, recording);
  for (const std::string& trace : options.traces)
    if (std::error_code error;
        trace != "-" && !fs::is_fifo(trace, error) && !fs::is_character_file(trace, error))
      golden::open_trace(trace);  // pipes can be read only once
}

std::optional<EnergyReport> energy_report(const Config& config, const EnergyOptions& options) {
  const Setup setup = setup_of(config, options);
  for (const char* tool : {"yosys", "sta"}) find_tool(tool);
  auto result = measured(config, options, setup);
  if (const auto* found = std::get_if<PortMismatch>(&result)) {
    fmt::print(stderr, "l1forge: {}: cycle {}: {} of the netlist is {}, in lock step it was {}\n", config.top,
               found->cycle, found->port, found->netlist, found->expected);
    return {};
  }
  return std::get<EnergyReport>(std::move(result));
}

int energy(const Config& config, const EnergyOptions& options) {
  options.reports.check();
  if (options.svg == "-") throw ConfigError("--svg", "needs a file's name; --json - goes to standard output");
  check_energy(config, options);
  if (!options.svg.empty()) check_pictures();
  const auto report = energy_report(config, options);
  if (!report) return 1;
  const nlohmann::ordered_json json = energy_json(*report);
  options.reports.write(json, json["kinds"]);
  if (!options.svg.empty()) write_file_atomically(options.svg, picture_of({energy_chart(json)}));
  if (!options.reports.to_stdout()) fmt::print("{}", energy_table(*report));
  return 0;
}

}  // namespace gen
