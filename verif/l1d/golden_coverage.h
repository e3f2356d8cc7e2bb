// The coverage goals that random traffic reaches on the golden model of an L1 data cache alone: as in lock
// step, without a Verilog model to build.
#pragma once
#include <cstdint>

#include "verif/lockstep/l1d/l1d_stimulus.h"
#include "verif/lockstep/l1d/l1d_watch.h"

namespace verif {

// The model's outputs as those of a Verilated cache.
inline L1dSeen as_ports(const golden::L1dOut& out) {
  static constexpr golden::LineData no_line{};
  static constexpr golden::ByteMask no_bytes{};
  const auto bytes = [](const auto& words) { return reinterpret_cast<const std::uint8_t*>(words.data()); };
  L1dSeen seen;
  seen.core_request_ready = out.core_request_ready;
  seen.core_response_valid = out.core_response_valid;
  seen.core_response_id = out.core_response_id;
  seen.core_response_mask = out.core_response_mask;
  seen.core_response_data = bytes(out.core_response_data ? *out.core_response_data : no_line);
  seen.memory_request_valid = out.memory_request_valid;
  seen.memory_request_id = out.memory_request_id;
  seen.memory_request_kind = out.memory_request_kind;
  seen.memory_request_address = out.memory_request_address;
  seen.memory_request_mask = out.memory_request_mask;
  seen.memory_request_byte_enable =
      bytes(out.memory_request_byte_enable ? *out.memory_request_byte_enable : no_bytes);
  seen.memory_request_data = bytes(out.memory_request_data ? *out.memory_request_data : no_line);
  seen.memory_request_pc = out.memory_request_pc;
  seen.memory_response_ready = out.memory_response_ready;
  seen.flush_ready = out.flush_ready;
  return seen;
}

// `aimed`: the stimulus sees the model, and leads it to what a random draw is late to reach.
inline Goals golden_goals(const hw::L1dParams& p, std::int64_t cycles, std::uint64_t seed,
                          bool aimed = true) {
  const auto cache = golden::CycleL1d::make(p);
  L1dBooks books(p);
  L1dWatch watch(p);
  L1dStimulus stimulus(p, seed, cycles, books);
  if (aimed) stimulus.aim_at(*cache);
  golden::L1dIn in;
  for (unsigned entry = 0; stimulus.drive(in); entry = (entry + 1) % static_cast<unsigned>(p.mshr_entries)) {
    const golden::L1dOut& out = cache->outputs(in);
    const auto looked_at = cache->entry(entry);
    watch.entry(entry, looked_at.in_use && looked_at.doomed);
    watch.before(in, out, *cache);
    if (in.memory_response_valid && out.memory_response_ready && stimulus.out_of_order())
      watch.out_of_order();
    const L1dSeen seen = as_ports(out);
    if (in.rst) {
      books.reset();
      watch.reset();
    } else if (!books.cycle(in, seen).port.empty()) {
      break;  // and goals are missed
    }
    stimulus.clock(in, out, seen);
    cache->edge(in);
    if (!in.rst) watch.behind(*cache);
  }
  return watch.goals(*cache, books);
}

}  // namespace verif
