// Parameters of the adaptive-indexing monitor, shared by the hardware and its reference model, and the timing
// that both keep (ACI thesis, section 3.3).
//
// A load is a cycle with probe_valid high: stores, atomics and probes that end in RESERVATION_FAIL are not
// shown to the monitor. probe_miss says that it was a MISS, PARTIAL_MISS or BYPASS. A load is sampled under
// the sel of its cycle.
// - Victimization ends with its T-th miss, in cycle c. The search for the victim takes the cycles c+1 to c+V,
// with
//   V = S(S+1)/2 + N-B + 5, or 1 at S = 1. The next load, c+V+1 at the earliest, is selection's first.
// - Selection ends with its T-th load, in cycle c. The search for the winner takes c+1 to c+W, with W =
// N-B+3.
// - Then, in cycle c+W+1, flush_valid rises if the winner is not the victim, and stays up to the cycle f in
// which
//   flush_ready is high; sel is the old one in cycle f and the new one in f+1. Otherwise f is that one cycle,
//   without flush_valid.
// - Loads from c+1 to f are neither sampled nor counted. The next load, f+1 at the earliest, is the first
// that idle
//   counts, or victimization's first when idle is 0. The load that ends idle is not sampled.
// - A steered monitor has no idle of its own: it rests until adi_start, after rst too. In the cycle after
//   adi_start victimization starts over in any case; loads from then on are sampled. A flush that
//   waits (flush_valid is high) is completed first: then victimization begins behind f, and no load up to f
//   is sampled. round_done is high in c+W if the winner is the victim, else in f, unless adi_start came in
//   that cycle or while the flush waited.
// - rst in any cycle: victimization starts over in the next one, with sel[i] = B+i. flush_ready counts only
// while
//   flush_valid is high, and may be high before it.
#pragma once

namespace hw {

// Larger tag caches (2^(S-1) entries of flops) and counters make no sense beside a cache.
inline constexpr int max_adi_index_bits = 10;
inline constexpr int max_adi_counter_bits = 16;
inline constexpr int max_adi_idle = 1 << 20;

struct AdiMonitorParams {
  int address_bits = 32;  // N: bits of a byte address
  int line_bytes = 128;   // 2^B bytes a line
  int sets = 32;          // 2^S; at least one tag bit is left
  int period = 1024;      // T: misses of victimization, loads of selection
  int counter_bits = 10;  // M: T is at most 2^M
  int idle = 4096;        // loads between selection and the next victimization
  bool steered = false;   // an input adi_start begins each round in the place of idle

  bool operator==(const AdiMonitorParams&) const = default;
};

}  // namespace hw
