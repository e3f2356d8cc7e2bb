#include "hw/index/index_bxi.h"

namespace hw {

LinearIndex index_bxi(const IndexParams& p) {
  LinearIndex map{"Set index by bitwise XOR of the two lowest groups of block-address bits",
                  "ACI thesis, section 3.2.1", rtl::Loc::current()};
  const int s = index_bits(p), width = block_address_bits(p);
  for (int i = 0; i < s; ++i) {
    const bool inside = s + i < width;  // address bits above N-1 read as 0
    map.rows.push_back((std::uint64_t{1} << i) | (inside ? std::uint64_t{1} << (s + i) : 0));
  }
  return map;
}

}  // namespace hw
