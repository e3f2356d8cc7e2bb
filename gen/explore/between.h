// An SM's cache in a timed run: what it is given in each cycle, and what is counted of it.
#pragma once
#include <bit>
#include <memory>

#include "gen/explore/result.h"
#include "golden/gpu/memory_side.h"
#include "golden/gpu/monitor_inputs_of_sm.h"
#include "golden/l1d/cycle_l1d.h"

namespace gen {

inline constexpr std::uint64_t sample_cycles = 4096;  // between two looks at what the caches hold

// An SM's cache, between it and the memory.
struct Between {
  const int number;  // of the SM
  const std::unique_ptr<golden::CycleL1d> owned;
  golden::CycleL1d& cache;
  golden::MemorySide& memory;
  const hw::SidebandBits sideband_bits;  // of the request that the cache gets
  const bool reads_sm;                   // some monitor in the cache
  const bool steered;                    // has controls
  const golden::MonitorSources sources;
  LoadDegrees degrees = {};
  std::uint64_t now = 0;
  golden::L1dIn in = {};  // kept from cycle to cycle: what is not driven again does not count

  Between(const hw::L1dParams& p, int sm, golden::MemorySide& below)
      : number(sm),
        owned(golden::CycleL1d::make(p, false)),
        cache(*owned),
        memory(below),
        sideband_bits(hw::sideband_bits(p)),
        reads_sm(hw::reads_own_sm(p)),
        steered(hw::is_steered(p)),
        sources(p) {
    in.rst = true;
    cache.outputs(in);
    cache.edge(in);
    in.rst = false;
    in.core_response_ready = true;
  }

  // A cycle of the two. `Port` is an SM, or what stands in front of one.
  template <class Port>
  void cycle(Port& sm, SmResult& result, const golden::Controls& controls,
             const golden::MonitorInputs* monitor_inputs, const hw::L1dParams& p, bool kernel_starts) {
    if (steered) in.controls = controls;
    if (monitor_inputs) in.monitor_inputs = *monitor_inputs;
    if (reads_sm) {
      sources.drive_kernel_start(in.monitor_inputs, kernel_starts);
      sources.drive_own_sm(in.monitor_inputs, sm);
    }
    const golden::GpuRequest* const offer = offered(sm);
    in.flush_valid = sm.wants_flush();
    memory.drive(number, in);
    const golden::L1dOut& out = cache.outputs(in);
    if (offer && out.core_request_ready) {
      result.chunks_asked[static_cast<size_t>(in.core_request_kind)] +=
          static_cast<unsigned>(std::popcount(offer->request.mask));
      degrees.accepted(*offer, in.core_request_kind, now);
      result.latency.accepted(offer->id, in.core_request_kind, now);
      sm.accepted(offer->id);
    }
    if (out.core_response_valid) {
      if (out.response_of_lookup) {  // it leaves as it is answered
        degrees.left(golden::RequestKind::load, true);
        result.latency.hit(out.core_response_id);
        if constexpr (requires { sm.hit(0); }) sm.hit(static_cast<std::uint32_t>(out.core_response_id));
      }
      std::uint64_t there = now;
      if constexpr (requires { sm.delay_of(out.core_response_id); })
        there += sm.delay_of(out.core_response_id);
      degrees.answered(static_cast<std::uint32_t>(out.core_response_id), there);
      result.latency.answered(out.core_response_id, there);
      sm.answered(out.core_response_id);
    }
    if (in.flush_valid && out.flush_ready) sm.flushed();
    if (p.limit.kind == hw::LimitKind::adaptive) sm.limit_to(static_cast<int>(out.decisions["limit"]));
    memory.take(number, in, out);
    cache.edge(in);
    const auto& probe = cache.last_probe();
    result.latency.fired(cache.last_event());
    if constexpr (requires { sm.fired(cache.last_event()); }) sm.fired(cache.last_event());
    result.timeline.watch(cache.counters(), sm.issued_lanes());
    if (probe.occupied && !probe.fired) ++result.stalls[static_cast<size_t>(probe.stall)];
    if (probe.fired) {
      if (!probe.at_once) degrees.left(probe.kind, probe.result == golden::Result::hit);
      if (probe.kind == golden::RequestKind::load) memory.load_left(golden::is_miss(probe.result));
    }
    ++now;
  }

 private:
  // The SM's request as the cache sees it, if it sees it in this cycle: loads that may not be cached go past
  // it.
  template <class Port>
  const golden::GpuRequest* offered(const Port& sm) {
    using Access = golden::MemorySide::Access;
    const golden::GpuRequest* const offer = sm.offer();
    const Access access = offer ? memory.access(offer->request.address) : Access::waits;
    in.core_request_valid = access != Access::waits;
    if (!in.core_request_valid) return nullptr;
    const bool past = access == Access::uncached && offer->request.kind == golden::RequestKind::load;
    in.core_request_id = offer->id;
    in.core_request_kind = past ? golden::RequestKind::non_l1 : offer->request.kind;
    in.core_request_address = offer->request.address;
    in.core_request_mask = offer->request.mask;
    in.core_request_sideband = hw::take_sideband(sideband_bits, offer->request.sideband);
    return offer;
  }
};

}  // namespace gen
