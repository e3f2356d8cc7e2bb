// Events of the L1 data cache: a pulse for whatever a counter counts; counting is done outside.
#pragma once
#include "hw/l1d/load_results.h"

namespace hw {

// Adds an output a counter.
void add_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags, const LoadResults& results);

}  // namespace hw
