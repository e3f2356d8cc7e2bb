// Profiling in BUCL's update unit (BUCL-Prf, section 4): the SMs run with thresholds of their own for a
// while, and then all of them with that of the SM that issued most.
#pragma once
#include "hw/policy/bucl_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits of an SM's count.
int ran_bits(const BuclParams& p);

// Inputs `issued<s>`, the lanes that each SM issues in a cycle, as one vector.
rtl::Expr issued_inputs(rtl::Module& m, const BuclParams& p);

struct BuclProfile {
  rtl::Expr profiling;  // the SMs keep their own values
  rtl::Expr found;      // the search ends, and some SM has issued something
  rtl::Expr threshold;  // of the SM that issued most, in that cycle
};

// Adds counters and search to the unit; `kernel_start` restarts.
BuclProfile add_profile(rtl::Module& m, const BuclParams& p, const rtl::Expr& kernel_start,
                        const rtl::Expr& issued);

}  // namespace hw
