// Tag store of split tags (TSC paper, section 3): which slots of a set hold chunks of a line, and which ones
// a load that misses chunks would take.
//
// Inside an l1d of S slots a set, G groups, C chunks a line, E MSHR entries and M merges, its instance `tags`
// and the others hold, beside what they show with observe():
//   tags.shared<g>.rows          shared tag of group g, a row a set; not where all tag bits are private
//   tags.slot<s>.rows            {private tag, position in the line} of slot s, a row a set; not with neither
//   tags.valid_q, busy_q, nru_q  bit set * S + slot
//   tags.late_*_q, fill_*_q, released_*_q    what the cycle before left to write into these arrays
//   tags.lfsr_q                  with victims by chunk
//   mshr.slots.slot_q            field e * C + c of ceil(log2 S) bits
//   mshr.targets.waits_q         field e * C + c of ceil(log2(M + 1)) bits; of the entry in
//                                mshr.last_entry_bits last_waits, if mshr.answered
//   ahead_q                      the tag-lookup stage has what the request in the compare stage writes
//   mshr.entries.pending_q       bit e * C + c
//   data_store.bank<s>.rows      slot s, a row a set
//   mode_selector.<mode>_misses_q, <mode>_traffic_q, <mode>_seen_q    of mode `fine` and `coarse`
//   mode_selector.mode_coarse_q  the mode
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// The set of a request is read as the request enters the compare stage; all slots are compared there, and
// the result is registered as it enters the tag-lookup stage. Slots and places of chunks are one-hot: bit
// c * S + s says that chunk c lies in slot s. The changes of a cycle are made at its end.
rtl::Module split_tag_store(const TagParams& p, int tag_bits, const std::string& name);

// Throws ParamError where a tag has no so many private bits.
void check_private_tag(const TagParams& p, int tag_bits);

// Bits of a tag that a group's slots share.
int shared_tag_bits(const TagParams& p, int tag_bits);

}  // namespace hw
