// The channels of AXI4 at a manager, as ports of a module.
#pragma once
#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct Axi4Channels {
  // AW or AR.
  struct Address {
    rtl::Expr id, addr, len, size, burst, cache, prot, valid, ready;
  };
  struct WriteData {
    rtl::Expr data, strb, last, valid, ready;
  };
  struct WriteAnswer {
    rtl::Expr id, resp, valid, ready;
  };
  struct ReadData {
    rtl::Expr id, data, resp, last, valid, ready;
  };

  Address aw;
  WriteData w;
  WriteAnswer b;
  Address ar;
  ReadData r;
  rtl::Expr error;
};

// Adds the ports.
Axi4Channels axi4_channels(rtl::Module& m, const Axi4BridgeParams& p);

}  // namespace hw
