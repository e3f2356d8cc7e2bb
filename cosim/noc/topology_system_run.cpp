#include "cosim/noc/topology_system_run.h"

#include "golden/gpu/system/gap_trace.h"
#include "golden/topology/kinds.h"
#include "golden/topology/replicas.h"

namespace verif {
namespace {

constexpr std::uint64_t loads_a_sample = 1024;
constexpr std::int64_t longest_still = 1'000'000;  // cycles in which no load is taken or answered

}  // namespace

TopologySystemRun::TopologySystemRun(const hw::TopologyParams& params, const std::string& trace,
                                     const CosimOptions& options)
    : params_(params),
      trace_(trace),
      source_(golden::open_instructions(trace)),
      system_(params, options.system->params, *source_, options.system->hit_delay),
      next_sample_(loads_a_sample) {}

std::optional<Mismatch> TopologySystemRun::note(const golden::TopologyOut& shown,
                                                const golden::Topology& topology) {
  system_.move(shown, topology);
  if (system_.loads() >= next_sample_) sample(topology);
  if (const std::uint64_t now =
          system_.loads() + system_.load_time().messages + system_.memory_figures().answers;
      now != answered_)
    answered_ = now, last_progress_ = system_.cycles();
  if (system_.cycles() - last_progress_ <= longest_still) return std::nullopt;
  return Mismatch{.port = "requests that are never answered", .dut = 1};
}

void TopologySystemRun::sample(const golden::Topology& topology) {
  replicas_ += golden::replicas(topology.caches(), topology.distinct_caches(),
                                [&](int n) { return topology.cache(n).resident_lines(); });
  ++samples_;
  next_sample_ += loads_a_sample;
}

DcL1Result TopologySystemRun::finish(const golden::Topology& topology) {
  sample(topology);
  DcL1Result result;
  result.trace = trace_;
  result.cycles = system_.cycles();
  result.caches = system_.seen();
  result.slice_requests = system_.slice_requests();
  result.replicas = replicas_ / static_cast<double>(samples_);
  result.figures = topology.figures();
  result.figures.loads = system_.load_time();
  for (int n = 0; n < topology.caches(); ++n) {
    golden::L1dFigures& cache = result.caches[static_cast<std::size_t>(n)];
    cache.collect(topology.cache(n));
    if (const golden::History* decisions = topology.decisions(n)) cache.histories.push_back(*decisions);
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

SystemReport TopologySystemRun::report() const {
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

}  // namespace verif
