// Tag store of decoupled sectored tags (Seznec, ISCA 1994; the DSC of the TSC paper): the line of each
// position of a way, and the tag that a new line takes. Of a set of W ways, k tags a way and C chunks a
// line, tag j of way w is entry w * k + j, and position c of way w is bit w * C + c.
//
// Inside an l1d, beside what is shown with observe():
//   tags.entry<e>.rows     stored tags of entry e, a row a set
//   tags.selectors.rows    a row a set: the tag that each position in use belongs to; not with k = 1
//   tags.valid_q, busy_q   bit set * W * C + position
//   tags.age_q             field set * W * k + entry of ceil(log2(W * k)) bits; not with one entry
//   tags.row_*_q           copies for the probe's set
//   tags.late_*_q, fill_*_q, released_*_q    what the cycle before left to write into these arrays
//   mshr.waits_q           field e * C + c of ceil(log2(M + 1)) bits
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// The positions for what the probe misses are planned in one cycle and taken in a later one.
rtl::Module decoupled_tags(const TagParams& p, int tag_bits, const std::string& name);

// Throws ParamError when none can be built from the parameters.
void check_decoupled(const TagParams& p, int tag_bits);

}  // namespace hw
