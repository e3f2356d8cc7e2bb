// Misses of few instructions and many, some shared and some not, and the replies to their probes,
// soon or late.
#pragma once
#include <optional>
#include <random>
#include <vector>

#include "golden/remote/sharing_predictor.h"

namespace verif {

struct SharingPredictorInputs {
  bool rst = false;
  golden::SharingPredictor::In in = {};
  bool late = false;  // the reply is for a window that has ended
};

class SharingPredictorStimulus {
 public:
  explicit SharingPredictorStimulus(const hw::SharingPredictorParams& p) : p_(p) {}

  // Of the cycle that the unit, as it is, begins.
  SharingPredictorInputs draw(std::mt19937_64& draw, const golden::SharingPredictor& unit);
  // Of the cycle that the unit, as it was, went through.
  void after(const SharingPredictorInputs& inputs, const golden::SharingPredictor& unit);

 private:
  // A tracked miss that may get a reply; misses of its window before it.
  struct Asked {
    unsigned slot = 0;
    int misses = 0;
  };
  void plan(std::mt19937_64& draw);
  std::size_t spare(golden::SharingPredictor::In& in, std::size_t which,
                    const golden::SharingPredictor& unit) const;
  void show_before(golden::SharingPredictor::In& in, bool forgets);

  hw::SharingPredictorParams p_;
  int left_ = 0;                           // cycles of this plan
  unsigned misses_ = 128, replies_ = 128;  // rates in 256ths
  std::uint64_t instructions_ = 1, first_ = 0;
  bool in_order_ = true;
  bool sparing_ = false, last_alone_ = false;
  std::optional<std::uint32_t> shown_;  // with stages: the instruction of the cycle before, for a miss
  std::vector<Asked> asked_;
};

}  // namespace verif
