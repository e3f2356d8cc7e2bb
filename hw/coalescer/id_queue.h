// The ids that no request has, in the order in which they became free.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `id_queue_w<bits>`; ports: `take` in, `free` and `id` out, `freed` and `freed_id` in. After reset
// all ids are free, 0 first. An id that is freed in a cycle can be taken two cycles later.
rtl::Module id_queue(int bits);

}  // namespace hw
