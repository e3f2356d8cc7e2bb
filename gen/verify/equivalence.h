// Whether a mutant behaves as the sound unit does, by yosys and its ABC.
#pragma once
#include "gen/verify/mutants.h"

namespace gen {

// different: from reset on, some inputs of the mutant's module make one of its outputs differ. unknown: no
// answer within the time, or the module has several clocks.
enum class Equivalence { equivalent, different, unknown };

// First the module by itself, for all inputs; then with what is around it, part by part, and in the whole
// unit, which may use less of the module. RAMs and, of the module by itself, its instances are alike on both
// sides: their inputs are compared, their outputs are anything. Registers without a reset begin alike. Throws
// ToolError when a tool is missing or refuses the Verilog.
Equivalence equivalence(const rtl::Module& top, const Mutant& mutant);

}  // namespace gen
