// A unit as it is delivered and simulated: a module each, and one for all sizes of a cell. Mutants, proofs
// and areas are of single sizes: verilog() gives each of them as a module of its own.
#pragma once
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

enum class RamBodies {
  shared,  // behaviour, in one module for all sizes
  apart,   // behaviour, in a module for each size: a macro is of one size
  stubs    // a black box for each size
};

// The module that stands for this one.
std::string delivered_name(const rtl::Module& module, RamBodies rams = RamBodies::shared);

struct DeliveredModule {
  std::string name, text;
  bool is_ram = false;
};

// Children before parents.
std::vector<DeliveredModule> delivered_verilog(const rtl::Module& top, RamBodies rams = RamBodies::shared);

}  // namespace gen
