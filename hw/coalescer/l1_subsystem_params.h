// Parameters of an L1 data cache behind a coalescer, shared by the hardware and its reference model. What
// happens in which cycle: docs/contracts/l1-subsystem.md.
#pragma once
#include "hw/coalescer/coalescer_params.h"
#include "hw/l1d/l1d_params.h"

namespace hw {

struct L1SubsystemParams {
  // With the addresses, lines, chunks and ids of both. The slice keeps the cache's ready out of the lanes'.
  L1dParams l1d = {.request_slice = true};
  int lanes = 32;         // of the core
  int lane_bytes = 4;     // most that a lane asks for
  int instructions = 8;   // loads and atomics in flight
  int stages = 2;         // cycles from lane_request to the cache
  int answer_stages = 3;  // cycles from the cache to lane_response

  bool operator==(const L1SubsystemParams&) const = default;
};

// Requests have the sideband that the cache reads.
constexpr CoalescerParams coalescer_of(const L1SubsystemParams& p) {
  return {.address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .lanes = p.lanes,
          .lane_bytes = p.lane_bytes,
          .instructions = p.instructions,
          .stages = p.stages,
          .answer_stages = p.answer_stages,
          .core_id_bits = p.l1d.core_id_bits,
          .sideband = sideband_bits(p.l1d)};
}

}  // namespace hw
