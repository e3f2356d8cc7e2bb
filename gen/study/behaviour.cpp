#include "gen/study/behaviour.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "gen/digest.h"
#include "gen/explore/explore.h"
#include "gen/explore/report.h"
#include "gen/system/system_checks.h"
#include "golden/trace/open/open_trace.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// Irregular loads with stores, reuse by all warps, atomics, reuse in a warp.
const std::vector<std::string> short_kernels{"builtin:bfs?scale=9", "builtin:gemm?ni=48,nj=64,nk=32",
                                             "builtin:histo?width=128,height=64,ranges=2",
                                             "builtin:btree?keys=4000,queries=60"};
// Divergent loads that conflict and thrash: of one SM long enough for each phase of IACM, else for all SMs.
const std::string thrashing_one = "builtin:atax?nx=512,ny=256",
                  thrashing_all = "builtin:kmeans?points=2048,features=16";
// Of all cores of a topology in time, which takes a thousand times as long.
const std::vector<std::string> shortest_kernels{"builtin:kmeans?points=1024,features=8",
                                                "builtin:gemm?ni=32,nj=64,nk=16",
                                                "builtin:btree?keys=4000,queries=20"};
constexpr std::size_t beginning = 20'000;  // records of a kernel of the study

bool explores(const Measure& measure) { return measure.kind->command == "explore"; }

ExploreRequest request_of(const Measure& measure, bool topologies) {
  ExploreRequest request;
  request.timed = std::ranges::find(measure.kind->flags, "--timed") != measure.kind->flags.end();
  for (std::size_t i = 0; i + 1 < measure.flags.size(); i += 2) {
    const std::string &flag = measure.flags[i], &value = measure.flags[i + 1];
    if (flag == "--sms") {
      request.sms = std::stoi(value);
      request.sms_given = true;
    } else if (flag == "--scheduler") {
      request.scheduler = value;
      request.scheduler_given = true;
    } else if (flag == "--system") {
      request.system = load_system(value);
    } else if (flag == "--memory") {
      request.memories = {load_config(value)};
    } else if (flag == "--memory-latency") {
      request.below.latency = std::stoi(value);
    } else if (flag == "--memory-bandwidth") {
      request.below.bytes = std::stoi(value);
    } else {
      throw ConfigError(measure.place, fmt::format("{}: is in no short run", flag));
    }
  }
  request.traces = topologies && *request.timed ? shortest_kernels : short_kernels;
  if (!topologies)
    request.traces.push_back(request.sms > 1 || request.system ? thrashing_all : thrashing_one);
  return request;
}

// Of a measure's configurations; caches and topologies do not run side by side.
Json runs_of(const Study& study, const Measure& measure) {
  std::vector<Config> kinds[2];
  for (const StudyPoint& point : study.points)
    if (measure.takes(point.grid)) kinds[is_topology(point.config)].push_back(point.config);
  Json runs = Json::array();
  for (const auto& configs : kinds) {
    if (configs.empty()) continue;
    ExploreRequest request = request_of(measure, is_topology(configs[0]));
    std::string dump;
    Json result = explore_json(explored(configs, request, dump));
    for (Json& run : result["runs"]) runs.push_back(std::move(run));
  }
  return runs;
}

// Adds the numbers below `at` whose names, and those around them, are all among `words`.
void add_figures(const Json& at, const std::set<std::string>& words, Digest& digest, std::size_t& figures) {
  if (at.is_object()) {
    for (const auto& [name, value] : at.items()) {
      if (!words.contains(name)) continue;
      digest.add(name);
      add_figures(value, words, digest, figures);
    }
  } else if (at.is_array()) {
    for (const Json& value : at) add_figures(value, words, digest, figures);
  } else if (at.is_number()) {
    digest.add(at.dump());
    ++figures;
  }
}

void add_beginning(const std::string& kernel, Digest& digest) {
  digest.add(kernel);
  const auto source = golden::open_trace(kernel);
  std::size_t left = beginning;
  for (golden::KernelInfo info; left > 0 && source->next_kernel(info);) {
    digest.add(fmt::format("{} {} {}", info.name, info.ctas(), info.warps_per_cta()));
    for (golden::Record r; left > 0 && source->next(r); --left) {
      digest.add(fmt::format("{} {} {} {} {} {} {} {}", r.cta, r.warp, r.pc, static_cast<int>(r.kind),
                             static_cast<int>(r.space), r.mask, r.bytes_per_lane, r.before));
      for (const std::uint64_t address : r.addresses()) digest.add(std::to_string(address));
    }
  }
}

}  // namespace

std::set<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + ' ') {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

std::string behaviour_of(const Study& study, const std::set<std::string>& words) {
  // Several tables of a study come one after the other.
  static std::map<std::string, Json> known;
  Digest digest;
  std::size_t figures = 0;
  for (const Measure& measure : study.measures) {
    if (!explores(measure)) continue;
    Digest asked;
    asked.add(measure.kind->name);
    for (const std::string& flag : measure.flags) asked.add(flag);
    for (const StudyPoint& point : study.points)
      if (measure.takes(point.grid)) asked.add(point.config.preset + point.config.resolved.dump());
    const auto found = known.find(asked.text());
    const Json& runs = found != known.end() ? found->second : known[asked.text()] = runs_of(study, measure);
    digest.add(measure.name);
    for (const Json& run : runs) add_figures(run, words, digest, figures);
  }
  if (figures == 0) throw ConfigError(study.path, "a table with a file names no figure of its measures");
  for (const StudyInput& input : study.traces)
    if (input.path.starts_with("builtin:")) add_beginning(input.path, digest);
  return digest.text();
}

}  // namespace gen
