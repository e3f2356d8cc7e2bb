// The runs of a unit against each of its mutants: all mutants in one program, one at work in each run.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/verify/mutants.h"

namespace gen {

struct MutationRequest {
  std::size_t mutants = 100;
  std::vector<std::string> modules = {};  // those to mutate; empty: all of the unit
  std::int64_t cycles = 0;                // of the first random run; 0: as many as `cosim` takes
  std::uint64_t seed = 1;
};

// What a mutant's runs came to.
struct MutantRuns {
  std::string killed_by = {};  // "mismatch", "check", "crash", "limit"; empty: it survived all runs
  std::string in = {};         // the run that killed it
};

// One after the other until one kills: random stimulus, of a cache or topology a kernel's trace too, then
// random stimulus of twice as many cycles with the next seed. Each run has first to pass on the sound unit;
// throws ToolError with its words where it does not.
std::vector<MutantRuns> run_mutants(const Config& config, const rtl::Module& top,
                                    const std::vector<Mutant>& mutants, const MutationRequest& request);

}  // namespace gen
