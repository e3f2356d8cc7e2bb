#include "gen/cosim/cosim.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include "gen/config/json_file.h"
#include "gen/cosim/port_run.h"
#include "gen/cosim/probe.h"
#include "gen/cosim/quiet_run.h"
#include "gen/cosim/timeline.h"
#include "gen/cosim/user_verilog.h"
#include "gen/delivered.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "gen/shell_line.h"
#include "gen/system/system_checks.h"
#include "gen/unit/unit.h"
#include "gen/unit/unit_kind.h"
#include "golden/gpu/system/gap_trace.h"
#include "golden/gpu/system/system_fields.h"
#include "golden/topology/kinds.h"
#include "golden/trace/open/open_trace.h"
#include "hw/coalescer/l1_subsystem_params.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t window = 1000;  // cycles shown before a mismatch
constexpr std::int64_t long_run = 4'000'000;
constexpr std::uintmax_t long_trace = 1 << 20;  // bytes, compressed as most are

// Whether the run lasts longer than the compiler would for more speed.
bool runs_long(const CosimRequest& request) {
  std::uintmax_t bytes = 0;
  for (const std::string& trace : request.traces)
    if (std::error_code error; fs::is_regular_file(trace, error)) bytes += fs::file_size(trace, error);
  return bytes >= long_trace || request.random_cycles >= long_run;
}

enum class WaveNets { none, ports, all };  // in a program's waveform

ProgramSource program_of(const Config& config, const CosimRequest& request, WaveNets nets, bool inside) {
  const Unit unit = elaborate(config);
  ProgramSource source{.name = config.top,
                       .top = config.top,
                       .large = config.params.holds<hw::TopologyParams>(),
                       .runs_long = runs_long(request),
                       .counts = !request.verilog_coverage.empty()};
  for (auto& [name, text, is_ram] : delivered_verilog(unit.top))
    source.verilog[name + ".v"] = std::move(text);
  take_user_verilog(unit.top, request.verilog, source.verilog);
  if (!request.verilog.empty()) source.lint = false;  // not ours to judge
  std::string registrations;
  const CosimMain main = unit_kind_of(config).cosim(config.params);
  auto shown = main.compares_state ? shown_state(unit.top) : std::vector<ShownValue>{};
  if (!inside) std::erase_if(shown, [](const ShownValue& v) { return !v.is_port; });
  const auto& parts = request.upset_parts.empty() ? main.upsets : request.upset_parts;
  auto upset = parts.empty() || !inside ? std::vector<UpsetRam>{} : rams_below(unit.top, parts);
  if (request.flop_upsets) upset = flops_of(unit.top);
  source.flips_rams = !upset.empty();
  if (nets != WaveNets::none || !shown.empty() || source.flips_rams || has_clock(unit.top)) {
    // A user's file may have other nets.
    const ProbedTop top = probed(unit.top, nets == WaveNets::all && request.verilog.empty(), shown, upset);
    source.name = source.top = top.module;
    source.steps = top.steps;
    source.verilog[top.module + ".v"] = top.verilog;
    if (nets != WaveNets::none)
      for (const Probe& p : top.probes)
        registrations += fmt::format("  waves.{}(\"{}\", \"{}\", {}, &dut.{});\n",
                                     p.is_port() ? "add_port" : "add", p.scope, p.net, p.width, p.port);
  }
  for (const auto& [name, module] : main.beside) {
    for (auto& [file, text, is_ram] : delivered_verilog(module))
      source.verilog[file + ".v"] = std::move(text);
    source.beside[name] = module.name();
  }
  source.main = main_text(main, registrations, state_text(shown, inside, upset));
  return source;
}

nlohmann::ordered_json options_of(const Config& config, const CosimRequest& request) {
  nlohmann::ordered_json options{{"top", config.top},
                                 {"random_cycles", request.random_cycles},
                                 {"traces", request.traces},
                                 {"replays", request.replays},
                                 {"scheduler", request.scheduler},
                                 {"memory_latency", request.below.latency},
                                 {"memory_bandwidth", request.below.bytes},
                                 {"seed", request.seed},
                                 {"coverage", request.coverage},
                                 {"random_initial", request.random_initial},
                                 {"kept_input", request.kept_input},
                                 {"upsets_as_with", numbers_of(request.upsets_as_with)},
                                 {"flop_upsets", request.flop_upsets},
                                 {"progress", isatty(STDERR_FILENO) == 1}};
  if (!request.system) return options;
  const SystemValues& system = request.system->values;
  options["system"] = golden::numbers_of(system);
  options["two_nodes"] = system.memory == SystemMemoryKind::two_nodes;
  options["hit_delay"] =
      hit_delay(config.params.holds<hw::L1dParams>() ? config.get<hw::L1dParams>()
                                                     : golden::cache_params(config.get<hw::TopologyParams>()),
                system);
  return options;
}

// A user's file may lack the nets of the state; then the ports alone are compared.
fs::path program(const Config& config, const CosimRequest& request, WaveNets nets) {
  const CosimMain main = unit_kind_of(config).cosim(config.params);
  if (request.verilog.empty() || (!main.compares_state && main.upsets.empty()))
    return build_program(program_of(config, request, nets, true));
  try {
    return build_program(program_of(config, request, nets, true));
  } catch (const ToolError&) {
    return build_program(program_of(config, request, nets, false));
  }
}

Finished run_program(const fs::path& program, const nlohmann::ordered_json& options, const TempDir& work,
                     bool show) {
  write_file_atomically(work / "options.json", options.dump());
  return run({.argv = {program.string(), (work / "options.json").string()}, .show = show});
}

// What is around a cache and is not as usual, by its flag.
std::vector<std::pair<std::string, std::string>> environment_of(const CosimRequest& request) {
  const auto flags_of = [](const CosimRequest& r) {
    return std::vector<std::pair<std::string, std::string>>{
        {"--scheduler", r.scheduler},
        {"--memory-latency", std::to_string(r.below.latency)},
        {"--memory-bandwidth", std::to_string(r.below.bytes)}};
  };
  const auto usual = flags_of({});
  auto flags = flags_of(request);
  std::erase_if(flags, [&](const auto& flag) { return std::ranges::find(usual, flag) != usual.end(); });
  return flags;
}

std::string rerun_line(const Config& config, const CosimRequest& request) {
  std::string line = fmt::format("l1forge cosim {} --seed {}", shell_word(config.source), request.seed);
  for (const std::string& setting : given_settings(config)) line += " -s " + shell_word(setting);
  for (const auto& [flag, value] : environment_of(request)) line += fmt::format(" {} {}", flag, value);
  if (request.system) line += " --system " + shell_word(request.system->source);
  if (request.sms) line += fmt::format(" --sms {}", *request.sms);
  if (request.random_cycles) line += fmt::format(" --random {}", request.random_cycles);
  for (const auto& [flag, files] : {std::pair{" --verilog", &request.verilog},
                                    {" --trace", &request.traces},
                                    {" --replay", &request.replays}}) {
    if (!files->empty()) line += flag;
    for (const std::string& file : *files) line += " " + shell_word(file);
  }
  return line;
}

// The same run once more, on a model with its inner nets brought out, up to the cycle that went wrong.
void write_mismatch_waves(const Config& config, const CosimRequest& request,
                          const nlohmann::ordered_json& found, const TempDir& work) {
  const std::int64_t cycle = found["cycle"];
  auto options = options_of(config, request);
  if (found.contains("sm")) options["shown_sm"] = found["sm"];
  options["vcd"] = fs::absolute(config.top + "_mismatch.vcd").string();
  options["vcd_first"] = std::max<std::int64_t>(0, cycle - window);
  options["vcd_last"] = cycle;
  const Finished traced = run_program(program(config, request, WaveNets::all), options, work, false);
  if (traced.status > 1)
    throw ToolError(
        fmt::format("{}: the run for the waveform failed: {}", config.top, log_tail(traced.output)));
  fmt::print("  waveform: gtkwave {0}_mismatch.gtkw   (both sides, {0}_mismatch.vcd)\n", config.top);
}

// The decision stands whether or not its picture can be drawn.
void try_mismatch_waves(const Config& config, const CosimRequest& request,
                        const nlohmann::ordered_json& found, const TempDir& work) try {
  write_mismatch_waves(config, request, found, work);
} catch (const std::exception& e) {
  fmt::print("  no waveform: {}\n", e.what());
}

// A waveform is two files, NAME.vcd or NAME.fst and NAME.gtkw.
void check_waves(const CosimRequest& request) {
  for (const auto& [flag, name] : {std::pair{std::string("--vcd"), request.vcd}, {"--fst", request.fst}}) {
    if (name.empty()) continue;
    const fs::path file = name, save = fs::path(file).replace_extension(".gtkw");
    if (name == "-") throw ConfigError(flag, "a waveform is two files and cannot go to standard output");
    if (save == file)
      throw ConfigError(fmt::format("{} {}", flag, name),
                        fmt::format("is the name of the save file beside it; use .{}", flag.substr(2)));
    check_writable(file);
    check_writable(save);
  }
}

// Standard input can be read once only, but a mismatch runs a trace again: it is kept aside.
CosimRequest with_kept_input(CosimRequest request, const TempDir& work) {
  for (auto* files : {&request.traces, &request.replays})
    for (std::string& file : *files)
      if (file == "-") {
        file = request.kept_input = (work / "standard_input").string();
        golden::OutputFile kept(file);
        std::array<char, 65536> block;
        while (std::cin.read(block.data(), block.size()), std::cin.gcount() > 0)
          kept.write({block.data(), static_cast<std::size_t>(std::cin.gcount())});
        kept.commit();
      }
  return request;
}

// Before minutes are spent on a build: recordings are read, traces begun. Pipes can be read only once.
void check_files(const Config& config, const CosimRequest& request) {
  const auto with_name = [&](const std::string& file, const auto& step) {
    if (std::error_code error; fs::is_fifo(file, error) || fs::is_character_file(file, error)) return;
    try {
      step();
    } catch (const golden::TraceError& e) {
      std::string what = e.what();
      if (file == request.kept_input) what.replace(what.find(file), file.size(), "standard input");
      throw golden::TraceError(what);
    }
  };
  for (const std::string& file : request.replays)
    with_name(file, [&] { unit_kind_of(config).check_replay(config.params, config.top, file); });
  for (const std::string& file : request.traces)
    with_name(file, [&] { request.system ? golden::open_instructions(file) : golden::open_trace(file); });
}

// SMs and a memory are around caches alone, and around what has lanes in front of one.
void check_environment(const Config& config, const CosimRequest& request) {
  const Params& p = config.params;
  if (p.holds<hw::L1dParams>() || is_topology(config) || is_banked(config)) return;
  if (p.holds<hw::L1SubsystemParams>()) return;
  if (const auto given = environment_of(request); !given.empty())
    throw ConfigError(
        given[0].first,
        fmt::format("{} is no cache, and runs without an SM and a memory; leave it out", config.top));
}

// The Verilog of a topology has its own networks, which are to move as the system's do.
void check_networks(const Config& config, const SystemConfig& system) {
  const auto& p = config.get<hw::TopologyParams>();
  const SystemValues& v = system.values;
  const golden::NetworkPlans networks = golden::kind_of(p.shape).networks(p);
  with_places(config, [&] {
    hw::require(!golden::has_fast_clock(p), "topology.boost", true,
                "has a clock beside the core's, and in a system networks move in some of its cycles",
                "leave it out, or set noc.clock_ratio to 2 or 4");
  });
  const int ratio = v.core_clock / v.network_clock, own = networks.plans[networks.count - 1].cycles;
  if (own != ratio)
    throw ConfigError(system.source,
                      fmt::format("system.network_clock = {}: the networks of {} move in one of {} core "
                                  "cycles; use {}, or {}.clock_ratio = {}",
                                  v.network_clock, config.source, own, v.core_clock / own,
                                  hw::kind_of(p.shape.kind).meshed ? "mesh" : "noc", ratio));
}

// A system that this unit's Verilog runs in, and its keys behind the flags.
void settle_system(const Config& config, CosimRequest& request) {
  if (!request.system) return;
  if (!config.params.holds<hw::L1dParams>() && !is_topology(config))
    throw ConfigError("--system", fmt::format("{} is no cache, such as l1d, and no topology", config.top));
  SystemConfig& system = *request.system;
  if (request.sms) system.values.sms = *request.sms;
  if (request.scheduler_given) system.values.scheduler = golden::scheduler_named(request.scheduler);
  const int sms = system.values.sms;
  check_in_system(config, system, sms);
  if (!request.svg.empty())
    throw ConfigError("--svg", "draws one cache by itself, and --system has one at each SM; leave it out");
  if (is_topology(config)) {
    check_undriven(config);
    return check_networks(config, system);
  }
  check_followers(config, sms, system);
  const auto& p = config.get<hw::L1dParams>();
  with_places(config, [&] {
    hw::require(p.protocol == hw::MemoryProtocol::native, "memory.protocol", "axi4",
                "is not what a system has below its L1s", "use \"native\"");
    hw::require(sms == 1 || p.mode.kind != hw::ModeKind::dueling, "mode.kind", "dueling",
                "makes the caches of several SMs differ, and one Verilog is all of theirs", "use --sms 1");
    hw::require(sms == 1 || !hw::has_own_unit(p.bypass), "bypass.kind", policy_name(p),
                "makes the caches of several SMs differ, and one Verilog is all of theirs", "use --sms 1");
  });
}

// Runs the program in its folder and reads its report.
nlohmann::ordered_json report_of(const fs::path& program, nlohmann::ordered_json options, const TempDir& work,
                                 const Config& config) {
  options["report"] = (work / "report.json").string();
  const Finished done = run_program(program, options, work, false);
  if (done.status > 1 || !fs::exists(work / "report.json"))
    throw ToolError(fmt::format("{}: the co-simulation failed: {}", config.top, log_tail(done.output)));
  return nlohmann::ordered_json::parse(read_file(work / "report.json"));
}

}  // namespace

ProgramSource cosim_program(const Config& config) { return program_of(config, {}, WaveNets::none, true); }

int cosim(const Config& config, const CosimRequest& given) {
  const TempDir work("cosim");
  CosimRequest request = with_kept_input(given, work);
  check_environment(config, request);
  settle_system(config, request);
  check_files(config, request);
  if (request.json != "-") check_writable(request.json);
  if (!request.verilog_coverage.empty()) check_writable(request.verilog_coverage);
  check_timeline(config, request);
  check_waves(request);
  auto options = options_of(config, request);
  options["report"] = (work / "report.json").string();
  if (!request.vcd.empty()) options["vcd"] = fs::absolute(request.vcd).string();
  if (!request.fst.empty()) options["fst"] = fs::absolute(request.fst).string();
  if (!request.verilog_coverage.empty()) options["verilog_coverage"] = (work / "coverage.dat").string();
  check_names(options);
  const bool waves = !request.vcd.empty() || !request.fst.empty();
  const fs::path built = program(config, request, waves ? WaveNets::all : WaveNets::none);
  const bool quiet = request.json == "-";
  const Finished done = run_program(built, options, work, !quiet);
  if (done.status > 1 || done.status < 0) {
    if (quiet) std::cerr << done.output;
    if (done.status >= 128)
      throw ToolError(
          fmt::format("{}: the co-simulation was killed by signal {}", config.top, done.status - 128));
    return 2;
  }
  if (!fs::exists(work / "report.json")) {
    fmt::print(stderr, "l1forge: {}: FAILED, the Verilog ended the simulation ($finish or $stop)\n",
               config.top);
    return 1;
  }
  const std::string text = read_file(work / "report.json");
  if (quiet)
    std::cout << text;
  else if (!request.json.empty())
    write_file_atomically(request.json, text);
  if (!request.verilog_coverage.empty())
    write_file_atomically(request.verilog_coverage, read_file(work / "coverage.dat"));
  const auto report = nlohmann::ordered_json::parse(text);
  if (!request.svg.empty() && report["mismatches"].empty())
    write_file_atomically(request.svg, timeline_svg(config.source, report));
  if (!report["mismatches"].empty()) {
    if (!quiet) fmt::print("  rerun: {}\n", rerun_line(config, given));
    if (!waves && !quiet) try_mismatch_waves(config, request, report["mismatches"][0], work);
  }
  return done.status;
}

std::vector<std::string> given_settings(const Config& config) {
  std::vector<std::string> settings;  // a list has several positions
  for (const auto& [key, place] : config.places)
    if (place.starts_with("-s ") && std::ranges::find(settings, place.substr(3)) == settings.end())
      settings.push_back(place.substr(3));
  return settings;
}

PortRun run_with_ports(const Config& config, const CosimRequest& request, std::int64_t cycles) {
  const TempDir work("ports");
  auto options = options_of(config, request);
  options["vcd"] = (work / "ports.vcd").string();
  options["vcd_last"] = cycles - 1;
  options["most_cycles"] = cycles + 1;
  options["progress"] = false;
  const auto report = report_of(program(config, request, WaveNets::ports), options, work, config);
  return {report, read_file(work / "ports.vcd")};
}

nlohmann::ordered_json quiet_run(const Config& config, const CosimRequest& request) {
  const TempDir work("quiet");
  return report_of(program(config, request, WaveNets::none), options_of(config, request), work, config);
}

void build_for_speed(const Config& config) { program(config, {.random_cycles = long_run}, WaveNets::none); }

CosimSpeed cosim_speed(const Config& config, double seconds) {
  constexpr double trial = 2'000, most = 500'000;  // of more cycles a program takes no time
  const TempDir work("speed");
  const fs::path built = program(config, {.random_cycles = long_run}, WaveNets::none);
  const auto speed = [&](double cycles) -> CosimSpeed {
    const CosimRequest request{.random_cycles = static_cast<std::int64_t>(cycles)};
    const auto report = report_of(built, options_of(config, request), work, config);
    if (!report["mismatches"].empty())
      throw ToolError(fmt::format("{}: the co-simulation found a mismatch; see l1forge cosim", config.top));
    return {report["golden_cycles_per_second"], report["cosim_cycles_per_second"],
            report["bare_cycles_per_second"]};
  };
  const CosimSpeed first = speed(trial);
  return speed(std::clamp(seconds / (1 / first.golden + 1 / first.cosim + 1 / first.bare), trial, most));
}

}  // namespace gen
