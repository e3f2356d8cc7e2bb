// A core's traffic as DynEB sees it: another mix in each sample, so that each ends and is judged for each
// reason.
#pragma once
#include <random>

#include "golden/shared/dyneb.h"

namespace verif {

struct DynebInputs {
  bool rst = false;
  golden::Dyneb::In in = {};
};

class DynebStimulus {
 public:
  explicit DynebStimulus(const hw::DynebParams& p) : p_(p) {}

  // Of the cycle that the unit, as it is, begins.
  DynebInputs draw(std::mt19937_64& draw, const golden::Dyneb& unit);

 private:
  // Rates in 256ths.
  struct Mix {
    unsigned odd = 128, request = 128, load = 200, home = 128, answer = 128;
    unsigned probe = 128, served = 64, miss = 64, slice = 64, home_reply = 64, hit = 128;
    bool mirrored = false;  // what one group gets the other gets next
    bool floods = false;    // up to a counter of all ones
    bool unanswered = false;
    bool stays = false;      // until the next sample: no flush, no reset
    bool uncounted = false;  // EXEC without loads of its own
    unsigned own_in = 0;     // of so many loads of SAMPLE one is its own; 0: as often as `served` says
  };

  void plan(std::mt19937_64& draw);
  void plan_flood(std::mt19937_64& draw);
  void plan_aimed(std::mt19937_64& draw);
  void plan_wide(std::mt19937_64& draw);
  golden::Dyneb::In events(std::mt19937_64& draw) const;

  hw::DynebParams p_;
  Mix mix_;
  std::int64_t left_ = 0;        // cycles with this mix
  int samples_ = 0, mixes_ = 0;  // begun so far
  bool becomes_shared_ = false, sampled_ = false, mirrors_ = false, held_ = false;
  golden::Dyneb::In last_ = {};
};

}  // namespace verif
