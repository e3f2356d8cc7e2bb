// The bytes that lanes write, put together into a line.
#pragma once
#include <string>

#include "hw/coalescer/coalescer_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: for each lane `words` (number of the word that it writes), `bytes` (which of the word; no other
// lane writes these) and `data` (its word) in; for the line `touched` (bytes that a lane has) and `line`
// (their values) out.
rtl::Module line_merge(const CoalescerParams& p, const std::string& name);

}  // namespace hw
