// The environment of a probe handler: probes at any position of their lists, an L1 that takes snoops and
// answers them in their order, and networks that take what it sends, each in its own time.
#pragma once
#include <cstdint>
#include <random>

#include "golden/remote/probe_handler.h"

namespace verif {

struct ProbeHandlerInputs {
  bool rst = false;
  golden::ProbeHandler::In in = {};
};

class ProbeHandlerStimulus {
 public:
  explicit ProbeHandlerStimulus(const hw::ProbeHandlerParams& p) : p_(p) {}

  // Of the cycle that the handler, as it is, begins.
  ProbeHandlerInputs draw(std::mt19937_64& draw, const golden::ProbeHandler& handler);

 private:
  void plan(std::mt19937_64& draw);
  golden::Probe probe();
  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  bool often(unsigned rate) { return below(256) < rate; }

  hw::ProbeHandlerParams p_;
  std::mt19937_64 draw_;
  int left_ = 0;
  std::uint64_t number_ = 0;  // of probes so far, as their number
  unsigned probes_ = 128, snoops_ = 128, answers_ = 128, finds_ = 128, forwarded_ = 128, deflected_ = 128,
           replies_ = 128;  // rates in 256ths
};

}  // namespace verif
