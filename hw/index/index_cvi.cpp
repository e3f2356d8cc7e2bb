#include "hw/index/index_cvi.h"

namespace hw {

LinearIndex index_cvi(const IndexParams& p) {
  LinearIndex map{"Conventional set index: the low bits of the block address", "ACI thesis, section 3.2",
                  rtl::Loc::current()};
  for (int i = 0; i < index_bits(p); ++i) map.rows.push_back(std::uint64_t{1} << i);
  return map;
}

}  // namespace hw
