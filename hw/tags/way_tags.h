// Tag store of a set-associative cache, conventional or sectored: which way holds a line, which of its chunks
// are valid, and which way a new line may take (baseline of the TSC, ACI and Decoupled-L1D papers).
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// A probe's set is read when the tag-lookup stage `moves` and a request `comes`, and answered from the next
// cycle on, until the next one enters. Ways are one-hot. The changes of a cycle are made at its end; the
// wires `allocate`, `reserve`, `invalidate` (of the probe), `fill`, `dealloc` and `flush` select them;
// a `load` touches its way when the stage moves.
rtl::Module way_tags(const TagParams& p, int tag_bits, const std::string& name);

// Whether the replacement state depends on the ways that loads find: only then is there an input `load`.
bool needs_touch(const TagParams& p);

// Bits of flops of the replacement state.
int replacement_bits(const TagParams& p);

}  // namespace hw
