// Reduction of SHOC.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Reduction : public FixedProgram {
 public:
  // Not recorded: a loop of this length, then a tree in shared memory with a barrier for each of its levels
  // above a warp.
  static constexpr std::uint32_t threads = 256, first = 22, branch = 32, idle = 18, sums = 34, level = 8,
                                 exit = 96;

  explicit Reduction(const Sizes& sizes) : FixedProgram(sizes), elements_(sizes["elements"]) {
    input_ = allocate(elements_ * word);
    output_ = allocate(sizes["ctas"] * word);
    KernelInfo kernel{"reduce", {sizes.u32("ctas"), 1, 1}, {threads, 1, 1}};
    kernel.shared_bytes = threads * word;
    for (std::uint64_t i = 0; i < sizes["passes"]; ++i)
      launch(kernel, [this](const Warp& w) { return sum(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t elements = sizes["elements"], ctas = sizes["ctas"];
    const std::uint64_t steps = elements / (2 * 32), warps = ctas * (threads / 32),
                        busy = std::min(warps, steps);
    return {sizes["passes"] * (2 * steps + ctas),
            sizes["passes"] * (busy * first + steps * (branch - first + 1) + (warps - busy) * (idle + 1) +
                               warps * (exit - branch)),
            lines_of(elements * word) + lines_of(ctas * word)};
  }

 private:
  Accesses sum(Warp w) const {
    const auto all = w.active();
    const auto at =
        Warp::lanes([&](int l) { return input_ + word * (2 * threads * w.block_x() + w.thread_x(l)); });
    bool again = false;
    for (std::uint64_t i = 0; 2 * threads * w.block_x() + i < elements_; i += 2 * w.threads_x()) {
      if (again) w.jump(branch, first);
      again = true;
      co_yield w.load(24, all, word, At{at, word * i});
      co_yield w.load(26, all, word, At{at, word * (i + threads)});
    }
    if (!again) w.jump(idle, branch + 1);
    co_yield w.barrier(sums + 1);
    for (std::uint32_t half = threads / 2, n = 0; half > 32; half /= 2, ++n)
      co_yield w.barrier(sums + level * (n + 1));
    co_yield w.store(exit - 2, w.index() == 0 ? 1 : 0, word,
                     [&](int) { return output_ + word * w.block_x(); });
    co_yield w.exit(exit);
  }

  std::uint64_t elements_, input_, output_;
};

}  // namespace

extern const Workload workload_reduction;
const Workload workload_reduction{
    "reduction",
    "sum of a vector, a part for each CTA",
    "SHOC",
    "src/cuda/level1/reduction/reduction_kernel.h: reduce",
    {{"DC-L1 thesis", "S-Reduction", "replication only a full sharing removes"}},
    {{"elements", 1 << 22, 512, 1u << 29, "of the vector", 512},
     {"ctas", 64, 1, 1 << 16, "CTAs of 256 threads"},
     {"passes", 1, 1, 1000, "launches"}},
    make_program<Reduction>,
    Reduction::counts,
    "its closed form"};

}  // namespace golden
