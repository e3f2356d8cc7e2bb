// What a SASS opcode of a trace does to memory: by an own table, since the width in a trace is not the true
// one.
#pragma once
#include <string_view>

#include "golden/trace/rec_trace.h"

namespace golden {

struct TracegOpcode {
  // none: nothing that reaches the data side of an L1; unknown: not in the table, right for what has no
  // addresses.
  enum class What { none, access, barrier, unknown } what = What::none;
  // The windows decide what a generic address is: global, local or shared. copy: an asynchronous copy to
  // shared memory, which older tracers write as two lines, the first one with the shared address.
  enum class Space { global, local, generic, copy } space = Space::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 4;  // per lane
};

TracegOpcode traceg_opcode(std::string_view opcode);
// Which unit an instruction that is no access goes to.
Operation traceg_operation(std::string_view opcode);

}  // namespace golden
