#include "gen/explore/memory_below.h"

#include <fmt/format.h>

#include "golden/gpu/own_memory.h"
#include "golden/gpu/sub_partitions.h"
#include "golden/gpu/two_nodes.h"
#include "hw/l1d/monitor_inputs_params.h"
#include "hw/monitors/blpp.h"

namespace gen {

namespace {

double bandwidth(std::uint64_t bytes, std::uint64_t cycles, int clock_mhz) {
  return share(bytes, cycles) * clock_mhz / 1000;
}

}  // namespace

std::unique_ptr<golden::MemorySide> memory_below(const hw::L1dParams& cache, const ExploreRequest& request,
                                                 const Config* nodes) {
  const auto [latency, bytes] = request.below;
  if (nodes)
    return std::make_unique<golden::TwoNodes>(golden::TwoNodesParams{.blpp = nodes->get<hw::BlppParams>(),
                                                                     .sms = request.sms,
                                                                     .line_bytes = cache.line_bytes,
                                                                     .chunk_bytes = cache.chunk_bytes});
  if (request.sms == 1)
    return std::make_unique<golden::OwnMemory>(golden::NextLevelParams{.line_bytes = cache.line_bytes,
                                                                       .chunk_bytes = cache.chunk_bytes,
                                                                       .latency = latency,
                                                                       .bank_bytes = bytes});
  golden::SubPartitionsParams below{
      .sms = request.sms, .chunk_bytes = cache.chunk_bytes, .bytes = bytes, .latency = latency};
  // Where a unit watches input buffers, the memory has those.
  hw::each_monitor_input(cache, [&](hw::MonitorInput, const hw::MonitorInputRow& row, int ports) {
    if (row.source != hw::InputSource::memory_buffers) return;
    below.count = ports;
    below.buffer_entries = row.greatest(cache);
  });
  return std::make_unique<golden::SubPartitions>(below);
}

std::string described_memory(const RunResult& run) {
  const auto [latency, bytes] = run.below;
  if (run.nodes) return "a memory of two nodes below all caches";
  if (run.sms.size() > 1 && !run.topology)
    return fmt::format("sub-partitions of {} cycles and {} bytes a cycle each below all caches", latency,
                       bytes);
  return fmt::format("a memory of {} cycles and {} bytes a cycle below {}", latency, bytes,
                     run.topology ? "each slice" : "each cache");
}

double gigabytes(const golden::NodeFigures& f, std::uint64_t cycles) {
  return bandwidth(32 * f.flits, cycles, f.clock_mhz);
}

double gpu_share(const golden::NodeFigures& f) { return share(f.gpu_pages, f.gpu_pages + f.cpu_pages); }

nlohmann::ordered_json nodes_json(const golden::NodeFigures& f, std::uint64_t cycles) {
  nlohmann::ordered_json json = {{"gpu_pages", f.gpu_pages},
                                 {"cpu_pages", f.cpu_pages},
                                 {"replaced_pages", f.replaced},
                                 {"l1_miss_rate", share(f.m1, f.a1)},
                                 {"l2_miss_rate", share(f.m2, f.a2)},
                                 {"traffic_gbps", gigabytes(f, cycles)},
                                 {"gpu_gbps", bandwidth(f.gpu_bytes, cycles, f.clock_mhz)},
                                 {"cpu_gbps", bandwidth(f.cpu_bytes, cycles, f.clock_mhz)}};
  for (const auto& [cycle, part] : f.parts) json["p_history"].push_back({{"cycle", cycle}, {"p", part}});
  return json;
}

void check_memories(const ExploreRequest& request, bool of_caches) {
  constexpr golden::Below usual;
  const auto [latency, bytes] = request.below;
  for (const auto& [flag, changed] : {std::pair{"--memory-latency", latency != usual.latency},
                                      {"--memory-bandwidth", bytes != usual.bytes}}) {
    if (!changed) continue;
    if (!request.timed.value_or(false))
      throw ConfigError(flag, "is of the memory below in timed runs, nowhere else; add --timed");
    if (!request.memories.empty())
      throw ConfigError(flag, "is not of a memory of two nodes, whose file says both");
  }
  if (request.memories.empty()) return;
  if (!of_caches || !request.timed.value_or(false))
    throw ConfigError("--memory", "is below caches in timed runs on traces, nowhere else");
  for (const Config& memory : request.memories) {
    if (!memory.params.holds<hw::BlppParams>())
      throw ConfigError(memory.source, fmt::format("{} is no memory of two nodes; --memory takes blpp, or a "
                                                   "file with preset = \"blpp\"",
                                                   memory.preset));
    with_places(memory, [&] { hw::check(memory.get<hw::BlppParams>()); });
  }
}

}  // namespace gen
