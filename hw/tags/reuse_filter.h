// Tag store of the reuse-count filter: more tag entries than lines of data, and a line gets data only after
// enough requests (Decoupled L1D paper, section 4).
//
// State, for observers inside (W data ways, T tag entries, R bits of a reuse count, P = ceil(log2 W)):
//   entry<t>.rows      stored tags of entry t, a row a set
//   entry_valid_q      bit set * T + entry
//   reuse.rows         a row a set; counts only where entry_valid_q is set: from bit 0 on the T reuse
//                      counts of R bits, entry 0 lowest; then a bit an entry: it is linked to a data way;
//                      then T positions of P bits, the data way it is linked to (none with one data way)
//   valid_q, busy_q    bit set * W + way
//   age_q              field set * W + way; not with one data way
//   row_*_q            copies for the probe's set
// An entry has a line while it is valid, linked, and its data way valid or busy: a store or the end of a
// poisoned fill leaves a link to a free data way, which means nothing.
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// Bits of a row of reuse counts, links and positions.
int reuse_row_bits(const TagParams& p);

// Throws ParamError when no filter can be built from the parameters.
void check_reuse_filter(const TagParams& p, int tag_bits);

// Whether the filter can be on: otherwise there are no bypasses.
constexpr bool filters(const TagParams& p) { return traits_of(p.tags).filters && p.reuse.threshold >= 2; }

// In the place of tag_store (hw/tags/way_tags.h). Output `filtered`, where the filter can be on: a load that
// no MSHR entry matches and that is no hit bypasses; input `bypass`: it does and leaves.
rtl::Module reuse_filter(const TagParams& p, int tag_bits, const std::string& name);

}  // namespace hw
