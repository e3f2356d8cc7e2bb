// The ports of a network's part for its bench: flits and credits of so many inputs and outputs.
#pragma once
#include <string>

namespace gen {

// A struct Ports of inputs and outputs 0 to `ports` - 1; without `sides` nothing is carried beside the data.
std::string flit_wires(int ports, bool sides);

}  // namespace gen
