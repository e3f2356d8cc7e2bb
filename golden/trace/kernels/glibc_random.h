// rand() of glibc, which some programs draw their inputs with: x[i] = x[i - 3] + x[i - 31], its lowest bit
// dropped, behind a beginning from the seed by x[i] = 16807 x[i - 1] mod 2^31 - 1.
#pragma once
#include <array>
#include <cstdint>

namespace golden {

class GlibcRandom {
 public:
  explicit GlibcRandom(std::uint32_t seed) {
    std::int64_t x = seed;
    for (std::uint32_t& word : state_) {
      word = static_cast<std::uint32_t>(x);
      x = 16807 * x % 2147483647;
    }
    for (int i = 0; i < 310; ++i) next();
  }

  std::uint32_t next() {
    state_[at_] += state_[(at_ + 28) % 31];
    const std::uint32_t out = state_[at_] >> 1;
    at_ = (at_ + 1) % 31;
    return out;
  }
  // rand() / (float)RAND_MAX * n, as an integer.
  std::uint32_t below(std::uint32_t n) {
    const float part = static_cast<float>(next()) / 2147483647.0F;
    const auto out = static_cast<std::uint32_t>(part * static_cast<float>(n));
    return out < n ? out : n - 1;
  }

 private:
  std::array<std::uint32_t, 31> state_;
  std::size_t at_ = 3;
};

}  // namespace golden
