// The ports of a module as its Verilog has them, clocks and resets included.
#pragma once
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

struct Port {
  std::string name, direction;  // "input" or "output"
  int width = 1;
  std::string doc;
  bool is_reg = false;  // set by an always block
  bool is_clock = false;
  bool is_reset = false;
};

std::vector<Port> ports_of(const rtl::ModuleData& module);
std::vector<Port> ports_of(const rtl::Module& module);

}  // namespace gen
