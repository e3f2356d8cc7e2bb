// The ports of a module as its Verilog has them, clocks and resets included.
#pragma once
#include <string>
#include <string_view>
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
  rtl::Size size = 0;  // the width, in terms of parameters; 0 where it is a number
};

std::vector<Port> ports_of(const rtl::ModuleData& module);
std::vector<Port> ports_of(const rtl::Module& module);

// "[7:0]", and "wire [7:0] name"; of one bit without a range.
std::string bit_range(const rtl::Size& width);
std::string declaration(std::string_view net, const std::string& range, std::string_view name);

}  // namespace gen
