// Core selector of remote-core probing: draws, ahead of the miss, which cores are searched for a line and by
// how many probes (DC-L1 thesis, section 3.3.3).
//
// Ports: `take`, a reply and its core, `clear` in; `valid`, `probes` and the targets in search order out,
// from registers; `clk`, `rst`. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <string>

#include "hw/remote/core_selector_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no selector can be built from the parameters.
void check(const CoreSelectorParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module core_selector(const CoreSelectorParams& p, const std::string& name);

// A list has a cycle of its own and so many a target; counts become weights before it, in so many more: with
// stages in two passes over the other cores.
constexpr int cycles_of_target(const CoreSelectorParams& p) { return 2 + p.stages; }
constexpr int cycles_of_list(const CoreSelectorParams& p) { return cycles_of_target(p) * p.coverage + 1; }
constexpr int cycles_of_roll(const CoreSelectorParams& p) { return p.stages ? 2 * (p.cores + 1) + 2 : 2; }

// Widths of registers beside the registers that the thesis counts.
int selector_step_bits(const CoreSelectorParams& p);
int weight_sum_bits(const CoreSelectorParams& p);
int running_sum_bits(const CoreSelectorParams& p);
int selector_groups(const CoreSelectorParams& p);  // of cores, whose smallest counts are found first

}  // namespace hw
