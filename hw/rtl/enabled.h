// Modules that stand still: the same registers, which move in some cycles only.
#pragma once
#include "hw/rtl/module.h"

namespace rtl {

// Registers on clk are in the module, or in what it instantiates.
bool is_clocked(const Module& m);

// A copy of the module and of all that it instantiates, with an input `enable`: without it no register on clk
// moves, but by reset. Copies are called like their originals with `_en` behind. Only of modules that
// are clocked.
Module enabled(const Module& original);

}  // namespace rtl
