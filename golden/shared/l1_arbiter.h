// Golden arbiter in front of a shared L1, cycle by cycle (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include <algorithm>
#include <bit>

#include "golden/state.h"
#include "hw/shared/l1_arbiter_params.h"

namespace golden {

class L1Arbiter {
 public:
  explicit L1Arbiter(const hw::L1ArbiterParams& p) : limit_(p.remote_wait_limit) {}

  struct In {
    bool local = false, failed = false, served = false, ready = false;
  };
  // The other core's request goes to the L1, not the core's own.
  bool serves(const In& in) const { return in.served && (old() || in.failed || !in.local); }
  // The other core's request has waited as long as it may.
  bool old() const { return limit_ > 0 && waited_ >= limit_; }
  void edge(const In& in) {
    const bool stays = in.served && !(in.ready && serves(in));
    waited_ = stays ? std::min(waited_ + 1, limit_) : 0;
  }
  void reset() { waited_ = 0; }

  void publish(StateList& list) const {
    list.value("waited", std::bit_width(static_cast<unsigned>(limit_)), {},
               [this](unsigned, unsigned) { return static_cast<unsigned>(waited_); });
  }

 private:
  int limit_, waited_ = 0;
};

}  // namespace golden
