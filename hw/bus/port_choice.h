// Several request ports of a core in front of one cache: they are served in turn.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `port_choice_n<ports>_w<width>`. Ports: `waiting` (a bit a port), `words` in; `chosen` (one-hot, 0
// where none waits), `word` out; `taken` in. Who is chosen stays so until taken, and is then the last to be
// chosen again. 2 ports or more.
rtl::Module port_choice(int ports, int width);

}  // namespace hw
