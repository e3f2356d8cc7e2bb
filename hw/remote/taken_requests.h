// What the L1 of a node takes and answers of its core: known last in a cycle, and so counted in the next
// (DC-L1 thesis, chapter 3; docs/contracts/remote-core.md).
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Ports: a request is `entered` or `answered`; `none_open` and `most_open` say of this cycle how many have no
// answer yet. With `line_bits`, a request that `marks` a `line` does so a cycle later.
rtl::Module taken_requests(int line_bits, const std::string& name);

}  // namespace hw
