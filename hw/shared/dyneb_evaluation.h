// Whether private or shared L1s did better while DynEB sampled (DC-L1 thesis, section 4.4.2): one sequential
// multiplier and 128 cycles.
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/shared/dyneb_params.h"

namespace hw {

// Of each of the sum's blocks.
int dyneb_block_bits(const DynebParams& p);

// Ports: `run` in 128 cycles, in which the counters stand still: `even_` and `odd_` `accesses`, `misses`,
// `slice_replies`, `home_replies`, further `sent` and `sent_missed`; `last`, the last of these cycles;
// `decision`, from the next one on: shared. `clear` makes the next cycle the first.
rtl::Module dyneb_evaluation(const DynebParams& p, const std::string& name);

}  // namespace hw
