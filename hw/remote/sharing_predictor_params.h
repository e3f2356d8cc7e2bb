// Parameters of the sharing predictor of remote-core probing (DC-L1 thesis, section 3.3.5), shared by the
// hardware and its reference model. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <algorithm>
#include <bit>

#include "hw/prim/number_list_params.h"

namespace hw {

// By the load's instruction; or every miss is taken to be shared. Of models alone: those whose line another
// core has.
enum class PredictorKind { pc, always, perfect };

using StateNumbers = NumberList<4>;  // one for each state

struct SharingPredictorParams {
  PredictorKind kind = PredictorKind::pc;
  int entries = 64;
  int pc_bits = 16;
  StateNumbers window = {.count = 4, .numbers = {32, 64, 128, 256}};  // W: misses in a state
  StateNumbers shared = {.count = 4, .numbers = {32, 16, 8, 4}};      // S: the first of them, shared
  StateNumbers threshold = {.count = 4, .numbers = {4, 2, 1, 1}};     // T: replies that keep it shared
  int stages = 0;  // cycles from the instruction of a miss to its entry, 0 or 1

  bool operator==(const SharingPredictorParams&) const = default;
};

// Bits of what an entry counts: misses stop below the window, replies at all ones.
constexpr int predictor_miss_bits(const SharingPredictorParams& p) {
  return std::max<int>(
      1, std::bit_width(static_cast<unsigned>(*std::max_element(p.window.begin(), p.window.end())) - 1));
}
constexpr int predictor_reply_bits(const SharingPredictorParams& p) {
  return std::max<int>(
      3, std::bit_width(static_cast<unsigned>(*std::max_element(p.threshold.begin(), p.threshold.end()))));
}
constexpr int predictor_state_bits(const SharingPredictorParams& p) {
  return std::bit_width(static_cast<unsigned>(p.window.count) - 1);
}

}  // namespace hw
