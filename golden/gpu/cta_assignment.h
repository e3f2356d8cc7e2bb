// Deals CTAs to SMs: the next SM in turn with free warp slots.
#pragma once

namespace golden {

class CtaAssignment {
 public:
  explicit CtaAssignment(int sms) : sms_(sms) {}

  // The SM that gets the next CTA, or -1 when none fits(SM); the turn passes to the SM behind it.
  template <class Fits>
  int pick(Fits&& fits) {
    for (int i = 0; i < sms_; ++i) {
      const int sm = (turn_ + i) % sms_;
      if (!fits(sm)) continue;
      turn_ = (sm + 1) % sms_;
      return sm;
    }
    return -1;
  }

 private:
  int sms_, turn_ = 0;
};

}  // namespace golden
