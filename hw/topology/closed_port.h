// Ports of a network behind which there is nobody.
#pragma once
#include <string>

#include "hw/noc/packet.h"

namespace hw {

// Zero of any width.
rtl::Expr zero(int width);

// Ties off a link of wires that nobody sends on; `name` ends the names of unread nets.
void nobody_sends(rtl::Module& m, const Link& link, const std::string& name);

// The same where nobody takes.
void nobody_takes(rtl::Module& m, const Link& link, const std::string& name);

}  // namespace hw
