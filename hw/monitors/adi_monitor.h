// Adaptive-indexing monitor: finds out which address bits make the best set index while a cache runs, beside
// its lookup path (ACI thesis, section 3.3).
//
// Ports: `probe_valid`, `probe_block_address`, `probe_miss` in, a load's result in the cycle of its probe;
// `sel<i>` out, the address bit that is index bit i; `flush_valid` out and `flush_ready` in, a handshake
// towards the cache when sel changes; `clk`, `rst`; of a steered monitor `adi_start` in, `round_done` out, of
// the same cycle. The timing is that of adi_monitor_params.h. All other outputs are registers.
#pragma once
#include <string>

#include "hw/monitors/adi_monitor_params.h"
#include "hw/rtl/module.h"

namespace hw {

constexpr int offset_bits(const AdiMonitorParams& p) {
  return rtl::clog2(static_cast<std::uint64_t>(p.line_bytes));  // B
}
constexpr int index_bits(const AdiMonitorParams& p) {
  return rtl::clog2(static_cast<std::uint64_t>(p.sets));  // S
}
constexpr int block_address_bits(const AdiMonitorParams& p) {
  return p.address_bits - offset_bits(p);
}  // N-B
constexpr int sel_bits(const AdiMonitorParams& p) {
  return rtl::clog2(static_cast<std::uint64_t>(p.address_bits));
}
constexpr int candidates(const AdiMonitorParams& p) { return block_address_bits(p) - (index_bits(p) - 1); }
constexpr int counters(const AdiMonitorParams& p) { return index_bits(p) * (index_bits(p) + 1) / 2; }
constexpr int entries(const AdiMonitorParams& p) { return p.sets / 2; }  // of the tag cache

// Storage in flops, for the manifest. The thesis counts the first three.
struct AdiMonitorFacts {
  int victimization_bits =
      0;                   // CE and CC counters: M * S(S+1)/2; none at S = 1, whose bit is always the victim
  int selection_bits = 0;  // tag cache and change counters: (N-S-B+1) * (2^(S-1) + M)
  int sel_bits = 0;        // S * ceil(log2 N)
  int valid_bits = 0;      // one a tag-cache entry
  int control_bits = 0;    // phase, sample count and the state of the searches
  int victim_search = 0;   // cycles
  int winner_search = 0;
};

struct AdiMonitor {
  rtl::Module module;
  AdiMonitorFacts facts;
};

// Throws ParamError when no monitor can be built from the parameters.
void check(const AdiMonitorParams& p);

// Checks the parameters and builds the monitor as module `name`, its parts as `name`_victimization and
// `name`_selection.
AdiMonitor adi_monitor(const AdiMonitorParams& p, const std::string& name);

}  // namespace hw
