// MonteCarlo of the CUDA SDK, before its random numbers were made in the kernel.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class MonteCarlo : public FixedProgram {
 public:
  // Not recorded: a loop over samples, then a tree in shared memory with a barrier for each level.
  static constexpr std::uint32_t threads = 256, first = 18, branch = 33, idle = 16, sums = 36, level = 12,
                                 exit = 160;

  explicit MonteCarlo(const Sizes& sizes) : FixedProgram(sizes), paths_(sizes["paths"]) {
    if (paths_ / sizes["options"] >= 8192)
      sizes.fail("paths is 8192 times options or more, where the program takes several CTAs an option");
    samples_ = allocate(paths_ * word);
    results_ = allocate(sizes["options"] * 2 * word);
    KernelInfo kernel{"MonteCarloOneBlockPerOption", {sizes.u32("options"), 1, 1}, {threads, 1, 1}};
    kernel.shared_bytes = 2 * threads * word;
    for (std::uint64_t i = 0; i < sizes["launches"]; ++i)
      launch(kernel, [this](const Warp& w) { return price(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t paths = sizes["paths"], options = sizes["options"], warps = threads / 32;
    const std::uint64_t steps = (paths + 31) / 32, busy = std::min(warps, steps);
    return {sizes["launches"] * options * (steps + 2),
            sizes["launches"] * options *
                (busy * first + steps * (branch - first + 1) + (warps - busy) * (idle + 1) +
                 warps * (exit - branch)),
            lines_of(paths * word) + lines_of(options * 2 * word)};
  }

 private:
  // Every CTA goes through all samples for its option, which is in constant memory.
  Accesses price(Warp w) const {
    const auto at = Warp::lanes([&](int l) { return samples_ + word * w.thread_x(l); });
    bool again = false;
    for (std::uint64_t i = 0;; i += threads) {
      const auto lanes = Warp::where(w.active(), [&](int l) { return i + w.thread_x(l) < paths_; });
      if (lanes == 0) break;
      if (again) w.jump(branch, first);
      again = true;
      co_yield w.load(20, lanes, word, At{at, word * i});
    }
    if (!again) w.jump(idle, branch + 1);
    for (std::uint32_t n = 0; n < 8; ++n) co_yield w.barrier(sums + level * n);
    for (std::uint32_t i = 0; i < 2; ++i)
      co_yield w.store(exit - 4 + 2 * i, w.index() == 0 ? 1 : 0, word,
                       [&](int) { return results_ + word * (2 * w.block_x() + i); });
    co_yield w.exit(exit);
  }

  std::uint64_t paths_, samples_, results_;
};

}  // namespace

extern const Workload workload_monte_carlo;
const Workload workload_monte_carlo{"monte_carlo",
                                    "prices of options by sums over common random samples, one CTA an option",
                                    "CUDA SDK",
                                    "MonteCarlo/MonteCarlo_kernel.cuh of 3.1: MonteCarloOneBlockPerOption",
                                    {{"ACI thesis", "OP", "friendly; short"}},
                                    {{"options", 256, 1, 2048, "options"},
                                     {"paths", 1 << 18, 1, 1 << 24, "samples"},
                                     {"launches", 1, 1, 1000, "launches"}},
                                    make_program<MonteCarlo>,
                                    MonteCarlo::counts,
                                    "its closed form"};

}  // namespace golden
