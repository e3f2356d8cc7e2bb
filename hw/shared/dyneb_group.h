// Counters of one group of sets, private or shared, while DynEB samples (DC-L1 thesis, chapter 4).
#pragma once
#include "hw/rtl/module.h"
#include "hw/shared/dyneb_params.h"

namespace hw {

// Ports: `clear`, `counts`; events `access`, `own`, `miss`, `slice_reply`, `home_reply` in, of which a cycle
// with `counts` counts; `accesses`, `misses`, `slice_replies`, `home_replies` out; `full`: one of them is all
// ones; `sampled`: own accesses have come to the limit.
rtl::Module dyneb_group(const DynebParams& p, const std::string& name);

}  // namespace hw
