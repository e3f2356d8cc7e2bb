#include "gen/simulation_commands.h"

#include <filesystem>
#include <memory>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/cosim/cosim.h"
#include "gen/explore/explore.h"

namespace gen {
namespace {

// What stands around a cache while a trace runs.
std::vector<CLI::Option*> add_environment(CLI::App& sub, std::string& scheduler, golden::Below& below) {
  return {sub.add_option("--scheduler", scheduler, "warp scheduler of each SM")
              ->check(scheduler_name())
              ->capture_default_str(),
          sub.add_option("--memory-latency", below.latency,
                         "latency of the memory below, from its last moved byte to the response")
              ->type_name("CYCLES")
              ->check(memory_latency())
              ->capture_default_str(),
          sub.add_option("--memory-bandwidth", below.bytes, "bandwidth of the memory below, in bytes a cycle")
              ->type_name("BYTES")
              ->check(memory_bandwidth())
              ->capture_default_str()};
}

// A system's keys say how fast its L2 and DRAM are.
void refuse_memory_of(const std::vector<CLI::Option*>& environment) {
  for (const CLI::Option* below : {environment[1], environment[2]})
    if (below->count())
      throw ConfigError(below->get_name(), "is not of a system, whose keys say how fast its L2 and DRAM are");
}

}  // namespace

void add_cosim(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("cosim", "run a unit's Verilog in lock step with its golden model");
  struct Flags : UnitFlags, CosimRequest {
    std::string system_name;
    int sm_number = 0;
  };
  auto f = std::make_shared<Flags>();
  f->coverage = false;
  f->UnitFlags::add(*sub);
  auto* random = sub->add_option("--random", f->random_cycles, "number of cycles of random stimulus")
                     ->type_name("CYCLES")
                     ->check(random_cycles());
  auto* trace = sub->add_option("--trace", f->traces,
                                "memory traces to run; FILE?accesses=N is a trace slice; - is standard input")
                    ->type_name("FILE")
                    ->check(path());
  auto* replay = sub->add_option("--replay", f->replays, "recorded traffic to replay on the ports of a cache")
                     ->type_name("FILE")
                     ->check(path());
  const std::vector<CLI::Option*> around = add_environment(*sub, f->scheduler, f->below);
  for (CLI::Option* option : around) option->needs(trace);
  auto* system =
      sub->add_option("--system", f->system_name,
                      "GPU around the cache: a name of list --systems, or a TOML file with [system]")
          ->type_name("NAME|FILE")
          ->needs(trace);
  auto* sms = sub->add_option("--sms", f->sm_number, "number of SMs of the system, each with the Verilog")
                  ->type_name("N")
                  ->check(sm_count())
                  ->needs(system);
  random->excludes(trace)->excludes(replay);
  trace->excludes(replay);
  sub->add_option("--verilog", f->verilog, "Verilog files that replace the generated files of equal name")
      ->type_name("FILE")
      ->check(path());
  sub->add_flag("--coverage", f->coverage, "exit with 1 if a coverage goal is missed");
  sub->add_option("--seed", f->seed, "seed of the random stimulus")
      ->check(seed_number())
      ->capture_default_str();
  sub->add_option("--verilog-coverage", f->verilog_coverage,
                  "write how often each line and net of the Verilog was reached, as Verilator's counts")
      ->type_name("FILE")
      ->check(path());
  auto* vcd = sub->add_option("--vcd", f->vcd, "write waveforms of both sides and the whole run as VCD")
                  ->type_name("FILE")
                  ->check(path());
  sub->add_option("--fst", f->fst, "write the same waveforms as FST, a tenth as large")
      ->type_name("FILE")
      ->check(path())
      ->excludes(vcd);
  sub->add_option("--json", f->json, "write the result as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  sub->add_option("--svg", f->svg, "draw the misses over the run of the traces, and monitors' decisions")
      ->type_name("FILE")
      ->check(path());
  sub->footer("Example: l1forge cosim l1d_tsc --random 1000000 --seed 7");
  sub->callback([=, &status] {
    CallPaths paths;
    paths.reads("the unit's file", f->name)
        .reads_traces("--trace", f->traces)
        .reads("--replay", f->replays)
        .reads("--system", f->system_name)
        .reads("--verilog", f->verilog)
        .writes("--json", f->json)
        .writes("--svg", f->svg)
        .writes("--verilog-coverage", f->verilog_coverage)
        .writes("--vcd", f->vcd)
        .writes("--fst", f->fst);
    for (const auto& [flag, name] : {std::pair{"--vcd", f->vcd}, {"--fst", f->fst}}) {
      const auto save = std::filesystem::path(name).replace_extension(".gtkw").string();
      if (!name.empty() && save != name) paths.writes(flag, save);
    }
    paths.check();
    if (*system) {
      f->system = load_system(f->system_name);
      refuse_memory_of(around);
    }
    if (*sms) f->sms = f->sm_number;
    f->scheduler_given = around[0]->count() > 0;
    status = cosim(f->load(f->json == "-"), *f);
  });
}

void add_explore(CLI::App& app, const Origin& origin, int& status) {
  auto* sub = app.add_subcommand(
      "explore",
      "compare caches, or topologies of caches, on memory traces or a request list, with golden models");
  struct Flags : ExploreRequest {
    std::vector<std::string> names, settings, memory_names;
    std::string system_name;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("units", f->names, "presets or TOML files of caches or topologies")->required();
  add_settings(*sub, f->settings, "set a key of every unit: -s tags.replacement=nru");
  auto* trace =
      sub->add_option(
             "--trace", f->traces,
             "memory traces or built-in kernels; FILE?accesses=N is a trace slice; - is standard input")
          ->type_name("FILE")
          ->check(path());
  auto* requests =
      sub->add_option("--requests", f->requests, "coalesced requests, one a line; - is standard input")
          ->type_name("FILE")
          ->check(path());
  trace->excludes(requests);
  sub->add_option("--dump", f->dump,
                  "write one character per request, or one line for topologies; - is standard output")
      ->type_name("FILE")
      ->check(path());
  auto* timed = sub->add_flag_callback(
      "--timed", [f] { f->timed = true; },
      "run cycle by cycle with a memory below, with cycles, stalls and reservation fails; default for single "
      "caches on traces");
  sub->add_flag_callback(
         "--untimed", [f] { f->timed = false; },
         "run fast with immediate fills; default for topologies, and the only mode of request lists")
      ->excludes(timed);
  auto* sms =
      sub->add_option("--sms", f->sms, "number of SMs, each with a cache")->type_name("N")->check(sm_count());
  sub->add_option("--memory", f->memory_names,
                  "memories of two nodes below the caches, one run each: blpp, or TOML files of it")
      ->type_name("NAME|FILE");
  auto* system =
      sub->add_option("--system", f->system_name,
                      "GPU around the caches: a name of list --systems, or a TOML file with [system]")
          ->type_name("NAME|FILE");
  const std::vector<CLI::Option*> around = add_environment(*sub, f->scheduler, f->below);
  sub->add_option("--threads", f->threads, "number of parallel runs; default: one per core")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  add_reports(*sub, f->reports);
  sub->add_option("--html", f->html, "write a page with charts, or an SVG picture if the name ends in .svg")
      ->type_name("FILE")
      ->check(path());
  sub->footer("Example: l1forge explore l1d l1d_tsc --trace builtin:kmeans --html report.html");
  sub->callback([=, &status] {
    CallPaths()
        .reads("a unit's file", f->names)
        .reads("--memory", f->memory_names)
        .reads("--system", f->system_name)
        .reads_traces("--trace", f->traces)
        .reads("--requests", f->requests)
        .writes("--json", f->reports.json)
        .writes("--csv", f->reports.csv)
        .writes("--html", f->html)
        .writes("--dump", f->dump)
        .check();
    std::vector<Config> configs;
    for (const auto& name : f->names) configs.push_back(load_config(name, f->settings));
    for (const auto& name : f->memory_names) f->memories.push_back(load_config(name));
    if (*system) f->system = load_system(f->system_name);
    f->sms_given = sms->count() > 0;
    f->scheduler_given = around[0]->count() > 0;
    if (*system) refuse_memory_of(around);
    f->origin = origin;
    status = explore(configs, *f);
  });
}

}  // namespace gen
