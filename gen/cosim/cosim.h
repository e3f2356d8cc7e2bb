// `l1forge cosim`: a unit's Verilog and its golden model side by side, every output, every cycle.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/cosim/program.h"
#include "gen/system/system_config.h"
#include "golden/gpu/below.h"
#include "hw/ecc/ecc_params.h"

namespace gen {

struct CosimRequest {
  std::int64_t random_cycles = 0;  // 0: all block addresses of a small unit, else a million cycles
  std::vector<std::string> traces = {}, replays = {};
  std::vector<std::string> verilog = {};    // files, each in the place of the generated one of its name
  std::string scheduler = "gto";            // of the warps of a trace: gto lrr two-level
  golden::Below below = {};                 // a trace's memory
  std::optional<SystemConfig> system = {};  // around an L1 at each SM, instead of one SM and that memory
  // Set as flags, which a system's own keys yield to.
  std::optional<int> sms = {};
  bool scheduler_given = false;
  std::uint64_t seed = 1;
  std::string vcd = {}, fst = {};     // both sides' waveforms of the whole run, in one format or the other
  std::string json = {};              // "-" is standard output
  std::string svg = {};               // the timeline of a cache's traces, as a picture
  bool coverage = true;               // a coverage goal that is not reached fails the run
  std::string verilog_coverage = {};  // Verilator's counts of lines and nets of the Verilog
  // Of a cache without protection: bits of its RAMs flip as if it had this; instances with those RAMs.
  hw::EccParams upsets_as_with = {};
  std::vector<std::string> upset_parts = {};
  std::int64_t flop_upsets = 0;  // of a cache: so many runs, in each of which a bit of a flip-flop flips
  bool random_initial = false;   // every register and unknown begins with anything
  std::string kept_input = {};   // where a trace or recording from standard input is kept
};

// As options have it.
inline std::vector<int> numbers_of(const hw::EccParams& p) {
  return {static_cast<int>(p.data), p.data_bits, static_cast<int>(p.tags)};
}

// The program of a unit's lock step, which sees the unit's state.
ProgramSource cosim_program(const Config& config);

// The exit status: 0 no mismatch, 1 a mismatch or, with `coverage`, a missed coverage goal, 2 the
// program could not run.
// After a mismatch the last thousand cycles of both sides are written to TOP_mismatch.vcd, with a .gtkw
// beside it.
int cosim(const Config& config, const CosimRequest& request);

// Cycles per second of the golden model alone, of the co-simulation with every check, and of the Verilated
// model alone; the models alone 0 where bits of the unit flip, which are not timed.
struct CosimSpeed {
  double golden = 0, cosim = 0, bare = 0;
};
// Over as many cycles of random traffic as these seconds of processor time allow.
CosimSpeed cosim_speed(const Config& config, double seconds);
// The program of it, which is compiled as those of long runs are.
void build_for_speed(const Config& config);

}  // namespace gen
