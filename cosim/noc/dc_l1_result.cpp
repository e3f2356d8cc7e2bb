#include "cosim/noc/dc_l1_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cosim/harness/history_report.h"
#include "cosim/noc/topology_report.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/io/output_file.h"

namespace verif {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const golden::Sm::Cycles& c) {
  return {{"sending", c.sending}, {"refused", c.refused}, {"waiting", c.waiting}, {"empty", c.empty}};
}

Json to_json(const golden::L1dFigures& cache) {
  Json json;
  for (const auto& [name, counter] : golden::counter_names)
    json["counters"][std::string(name)] = cache.counters.*counter;
  json["set_loads"] = cache.set_loads;
  json["chunks_asked"] = cache.chunks_asked;
  json["stalls"] = cache.stalls;
  for (const golden::History& history : cache.histories) json[history.name] = json_of(history);
  return json;
}

// Of all caches, and of what went past them.
golden::L1dCounters sum_of(const DcL1Result& r) {
  golden::L1dCounters sum = r.figures.direct;
  for (const golden::L1dFigures& cache : r.caches) golden::add_counters(sum, cache.counters);
  return sum;
}

std::uint64_t missed(const golden::L1dCounters& c) { return c.misses + c.partial_misses + c.bypasses; }

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Json to_json(std::span<const DcL1Result> results) {
  Json all = Json::array();
  for (const DcL1Result& r : results) {
    const golden::L1dCounters sum = sum_of(r);
    Json json{{"trace", r.trace},
              {"cycles", r.cycles},
              {"miss_rate", percent(missed(sum), sum.loads) / 100},
              {"instructions", r.instructions},
              {"mean_replicas", r.replicas},
              {"slice_requests", r.slice_requests},
              {"core_cycles", to_json(r.cores)}};
    add_figures(json, r.figures);
    for (const golden::L1dFigures& cache : r.caches) json["caches"].push_back(to_json(cache));
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace

void add_results(CosimReport& report, std::span<const DcL1Result> results, const CosimOptions& options) {
  for (const DcL1Result& r : results) {
    const golden::L1dCounters sum = sum_of(r);
    const std::string name =
        r.trace == options.kept_input ? "standard input" : r.trace.substr(r.trace.rfind('/') + 1);
    report.lines.push_back(
        fmt::format("{}: {} cycles to finish, {} loads, {:.1f} % miss, {:.1f} % hit pending, {:.2f} replicas",
                    name, r.cycles, sum.loads, percent(missed(sum), sum.loads),
                    percent(sum.hit_pending, sum.loads), r.replicas));
    report.lines.push_back(fmt::format("  cores: {} sending, {} refused, {} waiting, {} empty",
                                       r.cores.sending, r.cores.refused, r.cores.waiting, r.cores.empty));
  }
  report.json.emplace_back("traces", golden::json_text(to_json(results)));
}

void write_results(std::span<const DcL1Result> results, const CosimOptions& options) {
  golden::OutputFile file(options.report);
  file.write(golden::json_text(to_json(results)) + "\n");
  file.commit();
}

}  // namespace verif
