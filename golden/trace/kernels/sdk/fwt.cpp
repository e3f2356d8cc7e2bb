// fastWalshTransform of the CUDA SDK.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class FastWalsh : public FixedProgram {
 public:
  // Not recorded: straight programs of these lengths, and a step of the loop between barriers.
  static constexpr std::uint32_t threads = 256, global_exit = 56, shared_exit = 118, step = 30;
  static constexpr std::uint64_t shared_log2 = 11;  // elements of a CTA's part in shared memory

  explicit FastWalsh(const Sizes& sizes) : FixedProgram(sizes) {
    const std::uint64_t log2 = sizes["log2"];
    data_ = allocate(word << log2);
    std::uint64_t left = log2, parts = 1;
    for (; left > shared_log2; left -= 2, parts *= 4) {
      const std::uint64_t stride = (std::uint64_t{1} << left) / 4;
      launch({"fwtBatch2Kernel",
              {ceiling(stride, threads), static_cast<std::uint32_t>(parts), 1},
              {threads, 1, 1}},
             [this, stride](const Warp& w) { return over_memory(w, stride); });
    }
    KernelInfo kernel{"fwtBatch1Kernel",
                      {static_cast<std::uint32_t>(parts), 1, 1},
                      {static_cast<std::uint32_t>((std::uint64_t{1} << left) / 4), 1, 1}};
    kernel.shared_bytes = word << left;
    launch(kernel, [this, left](const Warp& w) { return in_shared(w, left); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    std::uint64_t left = sizes["log2"], launches = 0;
    const std::uint64_t warps = (std::uint64_t{1} << left) / 4 / 32;
    for (; left > shared_log2; left -= 2) ++launches;
    return {(launches + 1) * warps * 8,
            warps * (launches * (global_exit + 1) + shared_exit + 1 + (steps_in_shared(left) - 1) * step),
            lines_of(word << sizes["log2"])};
  }

 private:
  // Steps of radix 4, and one of radix 2 where the size is an odd power.
  static std::uint64_t steps_in_shared(std::uint64_t log2) { return log2 / 2 + log2 % 2; }

  // A step of radix 4 of all parts.
  Accesses over_memory(Warp w, std::uint64_t stride) const {
    const auto first = Warp::lanes([&](int l) {
      const std::uint64_t position = w.x(l), low = position & (stride - 1);
      return data_ + word * (4 * stride * w.block_y() + 4 * (position - low) + low);
    });
    const std::uint64_t apart = word * stride;
    static constexpr std::uint32_t loads[] = {26, 29, 32, 35}, stores[] = {42, 45, 48, 51};
    for (std::uint64_t i = 0; i < 4; ++i) co_yield w.load(loads[i], w.active(), word, At{first, i * apart});
    for (std::uint64_t i = 0; i < 4; ++i) co_yield w.store(stores[i], w.active(), word, At{first, i * apart});
    co_yield w.exit(global_exit);
  }
  // All further steps of one part.
  Accesses in_shared(Warp w, std::uint64_t log2) const {
    const std::uint64_t threads_of_part = (std::uint64_t{1} << log2) / 4;
    const auto first =
        Warp::lanes([&](int l) { return data_ + word * (4 * threads_of_part * w.cta() + w.thread_x(l)); });
    static constexpr std::uint32_t loads[] = {20, 24, 28, 32}, stores[] = {101, 105, 109, 113};
    for (std::uint64_t i = 0; i < 4; ++i)
      co_yield w.load(loads[i], w.active(), word, At{first, word * i * threads_of_part});
    for (std::uint64_t i = 0; i < steps_in_shared(log2); ++i) {
      co_yield w.barrier(50);
      if (i + 1 < steps_in_shared(log2)) w.jump(50 + step / 2, 51 - step / 2);
    }
    co_yield w.barrier(98);
    for (std::uint64_t i = 0; i < 4; ++i)
      co_yield w.store(stores[i], w.active(), word, At{first, word * i * threads_of_part});
    co_yield w.exit(shared_exit);
  }

  std::uint64_t data_;
};

}  // namespace

extern const Workload workload_fwt;
const Workload workload_fwt{
    "fwt",
    "fast Walsh transform, steps over memory and then in shared memory",
    "CUDA SDK",
    "fastWalshTransform/fastWalshTransform_kernel.cuh: fwtBatch2Kernel, fwtBatch1Kernel",
    {{"ACI thesis", "FWT", "streaming; short"}},
    {{"log2", 19, 11, 28, "of the elements"}},
    make_program<FastWalsh>,
    FastWalsh::counts,
    "its closed form"};

}  // namespace golden
