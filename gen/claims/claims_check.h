// The age of stored figures: whether the study, the units and the models have changed since.
#pragma once
#include <string>
#include <vector>

#include "gen/claims/claims_file.h"

namespace gen {

struct StaleResult {
  std::string file, why, again;
};

struct Ages {
  std::size_t results = 0;  // stored ones, each once
  std::vector<StaleResult> stale;
};

// Studies are in the folder `studies` beside that of the claims. Runs nothing. Throws ConfigError or
// FileError.
Ages ages_of(const std::vector<Paper>& papers);

}  // namespace gen
