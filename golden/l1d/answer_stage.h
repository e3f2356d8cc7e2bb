// The answer stage of an L1 data cache, and who gets it next (docs/contracts/l1d.md, "Response stage").
#pragma once
#include <array>
#include <cstdint>

#include "golden/cache/l1d_types.h"

namespace golden {

class AnswerStage {
 public:
  // A hit in the tag-lookup stage, a load that waited, a response that is no fill.
  enum Asker : std::uint8_t { hit, replay, direct, nobody };

  void reset() {
    valid_ = false;
    pointer_ = hit;
  }

  bool valid() const { return valid_; }
  std::uint64_t id() const { return id_; }
  std::uint32_t mask() const { return mask_; }
  const LineData& data() const { return data_; }
  LineData& data() { return data_; }

  bool not_full(bool core_ready) const { return !valid_ || core_ready; }
  // The first that asks, from a pointer on; the stage is taken to be free.
  Asker grant(const std::array<bool, 3>& asks) const {
    for (unsigned i = 0; i < 3; ++i)
      if (const unsigned asker = (pointer_ + i) % 3; asks[asker]) return static_cast<Asker>(asker);
    return nobody;
  }

  // The edge, and then what was granted.
  void step(bool core_ready) { valid_ &= !core_ready; }
  void take(Asker asker, std::uint64_t id, std::uint32_t mask) {
    pointer_ = static_cast<Asker>((asker + 1) % 3);
    valid_ = true;
    id_ = id;
    mask_ = mask;
  }

  // The answer is not given after all; another take of a load does not change who is granted next.
  void withdraw() { valid_ = false; }
  void take_again(std::uint64_t id, std::uint32_t mask) {
    valid_ = true;
    id_ = id;
    mask_ = mask;
  }

 private:
  bool valid_ = false;
  std::uint64_t id_ = 0;
  std::uint32_t mask_ = 0;
  LineData data_{};
  Asker pointer_ = hit;
};

}  // namespace golden
