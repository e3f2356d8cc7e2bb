// Ports of a network behind which there is nobody.
#pragma once
#include <string>

#include "hw/packet/packet.h"

namespace hw {

// Zero of any width.
rtl::Expr zero(int width);

// Pins of input `port` of a part of a network that nobody sends to; `like` is a link of the same shape, and
// `name` begins the names of wires.
Pins nobody_enters(rtl::Module& m, const Link& like, int port, const std::string& name);

// Pins of output `port`, whose wires are `out`, that nobody takes from.
Pins nobody_takes(rtl::Module& m, const Link& out, int port, const std::string& name);

}  // namespace hw
