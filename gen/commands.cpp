#include "gen/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "gen/area/area.h"
#include "gen/area/fpga.h"
#include "gen/bench.h"
#include "gen/call.h"
#include "gen/call_paths.h"
#include "gen/catalogue_commands.h"
#include "gen/claims/claims_command.h"
#include "gen/command_flags.h"
#include "gen/config/config.h"
#include "gen/config/manifest_source.h"
#include "gen/config/shown.h"
#include "gen/config/suggest.h"
#include "gen/datasheet/datasheet_command.h"
#include "gen/energy/energy_command.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/layout/layout_command.h"
#include "gen/shell_line.h"
#include "gen/simulation_commands.h"
#include "gen/site/site_command.h"
#include "gen/study/study_command.h"
#include "gen/tech/technology.h"
#include "gen/trace.h"
#include "gen/verify/verify_command.h"
#include "gen/version.h"
#include "golden/trace/trace_side.h"

namespace gen {
namespace {

// Writing this text there would change nothing.
bool holds(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && read_file(file) == text;
}

void add_gen(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("gen", "write a unit's Verilog, filelist and manifest");
  struct Flags {
    std::vector<std::string> names, settings;
    std::string out, flow, prefix, ram = "behavioural", tech;
    bool all = false, bench = false, bender = false, force = false;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option(
      "units", f->names,
      "presets (see `l1forge list`), TOML files, or manifests TOP.json, which regenerate their unit; several "
      "units share modules in one folder");
  add_settings(*sub, f->settings, "set a key of every unit: -s index.sets=64");
  sub->add_option("-o,--out", f->out, "output folder; default: ./TOP")->type_name("DIR");
  sub->add_option("--prefix", f->prefix, "prefix of part names; the top and RAM wrappers keep theirs")
      ->type_name("NAME_");
  sub->add_option("--flow", f->flow, "write the files of a place-and-route flow")
      ->check(CLI::IsMember({"orfs"}));
  sub->add_option("--ram", f->ram, "bodies of the RAM wrappers; blackbox: none, for macros of their names")
      ->check(CLI::IsMember({"behavioural", "blackbox"}));
  sub->add_option("--tech", f->tech, "technology (TOML): RAM wrappers instantiate its macros")
      ->type_name("FILE")
      ->check(path());
  sub->add_flag("--bench", f->bench,
                "write a self-checking Verilog testbench of a cache or topology, TOP_bench.vt");
  sub->add_flag("--bender", f->bender, "write a Bender.yml");
  sub->add_flag("--force", f->force, "replace also files that were edited since l1forge wrote them");
  sub->add_flag("--all", f->all, "generate every preset, each in its own folder below -o");
  sub->footer("Example: l1forge gen l1d -s index.kind=pli -s geometry.ways=8 -o out");
  sub->callback([=, &status] {
    if (f->names.empty() != f->all) throw ConfigError("gen", "takes units, or --all");
    if (f->names.size() > 1 && f->out.empty()) throw ConfigError("gen", "needs -o DIR for several units");
    if (sub->count("--out") && f->out.empty()) throw ConfigError("gen -o", "names no folder");
    if (f->all && f->out.empty()) throw ConfigError("gen --all", "needs -o DIR");
    GenerateOptions options{.orfs = f->flow == "orfs",
                            .bench = f->bench,
                            .bender = f->bender,
                            .black_boxes = f->ram == "blackbox",
                            .prefix = f->prefix};
    if (!f->tech.empty()) options.technology = read_technology(f->tech);
    for (const std::string& name : f->names) {
      if (!is_manifest(name)) continue;
      const Manifest manifest = read_manifest(name);
      if (!manifest.technology.empty() && !options.technology)
        throw ConfigError(name,
                          fmt::format("its wrappers instantiate macros of {}: name the technology's file "
                                      "with --tech",
                                      manifest.technology));
      if (options.prefix.empty()) options.prefix = manifest.prefix;
      options.orfs |= manifest.orfs;
      options.black_boxes |= manifest.black_boxes;
      options.bench |= manifest.bench;
      options.bender |= manifest.bender;
    }
    if (options.technology && options.black_boxes)
      throw ConfigError("gen",
                        "--tech gives RAM wrappers a body, --ram blackbox none: leave one of them out");
    const auto write = [&](const std::vector<Config>& configs, const std::filesystem::path& folder) {
      const FileSet files = generated_files(configs, options);
      CallPaths paths;
      paths.reads("the unit's file", f->names);
      if (options.technology) paths.reads("--tech", options.technology->files());
      for (const auto& [file, text] : files)
        if (!holds(folder / file, text)) paths.makes("-o", (folder / file).string());
      paths.check();
      write_folder(folder, files, f->force);
      for (const Config& config : configs) fmt::print("{}\n", (folder / (config.top + ".f")).string());
      if (configs.size() > 1) fmt::print("{}\n", (folder / "units.vc").string());
    };
    if (f->all) {
      for (const auto& preset : preset_names())
        write({load_shown(preset)}, std::filesystem::path(f->out) / preset);
    } else {
      const std::vector<Config> configs = load_all(f->names, f->settings);
      write(configs, f->out.empty() ? configs[0].top : f->out);
    }
    status = 0;
  });
}

void add_area(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("area", "report gates, area and longest path by yosys and OpenSTA");
  struct Flags : UnitFlags, AreaOptions {};
  auto f = std::make_shared<Flags>();
  f->UnitFlags::add(*sub);
  const auto files = [](CLI::Option* option) {
    return option->type_name("FILE")->check(path())->expected(1)->allow_extra_args(false)->take_all();
  };
  auto* liberty = files(sub->add_option("--liberty", f->liberty,
                                        "standard-cell library, plain or .gz, of one or more files; default: "
                                        "Debian's osu018"));
  auto* fpga = sub->add_option("--fpga", f->fpga, "count an FPGA's cells instead: xilinx7, ecp5 or ice40")
                   ->type_name("FAMILY")
                   ->check(CLI::IsMember(fpga_families()))
                   ->excludes(liberty);
  auto* tech = sub->add_option("--tech", f->tech, "technology: cells, RAM macros and their fallback (TOML)")
                   ->type_name("FILE")
                   ->check(path())
                   ->excludes(liberty)
                   ->excludes(fpga);
  sub->add_option("--clock-ns", f->clock_ns, "target clock period, against which slack is reported")
      ->type_name("NS")
      ->check(clock_period());
  sub->add_flag("--place", f->place,
                "also run nextpnr, for the clock after placement and routing: ecp5 or ice40")
      ->needs(fpga);
  sub->add_option("--orders", f->orders,
                  "number of netlist shuffles, or of seeds of --place; reports median and range")
      ->type_name("N")
      ->check(order_count());
  sub->add_option("--parts", f->parts, "report instances apart down to this depth; 1 for a unit with RAMs")
      ->type_name("DEPTH")
      ->check(whole_number(0, 100));
  sub->add_flag("--alone", f->alone, "skip baseline designs and parts, in a third of the time or less");
  sub->add_option("--ram-ns", f->ram_ns, "delay from the clock to the outputs of RAMs; default: 0")
      ->type_name("NS")
      ->check(nanoseconds("delay", 0))
      ->excludes(tech);
  files(sub->add_option("--macro", f->macros,
                        "Liberty file with cells named after RAM wrappers, for their area"))
      ->excludes(tech);
  sub->add_flag("--thesis", f->thesis,
                "compare the DC-L1 thesis' networks with its baseline, 80 cores and 32 slices; for dc_l1");
  add_reports(*sub, f->reports);
  sub->add_option("--svg", f->svg, "draw the report as bars")->type_name("FILE")->check(path());
  for (const char* other : {"--clock-ns", "--parts", "--ram-ns", "--macro", "--thesis", "--svg"})
    fpga->excludes(sub->get_option(other));
  sub->footer("Example: l1forge area index_pri --orders 5 --svg area.svg");
  sub->callback([=, &status] {
    CallPaths()
        .reads("the unit's file", f->name)
        .reads("--liberty", f->liberty)
        .reads("--tech", f->tech.empty() ? std::vector<std::string>{} : read_technology(f->tech).files())
        .reads("--macro", f->macros)
        .writes("--json", f->reports.json)
        .writes("--csv", f->reports.csv)
        .writes("--svg", f->svg)
        .check();
    status = area(f->load(f->reports.to_stdout()), *f);
  });
}

void add_trace(CLI::App& app, const Origin& origin, int& status) {
  auto* sub = app.add_subcommand("trace", "summarise, profile or convert memory traces");
  auto f = std::make_shared<TraceOptions>();
  sub->add_option("files", f->files,
                  ".rec, Accel-Sim .traceg, kernelslist.g or its folder, request lists, plain or .xz; "
                  "builtin:NAME; FILE?accesses=N is a trace slice; - is standard input");
  sub->add_option("--json", f->json, "write the summaries as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  sub->add_option("-o,--out", f->converted,
                  "convert to this file: .rec, Accel-Sim's .traceg, or a request list .req or .txt; "
                  "a further .xz compresses it")
      ->type_name("FILE")
      ->check(path());
  sub->add_option("--ctas", f->cut.ctas, "keep only the first N CTAs of each launch")
      ->type_name("N")
      ->check(whole_number(1, 4'294'967'295));
  sub->add_option("--accesses", f->cut.accesses, "keep only the first N accesses of each warp")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000'000));
  sub->add_flag("--list", f->list, "list the built-in kernels: programs, papers that use them, sizes");
  sub->add_flag("--profile", f->profile,
                "show how loads use L1 caches: coalescing, reuse, sharing, working set");
  sub->add_option("--html", f->html, "write the profile as a page with pictures")
      ->type_name("FILE")
      ->check(path());
  sub->add_option("--sms", f->sms, "SMs of the profile; default: 16")
      ->type_name("N")
      ->check(whole_number(1, 128));
  sub->add_option("--line-bytes", f->line_bytes, "bytes of a line of coalesced requests")
      ->capture_default_str();
  sub->add_option("--chunk-bytes", f->chunk_bytes, "bytes of a sector of coalesced requests")
      ->capture_default_str();
  sub->footer("Example: l1forge trace builtin:kmeans --profile --html kmeans.html");
  sub->callback([=, &status] {
    CallPaths paths;
    paths.reads_traces("trace", f->files)
        .writes("--json", f->json)
        .writes("--html", f->html)
        .writes("-o", f->converted);
    if (f->converted.ends_with(".rec") || f->converted.ends_with(".rec.xz"))
      paths.writes("-o", golden::side_file_name(f->converted));
    paths.check();
    status = trace(*f, origin);
  });
}

void add_bench(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("bench", "measure the speed of generation, golden models and co-simulation");
  auto f = std::make_shared<BenchOptions>();
  sub->add_option("units", f->units, "presets, TOML files or systems; default: all, topologies small");
  add_settings(*sub, f->settings, "set a key of every named unit: -s geometry.ways=8");
  sub->add_option("--beside", f->beside, "l1forge of another build, measured alternately with this one")
      ->type_name("PROGRAM")
      ->check(path());
  sub->footer("Example: l1forge bench l1d l1d_tsc --beside ../before/build/dev/l1forge");
  add_reports(*sub, f->reports);
  sub->callback([=, &status] {
    CallPaths()
        .reads("a unit's file", f->units)
        .reads("--beside", f->beside)
        .writes("--json", f->reports.json)
        .writes("--csv", f->reports.csv)
        .check();
    status = bench(*f);
  });
}

Call parsed_call(const std::vector<std::string>& words);

void add_commands(CLI::App& app, const Origin& origin, int& status) {
  app.require_subcommand(1);
  app.set_version_flag("--version", origin.version);
  app.footer(
      "Exit status: 0 success, 1 a mismatch or failed check, 2 bad use or input.\n"
      "l1forge COMMAND --help shows what a command takes, with its defaults and an example.");
  add_list(app, status);
  add_describe(app, status);
  add_gen(app, status);
  add_cosim(app, status);
  add_verify(app, origin, status);
  add_explore(app, origin, status);
  add_study(app, origin, status);
  add_claims(app, parsed_call, status);
  add_area(app, status);
  add_energy(app, status);
  add_layout(app, status);
  add_datasheet(app, origin, status);
  add_site(app, origin, status);
  add_trace(app, origin, status);
  add_bench(app, status);
  add_diff(app, status);
  add_import(app, status);
  add_completion(app, status);
}

Call parsed_call(const std::vector<std::string>& words) {
  CLI::App app;
  int status = 2;
  add_commands(app, {}, status);
  struct Parsed {};  // thrown when all is checked and no command has begun
  app.parse_complete_callback([] { throw Parsed(); });
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const Parsed&) {
  } catch (const CLI::ParseError& e) {
    throw ConfigError(words.empty() ? "" : words[0], e.get_exit_code() == 0 ? "asks for help" : e.what());
  }
  const CLI::App* sub = app.get_subcommands().at(0);
  Call call{sub->get_name(), {}};
  for (const CLI::Option* option : sub->get_options())
    if (option->count() > 0)
      call.options.push_back({option->get_single_name(), option->get_positional(), option->results()});
  return call;
}

}  // namespace

int run_command(int argc, char** argv, const std::string& commit) {
  CLI::App app("L1Forge: Verilog-2005 for GPU L1-cache structures, with golden models and area figures",
               "l1forge");
  const std::string version_text =
      fmt::format("l1forge {}{}", version, commit.empty() ? "" : " (" + commit + ")");
  int status = 2;
  add_commands(app, {shell_line(argc, argv), version_text}, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help
    std::vector<std::string> known;
    for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
    if (argc > 1 && argv[1][0] != '-' && std::ranges::find(known, argv[1]) == known.end()) {
      const std::string nearest = nearest_word(argv[1], known);
      throw ConfigError(argv[1],
                        fmt::format("no such command{}; see l1forge --help",
                                    nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest)));
    }
    if (argc > 1 && argv[1][0] == '-')
      throw ConfigError(argv[1], "no such option before a command; see l1forge --help");
    throw ConfigError("command line", fmt::format("{}; see l1forge --help", e.what()));
  }
  return status;
}

}  // namespace gen
