// Claims beside the figures here: a table for each paper and the totals, as Markdown and JSON.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/claims/claims_file.h"

namespace gen {

struct ComparedClaim {
  const Claim* claim;
  Comparison::Outcome outcome;
  bool stored;  // some of its figures are
};

struct ComparedPaper {
  const Paper* paper;
  std::vector<ComparedClaim> claims;
};

// Works out what the claims name. Throws ConfigError or FileError.
std::vector<ComparedPaper> compared(const std::vector<Paper>& papers);

std::string claims_markdown(const std::vector<ComparedPaper>& papers);
nlohmann::ordered_json claims_json(const std::vector<ComparedPaper>& papers);

}  // namespace gen
