// Prints a module as plain Verilog-2005: one module a file, items in the order in which they were described.
#pragma once
#include <cstdint>
#include <string>

#include "gen/cells.h"
#include "hw/rtl/module.h"

namespace gen {

// The text depends on the module alone: no dates, no absolute paths, no counters. Throws what Module::finish
// throws. `order` other than 0 prints the same circuit with its assignments in another order: synthesis
// results move by some per cent with the order of the lines, and `area --orders` measures by how much.
std::string verilog(const rtl::Module& module, std::uint32_t order = 0, CellText cells = CellText::apart);

// The same of a module that the checks would refuse: one with something broken on purpose.
std::string verilog_unchecked(const rtl::ModuleData& module);

// The ports, marked as a black box: a macro or a body from elsewhere replaces the module. Until then its
// outputs are X, and linters find no input unread.
std::string verilog_stub(const rtl::Module& module);

}  // namespace gen
