// `l1forge verify`: how many small changes of a unit's Verilog its co-simulation notices, module by module.
#pragma once
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/reports.h"
#include "gen/verify/mutation_run.h"

namespace gen {

struct VerifyRequest : MutationRequest {
  std::string json = {}, html = {};
  std::int64_t upsets = 0;       // of each protected array, in the place of mutants; 0: none
  std::int64_t flop_upsets = 0;  // of flip-flops, in the place of mutants; 0: none
  bool without_check = false;    // the upsets come to the same cache without its protection
  Origin origin = {};
};

// The final result of a mutant.
enum class Fate { killed, equivalent, unknown, survived };

struct JudgedMutant {
  Mutant mutant;
  MutantRuns runs;
  Fate fate = Fate::killed;
};

// The exit status: 0 each mutant is killed or proved equivalent, 1 another one is left.
int verify(const Config& config, const VerifyRequest& request);

}  // namespace gen
