// The two halves of a coalescer, which share the instructions in flight.
#pragma once
#include <string>

#include "hw/coalescer/coalescer_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: streams `lane_request` in and `core_request` out; of free ids `id_free`, `id`, and `sent`, the id is
// taken; of the request that takes it `sent_awaited` (it has an answer for lanes), `sent_slot`, `sent_lanes`;
// of an instruction that begins `opened`, `opened_slot`, `opened_shape`, and then `counted`, `counted_slot`,
// `count`.
rtl::Module coalescer_requests(const CoalescerParams& p, const std::string& name);

// Ports: streams `core_response` in and `lane_response` out, and the inputs `sent`, `sent_id`,
// `sent_awaited`, `sent_slot`, `sent_lanes`, `opened`, `opened_slot`, `opened_shape`, `counted`,
// `counted_slot`, `count`.
rtl::Module coalescer_answers(const CoalescerParams& p, const std::string& name);

}  // namespace hw
