#include "hw/bus/axi4_block.h"

#include "hw/rtl/optional.h"

#include <fmt/format.h>

#include <algorithm>

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate;

// Chunks are paired level by level. Where both of a pair are requested the block holds the pair, and so does
// every pair below it; the lowest level of which all pairs above have one side gives the block's position.
Axi4Block axi4_block(rtl::Module& m, const Axi4BridgeParams& p, const Expr& mask) {
  const int chunks = chunks_of_line(p), levels = rtl::clog2(static_cast<std::uint64_t>(chunks));
  const int chunk_size = rtl::clog2(static_cast<std::uint64_t>(p.chunk_bytes));
  const auto size_of = [&](int level) {
    return lit(3, static_cast<std::uint64_t>(std::min(7, chunk_size + level)));
  };
  if (levels == 0) return {{}, size_of(0), {}, {}};

  m.section("The smallest aligned block of chunks that holds the mask.");
  const auto some = [](const Expr& x) { return x.width() == 1 ? x : rtl::any(x); };
  std::vector<Expr> both, upper;
  Expr asked = mask;
  for (int j = 0; j < levels; ++j) {
    std::vector<Expr> even, odd;
    for (int k = asked.width() - 2; k >= 0; k -= 2) {
      even.push_back(asked.bit(k));
      odd.push_back(asked.bit(k + 1));
    }
    both.push_back(some(cat(even) & cat(odd)));
    upper.push_back(some(cat(odd)));
    if (j + 1 < levels)
      asked = m.let(fmt::format("asked_{}", 2 << j), cat(even) | cat(odd),
                    fmt::format("aligned groups of {} with a chunk of the mask", 2 << j));
  }
  std::vector<Expr> exceeds(static_cast<std::size_t>(levels)), offset;
  Expr size = size_of(0);
  rtl::Optional block;
  for (int j = levels; j-- > 0;) {
    const auto at = static_cast<std::size_t>(j);
    const Expr more = j + 1 < levels ? both[at] | exceeds[at + 1] : both[at];
    exceeds[at] = m.let(fmt::format("exceeds_{}", 1 << j), more,
                        fmt::format("the block is larger than {} chunk{}", 1 << j, j ? "s" : ""));
    offset.push_back(upper[at] & ~exceeds[at]);
  }
  const Expr first = m.let("block_offset", cat(offset), "first chunk of the block");
  for (int j = 0; j < levels; ++j) {
    size = rtl::mux(exceeds[static_cast<std::size_t>(j)], size_of(j + 1), size);
    if (levels == 1) continue;
    const Expr larger = exceeds[static_cast<std::size_t>(j)], high = first.bit(j);
    const Expr halves = cat({replicate(1 << j, larger | high), replicate(1 << j, larger | ~high)});
    const Expr level = chunks == 2 << j ? halves : replicate(chunks / (2 << j), halves);
    block &= level;
  }
  Axi4Block b{.offset = first,
              .size = m.let("block_size", size, "log2 of the bytes of a beat"),
              .two = {},
              .holes = {}};
  if (p.line_bytes > beat_bytes(p)) b.two = exceeds.back();
  if (levels > 1)
    b.holes = m.let("block_holes", rtl::any(*block & ~mask), "the block has chunks outside the request");
  return b;
}

}  // namespace hw
