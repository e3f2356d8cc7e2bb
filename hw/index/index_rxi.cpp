#include "hw/index/index_rxi.h"

#include <array>

namespace hw {

LinearIndex index_rxi(const IndexParams& p) {
  LinearIndex map{"Set index reverse-engineered from a GTX470", "ACI thesis, section 3.2.2",
                  rtl::Loc::current()};
  constexpr std::array<std::array<int, 2>, 5> pairs{{{13, 7}, {14, 8}, {15, 9}, {17, 10}, {19, 11}}};
  for (const auto& [high, low] : pairs)
    map.rows.push_back((std::uint64_t{1} << (high - offset_bits(p))) |
                       (std::uint64_t{1} << (low - offset_bits(p))));
  return map;
}

}  // namespace hw
