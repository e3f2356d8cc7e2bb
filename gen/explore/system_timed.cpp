// Runs in a system: each configuration on each trace, all of them sharing the cores of this machine.
#include <algorithm>

#include "gen/explore/explore.h"
#include "gen/explore/progress.h"
#include "gen/explore/system_run.h"
#include "gen/explore/workers.h"
#include "golden/gpu/two_nodes.h"
#include "golden/trace/kernels/builtin_kernels.h"

namespace gen {

namespace {

constexpr int line_bytes = 128;  // of a system's L2

std::unique_ptr<golden::MemorySide> other_memory(const hw::L1dParams& cache, const SystemConfig& system) {
  if (system.values.memory == SystemMemoryKind::dram) return nullptr;
  return std::make_unique<golden::TwoNodes>(golden::TwoNodesParams{
      .sms = system.values.sms, .line_bytes = cache.line_bytes, .chunk_bytes = cache.chunk_bytes});
}

}  // namespace

// A slice's data port moves a sector a cycle; ports of the network move a flit, or a packet of what is asked
// for at once.
Roofs roofs_of(const golden::SystemParams& p) {
  const double network = static_cast<double>(p.network_clock) / p.core_clock;
  const int packet = p.l2.split_sectors ? golden::L2Slice::sector_bytes : line_bytes;
  const int port = p.network.whole_packets ? packet : p.network.flit_bytes;
  const int bytes = std::min(p.l2.slices * std::min(port, golden::L2Slice::sector_bytes), p.sms * port);
  return {.instructions = static_cast<double>(p.sms * p.schedulers),
          .network_bytes = bytes * network,
          .dram_bytes = static_cast<double>(p.dram.channels * p.dram.bytes_per_command) * p.memory_clock /
                        p.core_clock};
}

std::vector<RunResult> explore_system(const std::vector<Config>& configs, const ExploreRequest& request) {
  const SystemConfig& system = *request.system;
  std::vector<RunResult> results(configs.size() * request.traces.size());
  Progress progress("explore", "cycles", results.size());
  Workers(threads_of(request)).run(results.size(), [&](std::size_t i) {
    const Config& config = configs[i % configs.size()];
    const std::string& trace = request.traces[i / configs.size()];
    const auto& cache = config.get<hw::L1dParams>();
    results[i] = empty_result(config, request, trace);
    SystemRun run(cache, system.values, golden::open_instructions(trace), other_memory(cache, system));
    run.run(results[i], [&](std::uint64_t more, double share) { progress.show(i, share, more); });
    results[i].system->name = system.source;
    results[i].system->roofs = roofs_of(system.values);
    results[i].system->described = described(system);
    progress.show(i, 1, 0);
  });
  return results;
}

}  // namespace gen
