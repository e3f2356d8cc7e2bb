// A register slice in front of the L1 data cache: a queue of two requests, whose ready comes from a register
// and depends on nothing that happens in the cache in the same cycle.
#pragma once
#include "hw/tags/exchange.h"

namespace hw {

struct RequestSlice {
  Request request;  // in front of the queue
  rtl::Expr ready;  // one can enter
};

// `moves`: the request in front goes on into the cache, if there is one.
RequestSlice request_slice(rtl::Module& m, const Request& from, const rtl::Expr& moves);

}  // namespace hw
