#include "gen/study/measure.h"

#include <algorithm>
#include <array>

#include "gen/command_flags.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

template <CLI::Validator (*validator)()>
std::string fault(std::string value) {
  return validator()(value);
}

const std::array<MeasureKind, 8> kinds{{
    {.name = "untimed",
     .command = "explore",
     .flags = {"--untimed", "--threads", "1"},
     .input_flag = "--trace",
     .inputs = MeasureInputs::traces,
     .keys = {{"sms", "--sms", fault<sm_count>}, {"scheduler", "--scheduler", fault<scheduler_name>}},
     .rows = "runs",
     .shown = {"miss_rate", "traffic.bytes_down"}},
    {.name = "timed",
     .command = "explore",
     .flags = {"--timed", "--threads", "1"},
     .input_flag = "--trace",
     .inputs = MeasureInputs::traces,
     .keys = {{"sms", "--sms", fault<sm_count>},
              {"scheduler", "--scheduler", fault<scheduler_name>},
              {"system", "--system", fault<path>},
              {"memory", "--memory", fault<path>},
              {"memory_latency", "--memory-latency", fault<memory_latency>},
              {"memory_bandwidth", "--memory-bandwidth", fault<memory_bandwidth>}},
     .rows = "runs",
     .shown = {"cycles", "miss_rate"}},
    {.name = "cosim",
     .command = "cosim",
     .input_flag = "--trace",
     .inputs = MeasureInputs::traces,
     .keys = {{"scheduler", "--scheduler", fault<scheduler_name>},
              {"memory_latency", "--memory-latency", fault<memory_latency>},
              {"memory_bandwidth", "--memory-bandwidth", fault<memory_bandwidth>}},
     .rows = "traces",
     .shown = {"cycles", "miss_rate"},
     .program = &simulation_digest,
     .verilog = true},
    {.name = "random",
     .command = "cosim",
     .keys = {{"cycles", "--random", fault<random_cycles>}, {"seed", "--seed", fault<seed_number>}},
     .shown = {"cycles"},
     .program = &simulation_digest,
     .verilog = true},
    {.name = "replay",
     .command = "cosim",
     .input_flag = "--replay",
     .inputs = MeasureInputs::recordings,
     .rows = "replays",
     .shown = {"cycles", "cycles_with_back_pressure", "hit_rate"},
     .program = &simulation_digest,
     .verilog = true},
    {.name = "area",
     .command = "area",
     .flags = {"--alone"},
     .keys = {{"liberty", "--liberty", fault<path>},
              {"tech", "--tech", fault<path>},
              {"clock_ns", "--clock-ns", fault<clock_period>},
              {"orders", "--orders", fault<order_count>}},
     .rows = "units",
     .shown = {"gate_equivalents.median", "longest_path_ns.median"},
     .whole = {"logic_um2", "macro_um2", "total_um2"},
     .program = &synthesis_digest,
     .parameters = false,
     .verilog = true},
    {.name = "networks",
     .command = "area",
     .flags = {"--thesis"},
     .keys = {{"liberty", "--liberty", fault<path>}, {"tech", "--tech", fault<path>}},
     .shown = {"baseline_gate_equivalents.sum"},
     .program = &networks_digest,
     .verilog = true},
    {.name = "energy",
     .command = "energy",
     .keys = {{"trace", "--trace", fault<path>},
              {"seed", "--seed", fault<seed_number>},
              {"from", "--from", fault<cycles_before>},
              {"window", "--window", fault<window_cycles>},
              {"liberty", "--liberty", fault<path>},
              {"tech", "--tech", fault<path>},
              {"clock_ns", "--clock-ns", fault<clock_period>}},
     .shown = {"pj.cycle", "mw"},
     .program = &energy_digest,
     .verilog = true},
}};

}  // namespace

Json without_lists(const Json& row) {
  Json kept = Json::object();
  for (const auto& [key, value] : row.items()) {
    if (value.is_object() && key != "cells") kept[key] = without_lists(value);
    if (value.is_primitive()) kept[key] = value;
  }
  return kept;
}

std::span<const MeasureKind> measure_kinds() { return kinds; }

bool Measure::takes(const std::string& grid) const {
  return grids.empty() || std::ranges::find(grids, grid) != grids.end();
}

std::vector<Json> rows_of(const MeasureKind& kind, const Json& result) {
  if (kind.rows.empty()) return {result};
  std::vector<Json> rows(result.at(kind.rows).begin(), result.at(kind.rows).end());
  for (const std::string& figure : kind.whole)
    if (result.contains(figure))
      for (Json& row : rows) row[figure] = result[figure];
  return rows;
}

std::optional<double> figure_of(const Json& row, const std::string& name) {
  const Json* at = &row;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    const auto found = at->find(name.substr(from, dot - from));
    if (found == at->end()) return std::nullopt;
    at = &*found;
    from = dot + 1;
  }
  return at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

}  // namespace gen
