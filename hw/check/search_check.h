// A check of the replies to a core among cores that search each other's L1s: a line that is searched for
// comes as a reply of its search (docs/contracts/protocol-checks.md).
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Ports: a search of an MSHR entry begins (`miss`); a reply goes to the L1 (`fill`), of a search or another
// one; the code of the L1's own check, and the first error of both.
rtl::Module search_check(int entries, int id_bits, const std::string& name);

}  // namespace hw
