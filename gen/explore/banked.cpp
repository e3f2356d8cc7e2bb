#include "gen/explore/banked.h"

#include <bit>

#include "gen/explore/between.h"
#include "gen/explore/memory_below.h"
#include "gen/system/system_checks.h"
#include "golden/banks/banked_l1d.h"
#include "golden/banks/banked_l1d_functional.h"
#include "golden/gpu/front_end.h"
#include "golden/trace/open/open_trace.h"

namespace gen {
namespace {

std::size_t at(int n) { return static_cast<std::size_t>(n); }

// An SM's cache in banks, between its ports and the memory.
class BankedCore {
 public:
  BankedCore(const hw::BankedL1dParams& p, int number, golden::MemorySide& memory)
      : p_(p), number_(number), cache_(p, false), memory_(memory) {
    in_.rst = true;
    cache_.outputs(in_);
    cache_.edge(in_);
    in_.rst = false;
    in_.response_ready.fill(true);
  }

  void cycle(golden::Sm& sm, SmResult& result) {
    for (int p = 0; p < p_.banks; ++p) in_.request[at(p)] = offered(sm, p);
    in_.flush_valid = sm.wants_flush();
    memory_.drive(number_, in_.memory);
    const golden::BankedL1d::Out& out = cache_.outputs(in_);
    for (int p = 0; p < p_.banks; ++p) {
      const golden::Message* const request = in_.request[at(p)];
      if (request && out.request_ready[at(p)]) {
        result.chunks_asked[static_cast<std::size_t>(request->kind)] +=
            static_cast<unsigned>(std::popcount(request->mask));
        result.latency.accepted(request->id, request->kind, now_);
        sm.accepted(static_cast<std::uint32_t>(request->id));
      }
      if (const auto& response = out.response[at(p)]) {
        if (response->of_lookup) result.latency.hit(response->id);
        result.latency.answered(response->id, now_);
        sm.answered(static_cast<std::uint32_t>(response->id));
      }
    }
    if (in_.flush_valid && out.flush_ready) sm.flushed();
    memory_.take(number_, in_.memory, out.memory);
    cache_.edge(in_);
    for (int b = 0; b < p_.banks; ++b) note(cache_.bank(b), result);
    result.timeline.watch(cache_.counters(), sm.issued_lanes());
    ++now_;
  }

  // What the banks have kept.
  void finish(SmResult& result) const {
    for (int b = 0; b < p_.banks; ++b) {
      golden::L1dFigures bank;
      bank.collect(cache_.bank(b));
      golden::add_counters(result.counters, bank.counters);
      result.set_loads.insert(result.set_loads.end(), bank.set_loads.begin(), bank.set_loads.end());
      result.histories.insert(result.histories.end(), bank.histories.begin(), bank.histories.end());
      result.adi_events += bank.adi_events;
    }
    result.timeline.finish(result.counters);
  }
  const golden::BankedL1d& cache() const { return cache_; }

 private:
  // The request of a port as the cache sees it, if it sees it in this cycle: loads that may not be cached go
  // past it.
  const golden::Message* offered(const golden::Sm& sm, int port) {
    using Access = golden::MemorySide::Access;
    const golden::GpuRequest* const offer = sm.offer(port);
    const Access access = offer ? memory_.access(offer->request.address) : Access::waits;
    if (access == Access::waits) return nullptr;
    const golden::Request& r = offer->request;
    const bool past = access == Access::uncached && r.kind == golden::RequestKind::load;
    golden::Message& m = requests_[at(port)];
    m.kind = past ? golden::RequestKind::non_l1 : r.kind;
    m.id = offer->id;
    m.address = r.address;
    m.mask = r.mask;
    m.sideband = hw::take_sideband(hw::sideband_bits(p_.l1d), r.sideband);
    return &m;
  }

  // The cycle of a bank that has just ended.
  void note(const golden::CycleL1d& bank, SmResult& result) {
    const auto& probe = bank.last_probe();
    if (probe.occupied && !probe.fired) ++result.stalls[static_cast<std::size_t>(probe.stall)];
    if (probe.fired && probe.kind == golden::RequestKind::load)
      memory_.load_left(golden::is_miss(probe.result));
    if (!bank.last_event()) return;
    golden::ProbeEvent event = *bank.last_event();
    event.id &= (std::uint64_t{1} << p_.l1d.core_id_bits) - 1;  // without the port
    result.latency.fired(&event);
  }

  const hw::BankedL1dParams p_;
  const int number_;  // of the SM
  golden::BankedL1d cache_;
  golden::MemorySide& memory_;
  golden::BankedL1d::In in_;
  golden::BankedL1d::Each<golden::Message> requests_{};
  std::uint64_t now_ = 0;
};

golden::GpuParams params_of_ports(const hw::BankedL1dParams& p, const ExploreRequest& request) {
  golden::GpuParams gpu = gpu_params(p.l1d, request);
  gpu.ports = p.banks;
  return gpu;
}

}  // namespace

std::unique_ptr<golden::FunctionalL1d> functional(const Config& config, const hw::L1dParams& p) {
  if (!is_banked(config)) return golden::FunctionalL1d::make(p);
  hw::BankedL1dParams banked = config.get<hw::BankedL1dParams>();
  banked.l1d = p;
  return std::make_unique<golden::FunctionalBanks>(banked);
}

RunResult timed_in_banks(const Config& config, const std::string& trace, const ExploreRequest& request,
                         const Config* memory, const std::function<void(std::uint64_t, double)>& watch) {
  const auto& p = config.get<hw::BankedL1dParams>();
  RunResult result = empty_result(config, request, trace);
  const auto source = golden::open_trace(trace);
  golden::FrontEnd gpu(*source, params_of_ports(p, request));
  const auto below = memory_below(p.l1d, request, memory);
  std::vector<std::unique_ptr<BankedCore>> cores;
  for (int i = 0; i < request.sms; ++i) cores.push_back(std::make_unique<BankedCore>(p, i, *below));
  if (memory) result.memory = memory->source;
  std::vector<const golden::BankedL1d*> caches;
  for (const auto& core : cores) caches.push_back(&core->cache());
  ReplicaSamples replicas;
  gpu.tick();  // the cycle of the reset
  while (!gpu.done()) {
    for (std::size_t i = 0; i < cores.size(); ++i)
      cores[i]->cycle(gpu.sm(static_cast<int>(i)), result.sms[i]);
    below->tick();
    gpu.tick();
    if (++result.cycles % sample_cycles != 0) continue;
    if (cores.size() > 1) replicas.take(caches);
    watch(sample_cycles * cores.size(), source->fraction());
  }
  if (cores.size() > 1) {
    replicas.take(caches);
    result.mean_replicas = replicas.mean();
  }
  result.nodes = below->figures();
  for (std::size_t i = 0; i < cores.size(); ++i) {
    SmResult& sm = result.sms[i];
    cores[i]->finish(sm);
    sm.cycles = gpu.sm(static_cast<int>(i)).cycles();
    sm.instructions = gpu.sm(static_cast<int>(i)).instructions();
  }
  return result;
}

}  // namespace gen
