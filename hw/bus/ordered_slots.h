// Requests on their way that are answered in any order and leave in the order in which they came.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `ordered_slots_n<slots>_w<width>`: a ring of slots, a power of two from 2 on. Ports:
// - `take`, `word`, `take_answered` in, `free`, `slot` out: the next slot is taken, only while it is free;
// - `answer`, `answered_slot` in: a slot is answered;
// - `oldest_word` out, `leave` in: the oldest slot, which leaves;
// - `oldest_answered` out; or, where data of slots is in a RAM (module `..._ram`), `oldest` out, the number
// of
//   the oldest slot, and `coming`, `coming_answered` out, that after this edge, and whether it was answered
//   before.
// All take effect at the edge.
rtl::Module ordered_slots(int slots, int width, bool ram);

}  // namespace hw
