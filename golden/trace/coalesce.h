// Coalescer: the cache lines, and the chunks of them, that one warp-level access touches.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/trace/rec_trace.h"

namespace golden {

// Replaces `lines` by the distinct base addresses of the lines touched, in the order in which the lanes first
// touch them; an access may straddle lines. line_bytes is a power of two; a barrier touches none.
void coalesce(const Record& record, int line_bytes, std::vector<std::uint64_t>& lines);

// One request of an access; their number is the access's divergence degree.
struct LineAccess {
  std::uint64_t line = 0;  // base address
  std::uint32_t mask = 0;  // bit c = chunk c is touched

  bool operator==(const LineAccess&) const = default;
};

// The same lines in the same order, with the chunks touched. chunk_bytes is a power of two, at most
// line_bytes, at least line_bytes / 32.
void coalesce(const Record& record, int line_bytes, int chunk_bytes, std::vector<LineAccess>& lines);

}  // namespace golden
