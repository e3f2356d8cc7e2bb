// The request of a core that is served: its only port's, or the one's of several whose turn it is.
#pragma once
#include <vector>

#include "hw/rtl/stream.h"

namespace hw {

struct BusFront {
  rtl::Expr valid, rw, flush, io, tag, address, byte_enable, data;
  rtl::Expr port;  // its number, where there are several
};

// Adds to `m` what chooses among its request streams, all of the same fields, and their `ready`: `taken` for
// the one that is served.
BusFront bus_front(rtl::Module& m, const std::vector<rtl::Stream>& requests, const rtl::Expr& taken);

}  // namespace hw
