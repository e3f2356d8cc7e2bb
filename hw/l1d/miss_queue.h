// Miss queue of the L1 data cache: requests on their way to memory, in the order in which they left the probe
// (baseline of the TSC, ACI and Decoupled-L1D papers).
#pragma once
#include <string>

#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module.h"

namespace hw {

// What a request writes goes to the payload RAM as it arrives, ahead of the request: where nothing else reads
// it, no request passes another, and no row of the RAM is protected with one of the queue's.
bool payload_goes_ahead(const L1dParams& p);

// What a row of the request RAM and of the payload RAM holds.
int request_row_bits(const L1dParams& p);  // kind, id, block address, mask
int payload_row_bits(const L1dParams& p);  // byte enables and data, of all but loads
int queue_rows(const L1dParams& p);
int payload_rows(const L1dParams& p);

rtl::Module miss_queue(const L1dParams& p, const std::string& name);

}  // namespace hw
