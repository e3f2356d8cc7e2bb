// Ports of the DynEB controller, a bundle for each event that it observes.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

inline constexpr int dyneb_phase_bits = 3;

struct DynebPorts {
  struct Request {
    rtl::Expr valid, load, odd, home;
  };
  struct Probe {
    rtl::Expr valid, odd, served, miss;
  };
  struct SliceReply {
    rtl::Expr valid, odd, served;
  };
  struct HomeReply {
    rtl::Expr valid, odd, load, hit;
  };
  struct Result {
    rtl::Expr phase, even, odd, hold, idle;
  };

  explicit DynebPorts(rtl::Module& m);

  rtl::Expr flush;
  Request request;
  rtl::Expr answer;
  Probe probe;
  SliceReply slice;
  HomeReply home;
  Result result;
};

}  // namespace hw
