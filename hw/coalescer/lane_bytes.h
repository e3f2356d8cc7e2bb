// A lane's bytes in a word of a line: where they are put, and how they are taken out.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Both know the size by `wide`: bit s says that a lane has more than 2^s bytes. `low` is the lane's offset in
// the word; its bits below the size do not count. Words have 2 bytes or more.

// Module `lane_to_word_b<bytes>`; ports: `wide`, `low`, `data` in; `bytes` (the lane's bytes) and `word`
// (the lane's value at every offset) out.
rtl::Module lane_to_word(int bytes);

// Module `word_to_lane_b<bytes>`; ports: `wide`, `low`, `word` in; `data`, zero-extended, out.
rtl::Module word_to_lane(int bytes);

}  // namespace hw
