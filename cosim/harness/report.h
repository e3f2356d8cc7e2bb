// What a co-simulation found: printed for people, written as JSON for scripts.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cosim/harness/options.h"

namespace verif {

struct Mismatch {
  std::int64_t cycle = 0;
  std::string port;
  std::uint64_t dut = 0, golden = 0;
  std::vector<std::string> last_inputs = {};  // oldest first
  int sm = -1;                                // of a system, in which it was found
};

// Coverage goals: an event that the stimulus must reach -> how often it did.
using Goals = std::map<std::string, std::int64_t>;

struct CosimReport {
  std::string stimulus;              // "exhaustive", "random" or "trace", in words
  std::string reference = "golden";  // what the unit is held against
  std::int64_t cycles = 0;
  std::vector<Mismatch> mismatches = {};                       // the first only: a run stops there
  Goals goals = {};                                            // of coverage
  bool coverage_asked = false;                                 // a goal that was not reached fails the run
  std::vector<std::string> lines = {};                         // more to print
  std::vector<std::pair<std::string, std::string>> json = {};  // more to write: a name, and JSON text
  double cosim_cycles_per_second = 0;                          // with every check on
  double bare_cycles_per_second = 0;                           // the Verilated model alone, same inputs
  double golden_cycles_per_second = 0;                         // the golden model alone

  std::vector<std::string> missed_goals() const;
  bool passed() const;
};

// Prints the report, writes it where the options ask, and returns the exit status: 0 or 1.
int conclude(const CosimOptions& options, CosimReport report);

// Rewrites one line on the terminal, at most ten times a second; silent unless the options ask for it.
class Progress {
 public:
  Progress(const CosimOptions& options, std::int64_t total) : on_(options.progress), total_(total) {}
  ~Progress();
  void at(std::int64_t cycle);

 private:
  bool on_, shown_ = false;
  std::int64_t total_, last_ms_ = 0;
};

// Runs a co-simulation's body; a thrown error becomes one line on stderr and exit status 2.
int guarded(int argc, char** argv, int (*body)(const CosimOptions&));

}  // namespace verif
