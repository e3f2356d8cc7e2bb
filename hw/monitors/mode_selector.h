// Selector between fine and coarse accesses of a split cache: sampler sets of both modes, misses and traffic
// of each, and the mode with the smaller product of the two for all other sets (TSC paper, section 3, TSC+).
#pragma once
#include <string>

#include "hw/monitors/mode_selector_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Cycles from the load that shifts the counters to the first one in the new mode, while no comparison runs.
inline constexpr int mode_delay = 24;

// Bits of a miss or traffic counter.
inline constexpr int mode_counter_bits = 16;

struct Samplers {
  SetList fine, coarse;
};

// The sampler sets as given, else the automatic ones.
Samplers samplers_of(const ModeSelectorParams& p);

// Throws ParamError when no selector can be built from the parameters.
void check(const ModeSelectorParams& p);

// Inputs `probe_valid`: a load of set `probe_set` has fired; `probe_miss`: it missed `probe_chunks` chunks.
// Output `mode_coarse`, from a register.
rtl::Module mode_choice(const ModeSelectorParams& p, const std::string& name);

// The same as a unit of its own, with the load's block address among its ports as every monitor has it.
rtl::Module mode_selector(const ModeSelectorParams& p, const std::string& name);

}  // namespace hw
