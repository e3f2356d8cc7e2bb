// The results of `l1forge verify`: a table for people, JSON, and a page with the survivors in their Verilog.
#pragma once
#include <vector>

#include "gen/verify/verify.h"

namespace gen {

struct ModuleScore {
  std::string module;
  std::size_t mutants = 0, killed = 0, equivalent = 0;
  std::vector<const JudgedMutant*> unknown = {}, survived = {};
};

// In the order of the mutants.
std::vector<ModuleScore> scores_of(const std::vector<JudgedMutant>& mutants);

// Of the mutants not proved equivalent, how many are killed: "97.5 %"; "-" where all are equivalent.
std::string score_text(std::size_t mutants, std::size_t killed, std::size_t equivalent);

// Prints the table unless the JSON goes to standard output.
void write_verify_report(const Config& config, const rtl::Module& top,
                         const std::vector<JudgedMutant>& mutants, const VerifyRequest& request);

// The page's body.
std::string verify_page(const rtl::Module& top, const std::vector<ModuleScore>& scores);

}  // namespace gen
