#include "gen/datasheet/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <tuple>

#include "gen/config/json_file.h"
#include "gen/cosim/port_run.h"
#include "gen/datasheet/timing.h"
#include "gen/digest.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/ports.h"
#include "gen/process.h"
#include "gen/shell_line.h"
#include "gen/status_line.h"
#include "gen/study/digests.h"
#include "gen/tech/technology.h"
#include "gen/verify/result_store.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr std::int64_t wave_cycles = 12'000;
constexpr const char* diagram_rules = "diagrams 3";  // another number where timing.cpp chooses otherwise
// Reuse beyond the cache, strides, irregular loads, and shared neighbours.
const Words kernels{"builtin:kmeans?points=1024", "builtin:atax?nx=256,ny=256", "builtin:spmv?side=12",
                    "builtin:nw?n=128"};

// Of its Verilog and its manifest, which has the parameters.
std::string digest_of_unit(const Config& config) {
  Digest digest;
  for (const auto& [name, text] : generated_files(config)) digest.add(text);
  return digest.text();
}

// The unit and its settings as words of a command line.
Words unit_words(const Config& config) {
  Words words{config.source};
  for (const std::string& setting : given_settings(config)) words.insert(words.end(), {"-s", setting});
  return words;
}

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

// The JSON of a command of l1forge, whose standard output nobody reads.
std::string run_l1forge(const Words& words) {
  const TempDir work("datasheet");
  const std::string file = work / "result.json";
  Words argv{std::filesystem::read_symlink("/proc/self/exe").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  argv.insert(argv.end(), {"--json", file});
  const Finished done = run({.argv = argv});
  if (std::error_code error; done.status > 1 || !std::filesystem::exists(file, error))
    throw ToolError(fmt::format("l1forge {}: {}", line_of(words), log_tail(done.output, 1)));
  return read_file(file);
}

// By what a result depends on, the kept one or else a new one.
template <class Make>
Json kept_or_made(const Words& depends, const Make& make) {
  const ResultStore store;
  Digest digest;
  for (const std::string& part : depends) digest.add(part);
  const std::string key = digest.text() + ".json";
  if (const auto kept = store.find(key)) try {
      return json_from<Json>(*kept, key);
    } catch (const ConfigError&) {
      // A damaged one is made again.
    }
  const std::string text = make();
  store.keep(key, text);
  return json_from<Json>(text, key);
}

Json co_simulated(const Config& config, const Unit& unit) {
  return kept_or_made(
      {"cosim", simulation_digest, diagram_rules, digest_of_unit(config), digest_of_unit(config)}, [&] {
        const PortRun run = run_with_ports(config, {.coverage = false}, wave_cycles);
        return Json{{"report", run.report}, {"diagrams", timing_diagrams(config, unit, PortWave(run.vcd))}}
            .dump();
      });
}

Json ran_kernels(const Config& config) {
  Words command{"explore"};
  for (const std::string& word : unit_words(config)) command.push_back(word);
  command.insert(command.end(), {"--threads", "1", "--trace"});
  command.insert(command.end(), kernels.begin(), kernels.end());
  return kept_or_made({"kernels", exploration_digest, digest_of_unit(config), line_of(kernels)},
                      [&] { return run_l1forge(command); })["runs"];
}

// The conventional cache of the same geometry and MSHRs; with a geometry of its own where there is none.
Config plain_cache(const Config& config) {
  const Config plain = load_config(std::string(default_preset));
  Words settings;
  for (const auto& [key, value] : config.resolved.items())
    if ((key.starts_with("geometry.") || key.starts_with("mshr.")) && value != plain.resolved[key])
      settings.push_back(fmt::format("{}={}", key, value.dump()));
  try {
    const Config same = load_config(std::string(default_preset), settings);
    elaborate(same);
    return same;
  } catch (const ConfigError&) {
    return plain;
  }
}

Words area_words(const Config& config) {
  Words words{"area"};
  for (const std::string& word : unit_words(config)) words.push_back(word);
  if (!config.params.holds<hw::TopologyParams>()) words.insert(words.end(), {"--alone", "--parts", "1"});
  return words;
}

// With the files that the technology names.
std::string digest_of_technology(const std::string& file) {
  Digest digest;
  digest.add(read_file(file));
  for (const std::string& named : read_technology(file).files()) digest.add(read_file(named));
  return digest.text();
}

// A kernel on a cache; else random stimulus.
Words energy_words(const Config& config) {
  Words words{"energy"};
  for (const std::string& word : unit_words(config)) words.push_back(word);
  if (config.params.holds<hw::L1dParams>())
    words.insert(words.end(), {"--trace", "builtin:kmeans", "--from", "500", "--window", "2000"});
  else
    words.insert(words.end(), {"--window", "500"});
  return words;
}

InTechnology in_technology(const Config& config, const Unit& unit, const std::string& file) {
  InTechnology in;
  in.name = read_technology(file).name;
  if (config.params.holds<hw::TopologyParams>()) return in;
  const std::string text = digest_of_unit(config), technology = digest_of_technology(file);
  const auto run = [&](Words words, const char* what, const char* models) {
    const std::string line = line_of(words);
    words.insert(words.end(), {"--tech", file});
    return std::pair(kept_or_made({what, synthesis_digest, models, text, technology, line},
                                  [&] { return run_l1forge(words); }),
                     "l1forge " + line + " --tech " + shell_word(file));
  };
  Words area = area_words(config);
  area.resize(area.size() - 2);  // parts are those of the gates
  std::tie(in.area, in.area_command) = run(area, "area in a technology", "");
  if (std::ranges::count_if(ports_of(unit.top), &Port::is_clock) == 1)
    std::tie(in.energy, in.energy_command) = run(energy_words(config), "energy", simulation_digest);
  return in;
}

}  // namespace

std::vector<Json> measured_diagrams(const Config& config, const Unit& unit) {
  const StatusLine status("diagrams of " + config.top);
  return co_simulated(config, unit)["diagrams"];
}

std::string call_of(const Config& config) { return line_of(unit_words(config)); }

Measured measured(const Config& config, const Unit& unit, const std::string& technology) {
  StatusLine status("datasheet of " + config.top);
  status.at("co-simulation and synthesis");
  const Words area = area_words(config);
  auto synthesis = std::async(std::launch::async, [&] {
    return kept_or_made({"area", synthesis_digest, digest_of_unit(config), line_of(area)},
                        [&] { return run_l1forge(area); });
  });
  Json run = co_simulated(config, unit);
  Measured all{.cosim = run["report"],
               .diagrams = run["diagrams"],
               .area = {},
               .area_command = "l1forge " + line_of(area)};
  if (config.params.holds<hw::L1dParams>()) {
    all.kernels = ran_kernels(config);
    const Config plain = plain_cache(config);
    all.plain_name = call_of(plain);
    if (plain.params.get<hw::L1dParams>() != config.params.get<hw::L1dParams>())
      all.plain = ran_kernels(plain);
  }
  status.at("synthesis");
  all.area = synthesis.get();
  if (!technology.empty()) {
    status.at("area and energy in the technology");
    all.technology = in_technology(config, unit, technology);
  }
  return all;
}

}  // namespace gen
