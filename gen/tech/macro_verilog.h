// Verilog of the RAM macros of a technology: as black boxes, and as models that behave like them.
#pragma once
#include <string>

#include "gen/tech/macro.h"

namespace gen {

// The pins of the macro; where the user states none, names of their own.
MacroPins pins_of(const Macro& macro);

// Of a number from 0 to count - 1, at least one.
int address_bits(int count);

// The pins alone.
std::string macro_stub(const Macro& macro);

// A model for simulation: what it reads is at its output from the edge of the read on, and stays there while
// it writes or rests; a row is unknown until it is written.
std::string macro_model(const Macro& macro);

}  // namespace gen
