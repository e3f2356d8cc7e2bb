#include "cosim/harness/options.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "golden/gpu/system/system_fields.h"

namespace verif {

CosimOptions read_options(int argc, char** argv) {
  if (argc != 2) throw std::runtime_error(fmt::format("usage: {} OPTIONS.json", argv[0]));
  std::ifstream file(argv[1]);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object()) throw std::runtime_error(fmt::format("{}: not an options file", argv[1]));
  CosimOptions o;
  o.top = json.at("top");
  o.random_cycles = json.value("random_cycles", o.random_cycles);
  o.traces = json.value("traces", o.traces);
  o.replays = json.value("replays", o.replays);
  o.scheduler = json.value("scheduler", o.scheduler);
  o.below.latency = json.value("memory_latency", o.below.latency);
  o.below.bytes = json.value("memory_bandwidth", o.below.bytes);
  if (json.contains("system"))
    o.system = {.params = golden::system_of(json["system"].get<std::vector<int>>()),
                .two_nodes = json.value("two_nodes", false),
                .hit_delay = json.at("hit_delay"),
                .shown_sm = json.value("shown_sm", 0)};
  o.seed = json.value("seed", o.seed);
  o.vcd = json.value("vcd", o.vcd);
  o.fst = json.value("fst", o.fst);
  o.most_cycles = json.value("most_cycles", o.most_cycles);
  o.vcd_first = json.value("vcd_first", o.vcd_first);
  o.vcd_last = json.value("vcd_last", o.vcd_last);
  o.verilog_coverage = json.value("verilog_coverage", o.verilog_coverage);
  o.report = json.value("report", o.report);
  o.kept_input = json.value("kept_input", o.kept_input);
  o.coverage = json.value("coverage", o.coverage);
  o.random_initial = json.value("random_initial", o.random_initial);
  if (const auto upsets = json.find("upsets_as_with"); upsets != json.end())
    o.upsets_as_with = {.data = static_cast<hw::Protection>((*upsets)[0].get<int>()),
                        .data_bits = (*upsets)[1].get<int>(),
                        .tags = static_cast<hw::Protection>((*upsets)[2].get<int>())};
  o.flop_upsets = json.value("flop_upsets", o.flop_upsets);
  o.progress = json.value("progress", o.progress);
  return o;
}

}  // namespace verif
