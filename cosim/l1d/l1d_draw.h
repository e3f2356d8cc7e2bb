// Random numbers for stimulus that is drawn several times a cycle: splitmix64.
#pragma once
#include <cstdint>

namespace verif {

class L1dDraw {
 public:
  explicit L1dDraw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }

 private:
  std::uint64_t state_;
};

}  // namespace verif
