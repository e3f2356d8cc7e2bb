// Events of the L1 data cache: a pulse for whatever a counter counts; counting is done outside.
#pragma once
#include "hw/tags/tag_store.h"

namespace hw {

// Adds an output a counter.
void add_events(rtl::Module& m, const ProbeStage& probe, TagStore& tags);

}  // namespace hw
