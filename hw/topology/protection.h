// Protected RAMs in caches that other cores look into (docs/contracts/l1d-ecc.md, "Topologies").
#pragma once
#include <string>

#include "hw/ecc/ecc_params.h"

namespace hw {

// Refuses what protects lines, for this reason.
void refuse_protected_lines(const EccParams& ecc, const std::string& reason, const std::string& remedy);

}  // namespace hw
