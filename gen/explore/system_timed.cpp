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

std::unique_ptr<golden::MemorySide> other_memory(const SystemConfig& system) {
  if (system.values.memory == SystemMemoryKind::dram) return nullptr;
  return std::make_unique<golden::TwoNodes>(
      golden::TwoNodesParams{.sms = system.values.sms,
                             .line_bytes = golden::L2Params::line_bytes,
                             .chunk_bytes = golden::L2Params::sector_bytes});
}

}  // namespace

// A slice's data port moves a sector a cycle; ports of the network move a flit, or a packet of what is asked
// for at once.
Roofs roofs_of(const golden::SystemParams& p, int line_bytes) {
  const double network = static_cast<double>(p.network_clock) / p.core_clock;
  constexpr int sector = golden::L2Params::sector_bytes;
  const int packet =
      p.l2.split_sectors ? sector : std::clamp(line_bytes, sector, golden::L2Params::line_bytes);
  const int port = p.network.whole_packets ? packet : p.network.flit_bytes;
  const int bytes = std::min(p.l2.slices * std::min(port, sector), p.sms * port);
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
    SystemRun run(cache, system.values, golden::open_instructions(trace), other_memory(system));
    run.run(results[i], [&](std::uint64_t more, double share) { progress.show(i, share, more); });
    results[i].system->name = system.source;
    results[i].system->roofs = roofs_of(system.values, cache.line_bytes);
    results[i].system->described = described(system);
    progress.show(i, 1, 0);
  });
  return results;
}

}  // namespace gen
