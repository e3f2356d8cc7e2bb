// Distributes the pipeline registers of a remainder unit.
#pragma once
#include "hw/index/residue_plan.h"

namespace hw {

// Sets each step's stage so that `latency` registers cut the longest path into stages of about equal delay.
// The last step's value is due in stage `latency`; it may be made earlier.
void place_registers(ResiduePlan& plan, int latency);

}  // namespace hw
