// What kernels of PolyBench/GPU share: one thread an element, and loops that nvcc unrolls by four, which add
// a product to a sum in memory in every step.
#pragma once
#include "golden/trace/kernels/workload.h"

namespace golden {

inline constexpr Size polybench_block_x{"block_x", 32, 1, 1024, "threads of a CTA in x"};
inline constexpr Size polybench_block_y{"block_y", 8, 1, 1024, "threads of a CTA in y"};
inline constexpr Size polybench_row_x{"block_x", 256, 1, 1024, "threads of a CTA in x"};
inline constexpr Size polybench_row_y{"block_y", 1, 1, 1024, "threads of a CTA in y; all do the same"};

inline std::array<std::uint32_t, 3> polybench_block(const Sizes& sizes) {
  if (sizes["block_x"] * sizes["block_y"] > 1024) sizes.fail("block_x * block_y is above 1024 threads");
  return {sizes.u32("block_x"), sizes.u32("block_y"), 1};
}

// Where a loop that is unrolled by four, and the loop for the steps left over, stand in their program.
struct UnrolledLoop {
  std::array<std::array<std::uint32_t, 3>, 4> unrolled = {};  // accesses of its steps
  std::array<std::uint32_t, 3> rest = {};                     // accesses of a step left over
  std::uint32_t first = 0, branch = 0;                        // its first instruction and its last
  std::uint32_t rest_first = 0, rest_branch = 0;              // of the second loop
  std::uint32_t done = 0;                                     // the branch past the second loop
  std::uint32_t end = 0;                                      // where both ways meet again

  // In front of the first step.
  void enter(Warp& w, std::uint64_t steps) const {
    if (steps < 4) w.jump(first - 1, branch + 1);
  }
  const std::array<std::uint32_t, 3>& operator()(std::uint64_t step, std::uint64_t steps) const {
    return step < steps / 4 * 4 ? unrolled[step % 4] : rest;
  }
  // Behind each step.
  void step(Warp& w, std::uint64_t step, std::uint64_t steps) const {
    if (step >= steps / 4 * 4) {
      if (step + 1 < steps) w.jump(rest_branch, rest_first);
    } else if (step % 4 == 3 && step + 1 < steps / 4 * 4) {
      w.jump(branch, first);
    }
  }
  // Behind the last.
  void leave(Warp& w, std::uint64_t steps) const {
    if (steps % 4 == 0) w.jump(done, end);
  }
  // From the first instruction of the loop up to `end`, that not included.
  std::uint64_t instructions(std::uint64_t steps) const {
    const std::uint64_t whole = steps / 4, rest_steps = steps % 4;
    const std::uint64_t behind =
        rest_steps == 0
            ? done - branch
            : rest_first - branch - 1 + rest_steps * (rest_branch - rest_first + 1) + end - rest_branch - 1;
    return whole * (branch - first + 1) + behind;
  }
};

// The addresses of one operand: where a lane begins, and how far it goes in a step.
struct Operand {
  Lanes base;
  std::uint64_t stride;
};

// result (+)= sum over steps of first * second. In front of the loop the result is loaded, stored, or both.
struct SumKernel {
  std::optional<std::uint32_t> load = {}, store = {};
  std::optional<std::uint32_t> load_for_rest = {};  // in front of the steps left over
  UnrolledLoop loop = {};
  std::uint32_t idle = 0;  // the branch by which warps outside the problem leave
  std::uint32_t exit = 0;

  Accesses operator()(Warp w, std::uint32_t lanes, std::uint64_t steps, Operand first, Operand second,
                      Lanes result) const;
  WorkloadCounts counts(WarpCount warps, std::uint64_t steps) const;
};

// Threads beyond the end of a row of `n`.
inline std::uint32_t polybench_lanes(const Warp& w, std::uint64_t n) {
  return Warp::where(w.active(), [&](int l) { return w.x(l) < n; });
}
inline std::uint32_t polybench_lanes(const Warp& w, std::uint64_t columns, std::uint64_t rows) {
  return Warp::where(w.active(), [&](int l) { return w.x(l) < columns && w.y(l) < rows; });
}

}  // namespace golden
