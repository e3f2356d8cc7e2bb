// Events of the L1 data cache: a pulse for each event that a counter counts; counting is done outside.
#pragma once
#include "hw/l1d/probe_event.h"
#include "hw/l1d/store_policy.h"
#include "hw/tags/tag_store.h"

namespace hw {

// Adds an output a counter.
void add_events(rtl::Module& m, const ProbeStage& probe, ProbeEvent& event, TagStore& tags,
                const StorePolicy& stores);

}  // namespace hw
