// A FIFO between clk and clk_noc1, twice as fast and edge-aligned (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include <string>

#include "hw/noc/crossing_fifo_params.h"
#include "hw/rtl/module.h"

namespace hw {

inline constexpr int noc1_ratio = 2;

// The fast clock, for modules that have it.
rtl::Clock noc1_clock(rtl::Module& m);

// Throws ParamError when no FIFO can be built from the parameters.
void check(const CrossingParams& p);

// Streams `in` and `out` with the field `data`. State for benches: `in_pointer_q`, `out_pointer_q` ({round,
// slot}; of one entry the round alone) and the slow side's copy, `out_seen_q` with `to_fast`, else
// `in_seen_q`.
rtl::Module crossing_fifo(const CrossingParams& p, const std::string& name);

// The same as a part of larger units, named after its parameters.
rtl::Module crossing_fifo(const CrossingParams& p);

}  // namespace hw
