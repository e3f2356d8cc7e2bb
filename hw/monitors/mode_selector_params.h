// Parameters of the selector between fine and coarse accesses, shared by the hardware and its reference
// model.
#pragma once
#include "hw/monitors/mode_params.h"

namespace hw {

// TSC paper, section 3 (TSC+). As in an l1d: `fine_sets` and `coarse_sets` empty = automatic.
struct ModeSelectorParams {
  int address_bits = 32;  // N: bits of a byte address
  int line_bytes = 128;   // 2^B bytes a line
  int chunk_bytes = 32;   // bytes a chunk, at most a line
  int sets = 32;          // of the cache, a power of two, at least 8
  SetList fine_sets = {}, coarse_sets = {};
  int threshold = 1024;  // misses of a mode that shift the counters are one more

  bool operator==(const ModeSelectorParams&) const = default;
};

}  // namespace hw
