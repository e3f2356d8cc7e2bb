// Index units that are linear over GF(2): each index bit is the XOR of some block-address bits.
#pragma once
#include "hw/index/index_unit.h"

namespace hw {

struct LinearIndex {
  std::string formula;                   // the unit's equation, for the header comment
  std::string source;                    // paper and section
  rtl::Loc loc;                          // the file that describes the unit
  std::vector<std::uint64_t> rows = {};  // block-address bits of each index bit, as a mask; index bit 0 first
};

IndexUnit linear_index(const IndexParams& p, const LinearIndex& map, const std::string& name);

}  // namespace hw
