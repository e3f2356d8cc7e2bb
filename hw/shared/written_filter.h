// Remembers which lines a core has stored to past their homes (private-store rule of shared L1s; DC-L1
// thesis, chapter 4): a bit for each hash of an address, cleared row by row.
//
// Ports: `clear`; `request_valid`, `request_ready`, `request_mark`, `request_block_address`, `request_odd`;
// `written` in the cycle after; `clk`, `rst`. What happens in which cycle: docs/contracts/shared-l1.md.
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/shared/written_filter_params.h"

namespace hw {

// Throws ParamError when no filter can be built from the parameters.
void check(const WrittenFilterParams& p);

// The bit of a line, `odd` in the place of its lowest address bit.
rtl::Expr written_index(const WrittenFilterParams& p, const rtl::Expr& block_address, const rtl::Expr& odd);

// Checks the parameters and builds the unit as module `name`.
rtl::Module written_filter(const WrittenFilterParams& p, const std::string& name);

}  // namespace hw
