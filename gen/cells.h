// CellText in a printed text: modules with parameters, or each size as a module of its own.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace gen {

// Which modules of cells are one module with parameters.
enum class CellText { apart, shared, shared_but_rams };

bool is_shared(const rtl::ModuleData& module, CellText cells);

// With numbers in the place of parameters: an expression, and a description.
rtl::Expr in_numbers(const rtl::Expr& e);
std::string in_numbers(std::string doc, const rtl::ModuleData& module);

}  // namespace gen
