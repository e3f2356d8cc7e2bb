// The kernel of PolyBench/GPU that sums up products: of ATAX, BICG, MVT, GEMM, SYRK, 2MM and 3MM.
#include "golden/trace/kernels/polybench.h"

namespace golden {

Accesses SumKernel::operator()(Warp w, std::uint32_t lanes, std::uint64_t steps, Operand first,
                               Operand second, Lanes result) const {
  if (lanes == 0) {
    w.jump(idle, exit);
  } else {
    if (load) co_yield w.load(*load, lanes, word, At{result});
    if (store) co_yield w.store(*store, lanes, word, At{result});
    loop.enter(w, steps);
    for (std::uint64_t k = 0; k < steps; ++k) {
      if (load_for_rest && steps % 4 != 0 && k == steps / 4 * 4)
        co_yield w.load(*load_for_rest, lanes, word, At{result});
      const auto& pc = loop(k, steps);
      co_yield w.load(pc[0], lanes, word, At{first.base, k * first.stride});
      co_yield w.load(pc[1], lanes, word, At{second.base, k * second.stride});
      co_yield w.store(pc[2], lanes, word, At{result});
      loop.step(w, k, steps);
    }
    loop.leave(w, steps);
  }
  co_yield w.exit(exit);
}

WorkloadCounts SumKernel::counts(WarpCount warps, std::uint64_t steps) const {
  const std::uint64_t accesses =
      (load ? 1u : 0u) + (store ? 1u : 0u) + 3 * steps + (load_for_rest && steps % 4 ? 1u : 0u);
  const std::uint64_t instructions = loop.first + loop.instructions(steps) + exit - loop.end + 1;
  return {warps.working * accesses, warps.working * instructions + warps.idle() * (idle + 2u), 0};
}

}  // namespace golden
