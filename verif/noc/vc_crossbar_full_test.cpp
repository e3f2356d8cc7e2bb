// 20 million lock-step cycles over 40 crossbars with virtual channels, from 2x1 to 10x8, odd sizes among
// them.
#include <random>
#include "verif/noc/vc_shape.h"
#include "verif/unit_lock_step.h"

namespace {

constexpr int shapes = 40;
constexpr std::int64_t cycles = 500'000;

}  // namespace

// Random back-pressure, packets of 1 to 6 flits, resets. Half of the shapes have one iteration, whose bound
// on waiting is then checked too.
TEST(VcCrossbarFull, InLockStepWithGolden) {
  const std::uint64_t seed = verif::fresh_seed(19);
  std::mt19937_64 draw(seed);
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(draw() % static_cast<std::uint64_t>(high - low + 1));
  };
  for (int k = 0; k < shapes; ++k) {
    verif::CrossbarShape s{};
    s.inputs = k == 0 ? 2 : k == 1 ? 10 : between(2, 10);
    s.outputs = k == 0 ? 1 : k == 1 ? 8 : between(1, 8);
    s.vcs = 1 + k % 4;
    s.depth = between(1, 6);
    s.iterations = k / 4 % 2 ? between(2, 4) : 1;
    s.bytes = between(1, 9);
    s.side = between(0, 1) * between(1, 40);
    fmt::print("{}x{}, {} VCs of {}, {} iterations, {} bytes, {} side bits: ", s.inputs, s.outputs, s.vcs,
               s.depth, s.iterations, s.bytes, s.side);
    verif::expect_same("vc_crossbar", s.settings(), cycles, seed);
  }
}
