// Parameters of fine and coarse accesses, shared by the hardware and its reference model (TSC paper, section
// 3).
#pragma once
#include <array>

namespace hw {

enum class ModeKind { fine, coarse, dueling };

// Numbers of sets; a plain value, so that a cache's parameters may be a template argument.
struct SetList {
  static constexpr int most = 16;
  int count = 0;
  std::array<int, most> numbers = {};

  constexpr const int* begin() const { return numbers.data(); }
  constexpr const int* end() const { return numbers.data() + count; }
  bool operator==(const SetList&) const = default;
};

// Fine or coarse accesses of a split cache (TSC paper, section 3, TSC+).
struct ModeParams {
  ModeKind kind = ModeKind::fine;
  SetList fine_sets = {}, coarse_sets = {};  // samplers; empty = automatic
  int threshold = 1024;                      // misses of a mode that shift the counters are one more
  bool follow = false;                       // input `mode_coarse` instead of an own selector

  bool operator==(const ModeParams&) const = default;
};

}  // namespace hw
