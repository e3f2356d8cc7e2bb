// The memory of a single SM: a NextLevel.
#pragma once
#include "golden/gpu/memory_side.h"
#include "golden/gpu/next_level.h"

namespace golden {

class OwnMemory final : public MemorySide {
 public:
  explicit OwnMemory(const NextLevelParams& p) : level_(p) {}

  void drive(int, L1dIn& in) const override { level_.drive(in); }
  void take(int, const L1dIn& in, const L1dOut& out) override { level_.edge(in, out); }
  void tick() override {}
  // Requests that wait: they are in the buffers as far as those hold them.
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const override {
    level_.occupancy(counts, most);
  }

 private:
  NextLevel level_;
};

}  // namespace golden
