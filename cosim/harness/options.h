// How a co-simulation program is run: read from the options file that `l1forge cosim` writes for it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "golden/gpu/below.h"
#include "golden/gpu/system/system_params.h"
#include "hw/ecc/ecc_params.h"

namespace verif {

inline constexpr std::int64_t default_cycles = 1'000'000;  // of random traffic, for units of a few gates

// The GPU around caches under test.
struct SystemAround {
  golden::SystemParams params = {};
  bool two_nodes = false;  // the memory of two nodes, instead of L2 and DRAM
  int hit_delay = 0;       // cycles by which the answer of a hit comes later
  int shown_sm = 0;        // whose cache is in waveforms
};

struct CosimOptions {
  std::string top;
  std::int64_t random_cycles = 0;        // 0 = the unit's default when there is no trace
  std::int64_t most_cycles = INT64_MAX;  // a trace or recording ends here even if it is not played whole
  std::vector<std::string> traces = {};
  std::vector<std::string> replays = {};
  std::string scheduler = "gto";  // of the warps of a trace: gto lrr two-level
  golden::Below below = {};       // a trace's memory
  std::optional<SystemAround> system = {};
  std::uint64_t seed = 1;
  // Waveform file, of the one format or the other; only programs built with probes write one.
  std::string vcd = {}, fst = {};
  const std::string& waves() const { return fst.empty() ? vcd : fst; }
  std::int64_t vcd_first = 0, vcd_last = INT64_MAX;  // cycles that it shows
  std::string verilog_coverage = {};                 // only programs built with counters write it
  std::string report = {};                           // JSON result, written when the run ends
  std::string kept_input = {};                       // the trace that was standard input
  bool coverage = false;                             // a coverage goal that is not reached fails the run
  bool random_initial = false;                       // registers and unknowns begin with anything
  hw::EccParams upsets_as_with = {};                 // bits of its RAMs flip as if they had this protection
  std::int64_t flop_upsets = 0;                      // runs in each of which a bit of a flip-flop flips
  bool progress = false;                             // a line that is rewritten on the terminal
};

// argv[1] names the options file. Throws std::runtime_error.
CosimOptions read_options(int argc, char** argv);

}  // namespace verif
