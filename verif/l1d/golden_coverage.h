// The coverage goals that random traffic reaches on the golden model of an L1 data cache alone: as in lock
// step, without a Verilog model to build.
#pragma once
#include <cstdint>

#include "cosim/l1d/l1d_stimulus.h"
#include "cosim/l1d/l1d_watch.h"
#include "verif/l1d/golden_ports.h"

namespace verif {

// `aimed`: the stimulus sees the model, and leads it to what a random draw is late to reach.
inline Goals golden_goals(const hw::L1dParams& p, std::int64_t cycles, std::uint64_t seed,
                          bool aimed = true) {
  const auto cache = golden::CycleL1d::make(p);
  L1dScoreboard scoreboard(p);
  L1dWatch watch(p);
  L1dStimulus stimulus(p, seed, cycles, scoreboard);
  if (aimed) stimulus.aim_at(*cache);
  golden::L1dIn in;
  for (unsigned entry = 0; stimulus.drive(in); entry = (entry + 1) % static_cast<unsigned>(p.mshr_entries)) {
    const golden::L1dOut& out = cache->outputs(in);
    const auto looked_at = cache->entry(entry);
    watch.entry(entry, looked_at.in_use && looked_at.poisoned);
    watch.before(in, out, *cache);
    if (in.memory_response_valid && out.memory_response_ready && stimulus.out_of_order())
      watch.out_of_order();
    const L1dSeen seen = as_ports(out);
    if (in.rst) {
      scoreboard.reset();
      watch.reset();
    } else if (!scoreboard.cycle(in, seen).port.empty()) {
      break;  // and goals are missed
    }
    stimulus.clock(in, out, seen);
    cache->edge(in);
    if (!in.rst) watch.behind(*cache);
  }
  return watch.goals(*cache, scoreboard);
}

}  // namespace verif
