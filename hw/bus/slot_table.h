// Requests on their way, each in a slot that numbers it and holds what its answer needs.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `slot_table_n<slots>_w<width>`. Ports: `take`, `word` in; `free`, `slot` out, the slot that is taken
// next, in turn; `released`, `released_slot` in; `released_word`, `busy` (a slot is taken) out. Slots, a
// power of two from 2 on, are taken and released at the edge.
rtl::Module slot_table(int slots, int width);

}  // namespace hw
