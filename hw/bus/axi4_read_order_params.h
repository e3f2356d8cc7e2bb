// How many IDs the reads of an AXI4 bridge have, and which of them a line has.
#pragma once
#include <cstdint>

#include "hw/bus/axi4_bridge_params.h"

namespace hw {

// Lines of two beats have one ID for all reads: beats of different IDs might come mixed.
constexpr int axi_read_id_bits(const Axi4BridgeParams& p) {
  if (p.line_bytes > beat_bytes(p)) return 0;
  return axi_id_bits(p) < 3 ? axi_id_bits(p) : 3;
}
constexpr int axi_read_ids(const Axi4BridgeParams& p) { return 1 << axi_read_id_bits(p); }

// The ID is the exclusive or of this many lowest digits of the line's number, each as wide as the ID.
inline constexpr int axi_read_id_digits = 3;

}  // namespace hw
