// Coalescer: the cache lines that one warp-level access touches.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/gpu/rec_trace.h"

namespace golden {

// Replaces `lines` by the distinct base addresses of the lines touched, in the order in which the lanes first
// touch them; an access may straddle lines. line_bytes is a power of two; a barrier touches none.
void coalesce(const Record& record, int line_bytes, std::vector<std::uint64_t>& lines);

}  // namespace golden
