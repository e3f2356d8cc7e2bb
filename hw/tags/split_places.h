// The slots for missed chunks in a set of split tags (TSC paper, section 3): free slots of groups with the
// line's shared tag, then whole free groups, then victims.
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// Inputs, of the set: `slot_valid`, `slot_busy`, `slot_used` (its NRU bits), `slot_kept` (chunks that the
// load finds), `same_tag` (groups with its shared tag); `missed`, its missed chunks; with victims by chunk
// also `start`, the slot where the search for victims begins. Outputs: `places`, the slot of each missed
// chunk, one-hot, at bit c * S + s; `enough`: each has one.
rtl::Module split_places(const TagParams& p, const std::string& name);

}  // namespace hw
