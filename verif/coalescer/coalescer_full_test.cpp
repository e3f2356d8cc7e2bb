// Coalescer: 20 million cycles in lock step over 40 shapes, each with all coverage goals.
#include <gmock/gmock.h>

#include "verif/unit_lock_step.h"

// Every number of lanes with every number of bytes and each number of stages, and other lines and ids beside.
TEST(CoalescerFull, LockStepOfFortyShapes) {
  for (int n = 0; n < 40; ++n) {
    const int lanes = 4 << n % 5, bytes = 1 << n / 5 % 5, instructions = 2 << n % 4;
    const std::vector<std::string> shape{fmt::format("coalescer.lanes={}", lanes),
                                         fmt::format("coalescer.lane_bytes={}", bytes),
                                         fmt::format("coalescer.stages={}", 2 + n % 3),
                                         fmt::format("coalescer.answer_stages={}", 2 + n % 2),
                                         fmt::format("coalescer.instructions={}", instructions),
                                         fmt::format("core.id_bits={}", 4 + n % 5),
                                         fmt::format("geometry.line_bytes={}", 64 << n % 3),
                                         fmt::format("geometry.chunk_bytes={}", 16 << n % 2),
                                         fmt::format("geometry.address_bits={}", n % 2 ? 32 : 47)};
    verif::expect_same("coalescer", shape, 500'000, verif::fresh_seed(static_cast<std::uint64_t>(n)));
  }
}
