// Byte enables of a store that writes all of the chunks that it names.
#pragma once
#include <cstddef>
#include <cstdint>

#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

inline golden::ByteMask bytes_of_chunks(const hw::L1dParams& p, std::uint32_t mask) {
  golden::ByteMask bytes{};
  for (int byte = 0; byte < p.line_bytes; ++byte)
    if (mask >> byte / p.chunk_bytes & 1)
      bytes[static_cast<std::size_t>(byte / 64)] |= std::uint64_t{1} << byte % 64;
  return bytes;
}

}  // namespace verif
