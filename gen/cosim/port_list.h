// The ports of a Verilated model as C++ for the main of its co-simulation, written from the module
// itself, so that no bench lists them by hand.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace gen {

// Text of a struct Ports: each_input() and each_output() show a visitor every port of a model but its
// clocks, under its name as a template argument; `names` are theirs; and a function of each stream's name
// shows valid, ready and fields together.
std::string port_list(const rtl::Module& top);

}  // namespace gen
