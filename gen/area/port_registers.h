// A unit with a flip-flop at each bit of its ports, as placement in an FPGA needs it: the inputs are one
// shift register, so that two pins serve any number of port bits.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace gen {

inline constexpr const char* port_registers_name = "port_registers";

// Bits of the ports, less the clock's.
int port_bits(const rtl::Module& top);

// The Verilog of the module around the unit. Throws ToolError where the unit has more than one clock.
std::string port_registers(const rtl::Module& top);

}  // namespace gen
