// Whether the request in the tag-lookup stage leaves, and what it changes then.
#pragma once
#include "hw/l1d/front.h"
#include "hw/l1d/store_policy.h"
#include "hw/policy/bypass.h"

namespace hw {

// Completes `probe.commit`, and lets the front move on.
void commit(rtl::Module& m, ProbeStage& probe, TagStore& tags, Bypass& bypass, const StorePolicy& stores,
            const Front& front, const IndexSocket& index);

}  // namespace hw
