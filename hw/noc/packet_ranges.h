// Ranges of the parameters of packets.
#pragma once
#include "hw/range.h"

namespace hw {

struct PacketRanges {
  static constexpr Range id_bits{1, 48};
  static constexpr Range ports{1, 128};    // of one crossbar
  static constexpr Range numbers{1, 256};  // nodes of a whole topology
  static constexpr Range flit_bytes{8, 256, true};
};

}  // namespace hw
