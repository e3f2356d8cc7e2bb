#include "hw/index/index_lin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "hw/require.h"

namespace hw {
namespace {

// A set of rows, as a mask, whose sum over the low `columns` bits is zero; 0 when the square part is regular.
std::uint32_t dependent_rows(const std::vector<std::uint64_t>& rows, int columns) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> basis;  // reduced row, rows summed in it
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::uint64_t bits = rows[r] & ((std::uint64_t{1} << columns) - 1);
    std::uint32_t from = std::uint32_t{1} << r;
    for (const auto& [b, f] : basis)
      if (bits >> std::countr_zero(b) & 1) bits ^= b, from ^= f;
    if (!bits) return from;
    basis.emplace_back(bits, from);
  }
  return 0;
}

}  // namespace

LinearIndex index_lin(const IndexParams& p) {
  LinearIndex map{"Set index by a linear map over GF(2) given as taps", "the key index.taps",
                  rtl::Loc::current()};
  for (int i = 0; i < index_bits(p); ++i) map.rows.push_back(p.taps[i] >> offset_bits(p));
  return map;
}

void check_lin(const IndexParams& p) {
  const int low = offset_bits(p), s = index_bits(p);
  for (int i = 0; i < max_index_bits; ++i) {
    require(i < s || p.taps[i] == 0, "index.taps", fmt::format("list {}", i),
            fmt::format("{} sets need {} lists", p.sets, s), "give one list of address bits per index bit");
    for (int k = 0; k < 64; ++k)
      require(!(p.taps[i] >> k & 1) || (k >= low && k < p.address_bits), "index.taps",
              fmt::format("A{} in list {}", k, i),
              fmt::format("must be an address bit from {} to {}, above the line's offset", low,
                          p.address_bits - 1),
              "drop the tap or change the geometry");
    require(i >= s || p.taps[i] != 0, "index.taps", fmt::format("list {}", i),
            "has no tap left, so the index bit would be constant", "give it a tap; a repeated tap cancels");
  }
  std::vector<int> rows;
  if (const auto mask = dependent_rows(index_lin(p).rows, s))
    for (int i = 0; i < s; ++i)
      if (mask >> i & 1) rows.push_back(i);
  require(
      rows.empty(), "index.taps", fmt::format("lists {}", fmt::join(rows, ", ")),
      fmt::format(
          "sum to nothing over A{}..A{}, so the matrix is singular and two blocks would share set and tag",
          low, low + s - 1),
      "change the taps of one of these lists below the tag");
}

}  // namespace hw
