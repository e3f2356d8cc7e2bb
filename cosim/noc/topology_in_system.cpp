#include "cosim/noc/topology_in_system.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cosim/harness/options.h"
#include "cosim/noc/dc_l1_result.h"
#include "cosim/noc/system_report.h"
#include "golden/gpu/system/gap_trace.h"
#include "golden/gpu/system/system_fields.h"
#include "golden/topology/kinds.h"
#include "golden/topology/replicas.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/io/output_file.h"

namespace verif {
namespace {

constexpr std::uint64_t loads_a_sample = 1024;

class Run {
 public:
  Run(const hw::TopologyParams& params, golden::Topology& topology, TopologySystem& system)
      : params_(params), topology_(topology), system_(system) {}

  void run() {
    golden::TopologyIn reset;
    reset.rst = true;
    topology_.outputs(reset);
    topology_.edge(reset);
    while (!system_.done()) {
      const golden::TopologyIn& in = system_.drive();
      system_.move(topology_.outputs(in), topology_);
      topology_.edge(in);
      if (system_.loads() >= next_sample_) sample();
    }
    sample();
  }

  DcL1Result caches() const {
    DcL1Result result;
    result.cycles = system_.cycles();
    result.caches = system_.seen();
    result.slice_requests = system_.slice_requests();
    result.replicas = replicas_ / static_cast<double>(samples_);
    result.figures = topology_.figures();
    result.figures.loads = system_.load_time();
    for (int n = 0; n < topology_.caches(); ++n) {
      golden::L1dFigures& cache = result.caches[static_cast<std::size_t>(n)];
      cache.harvest(topology_.cache(n));
      if (const golden::History* decisions = topology_.decisions(n)) cache.histories.push_back(*decisions);
    }
    for (int c = 0; c < params_.shape.cores; ++c) {
      const golden::Sm::Cycles& cycles = system_.sm(c).cycles();
      result.instructions += system_.sm(c).instructions();
      result.cores.sending += cycles.sending;
      result.cores.refused += cycles.refused;
      result.cores.waiting += cycles.waiting;
      result.cores.empty += cycles.empty;
    }
    return result;
  }

  SystemReport report() const {
    SystemReport report;
    report.memory = system_.memory_figures();
    for (int c = 0; c < params_.shape.cores; ++c) {
      report.warp_instructions += system_.sm(c).warp_instructions();
      report.thread_instructions += system_.sm(c).thread_instructions();
      report.issue_cycles.add(system_.sm(c).issue_cycles());
      report.causes.add(system_.causes()[static_cast<std::size_t>(c)]);
    }
    return report;
  }

 private:
  void sample() {
    replicas_ += golden::replicas(topology_.caches(), topology_.distinct_caches(),
                                  [&](int n) { return topology_.cache(n).resident_lines(); });
    ++samples_;
    next_sample_ += loads_a_sample;
  }

  const hw::TopologyParams& params_;
  golden::Topology& topology_;
  TopologySystem& system_;
  double replicas_ = 0;
  std::uint64_t samples_ = 0, next_sample_ = loads_a_sample;
};

void run_file(const std::string& options_file, const CosimOptions& options, const hw::TopologyParams& params,
              std::unique_ptr<golden::Topology> (*make)(int ratio)) {
  std::ifstream file(options_file);
  const auto json = nlohmann::json::parse(file);
  const golden::SystemParams p = golden::system_of(json.at("system").get<std::vector<int>>());
  const auto source = golden::open_instructions(options.traces.at(0));
  const auto topology = make(network_ratio(p));
  TopologySystem system(params, p, *source, json.at("hit_delay"));
  Run run(params, *topology, system);
  run.run();
  const DcL1Result caches = run.caches();
  write_results({&caches, 1}, options);
  golden::OutputFile out(json.at("system_report").get<std::string>());
  out.write(golden::json_text(json_of(run.report())) + "\n");
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
