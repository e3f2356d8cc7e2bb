// A core that waits for each answer before it asks again, so that time cannot matter.
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "golden/cache/adaptive.h"
#include "golden/l1d/cycle_l1d.h"
#include "verif/l1d/store_bytes.h"

namespace verif {

// Serves one request with nothing else under way.
class OneAtATime {
 public:
  explicit OneAtATime(const hw::L1dParams& p)
      : params(p),
        duels(p.mode.kind == hw::ModeKind::dueling),
        owned(golden::CycleL1d::make(p)),
        cache(*owned) {}

  void serve(const golden::Request& request) {
    const golden::ByteMask enables =
        bytes_of_chunks(params, request.kind == golden::RequestKind::store ? request.mask : 0);
    golden::L1dIn in;
    in.controls = controls;
    in.core_request_byte_enable = &enables;
    in.core_request_valid = true;
    in.core_request_kind = request.kind;
    in.core_request_address = request.address;
    in.core_request_mask = request.mask;
    bool answered = request.kind == golden::RequestKind::drop;
    // A coarse load may be answered before all that was fetched for it is there.
    while (in.core_request_valid || !answered || !cache.idle()) {
      in.core_response_ready = in.memory_request_ready = true;
      const golden::L1dOut& out = cache.outputs(in);
      const bool accepted = in.core_request_valid && out.core_request_ready;
      const bool taken = in.memory_response_valid && out.memory_response_ready;
      const bool sent = out.memory_request_valid;
      const golden::L1dOut request_down = out;
      answered |= out.core_response_valid;
      cache.edge(in);
      if (accepted) in.core_request_valid = false;
      if (taken) in.memory_response_valid = false;
      if (!sent) continue;
      in.memory_response_valid = true;
      in.memory_response_id = request_down.memory_request_id;
      const bool store = request_down.memory_request_kind == golden::RequestKind::store;
      in.memory_response_mask = store ? 0 : request_down.memory_request_mask;
    }
    settle();
  }

  void flush() {
    golden::L1dIn in;
    in.flush_valid = true;
    ASSERT_TRUE(cache.outputs(in).flush_ready);
    cache.edge(in);
  }

  // Searches of an adaptive index, during which it counts no load, and of a mode come to their end.
  void settle() {
    using Step = golden::AdiMonitor::Step;
    const auto busy = [&] {
      const Step step = cache.monitor<golden::AdaptiveIndex>()->step();
      return step == Step::victim_search || step == Step::winner_search || step == Step::flush ||
             cache.monitor<golden::AdaptiveIndex>()->freezes();
    };
    for (int i = 0; duels && i < 25; ++i) cache.edge({});
    for (int i = 0; cache.monitor<golden::AdaptiveIndex>() && (i < 2 || busy()); ++i) {
      cache.outputs({});
      cache.edge({});
    }
  }

  const hw::L1dParams params;
  const bool duels;
  const std::unique_ptr<golden::CycleL1d> owned;
  golden::CycleL1d& cache;
  golden::Controls controls;
};

}  // namespace verif
