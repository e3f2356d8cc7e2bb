#include "cosim/noc/topology_in_system.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cosim/harness/options.h"
#include "cosim/noc/topology_system_run.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/io/output_file.h"

namespace verif {
namespace {

// From reset to the end.
void run(TopologySystemRun& around, golden::Topology& topology) {
  golden::TopologyIn reset;
  reset.rst = true;
  topology.outputs(reset);
  topology.edge(reset);
  while (!around.over()) {
    const golden::TopologyIn& in = around.drive();
    if (around.note(topology.outputs(in), topology))
      throw std::runtime_error("requests of the topology are never answered");
    topology.edge(in);
  }
}

void run_file(const std::string& options_file, const CosimOptions& options, const hw::TopologyParams& params,
              std::unique_ptr<golden::Topology> (*make)(int ratio)) {
  std::ifstream file(options_file);
  const auto json = nlohmann::json::parse(file);
  const auto topology = make(network_ratio(options.system->params));
  TopologySystemRun around(params, options.traces.at(0), options);
  run(around, *topology);
  const DcL1Result caches = around.finish(*topology);
  write_results({&caches, 1}, options);
  golden::OutputFile out(json.at("system_report").get<std::string>());
  out.write(golden::json_text(json_of(around.report())) + "\n");
  out.commit();
}

}  // namespace

int topology_in_system(int argc, char** argv, const hw::TopologyParams& params,
                       std::unique_ptr<golden::Topology> (*make)(int ratio)) {
  try {
    run_file(argv[1], read_options(argc, argv), params, make);
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "l1forge: {}\n", e.what());
    return 2;
  }
}

}  // namespace verif
