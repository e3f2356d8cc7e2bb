// histo of Parboil: its main kernel, where no bin overflows and no value lies outside the ranges.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Histo : public FixedProgram {
 public:
  static constexpr std::uint64_t rows = 4096, bins_of_range = 8192;
  static constexpr std::uint32_t threads = 512, ctas = 14, stores = bins_of_range / 4 / threads;
  // Whether a value falls into the range of a CTA decides the instructions of a step: 15 is the mean of the
  // recording, which has 14,066,084 of them.
  static constexpr std::uint32_t clear = 22, entry = 29, step = 15, copy = 206, copy_branch = 241, exit = 244;

  explicit Histo(const Sizes& sizes)
      : FixedProgram(sizes), elements_(sizes["width"] * sizes["height"]), first_(sizes["first"]) {
    if (2 * (first_ + sizes["ranges"]) > sizes["width"])
      sizes.fail("first + ranges is above width / 2, the ranges that the program has memory for");
    allocate(elements_ * word);  // the image
    allocate(2 * word);          // the ranges in use
    mappings_ = allocate(elements_ * word);
    histograms_ = allocate(sizes["width"] * rows * word);
    allocate(sizes["width"] * rows * word / 2);  // values outside the ranges
    allocate(sizes["width"] * rows * word);      // overflows
    allocate(sizes["width"] * rows);             // the result
    KernelInfo kernel{"histo_main_kernel", {ctas, sizes.u32("ranges"), 1}, {threads, 1, 1}};
    kernel.shared_bytes = bins_of_range;
    launch(kernel, [this](const Warp& w) { return count(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t ranges = sizes["ranges"], elements = sizes["width"] * sizes["height"],
                        warps = ranges * ctas * threads / 32, steps = ranges * ceiling(elements, 32);
    return {
        steps + 4 * stores * warps,
        warps * (entry + 1 + 3 * clear + exit - 201 + (stores - 1) * (copy_branch - copy + 1)) + step * steps,
        lines_of(elements * word) + ranges * lines_of(bins_of_range * word)};
  }

 private:
  Accesses count(Warp w) const {
    w.run(3 * clear);
    co_yield w.barrier(26);
    const std::uint32_t loop = w.block_y() == 0 ? 108 : 33;  // the first range also looks outside all
    std::uint32_t behind = entry;
    for (std::uint64_t i = 0;; i += w.threads_x()) {
      const auto lanes = Warp::where(w.active(), [&](int l) { return i + w.x(l) < elements_; });
      if (lanes == 0) break;
      w.jump(behind, loop);
      behind = loop + step - 1;
      co_yield w.load(loop + 3, lanes, word, [&](int l) { return mappings_ + word * (i + w.x(l)); });
    }
    w.jump(behind, 202);
    co_yield w.barrier(202);
    const auto bins = Warp::lanes([&](int l) {
      return histograms_ + word * ((first_ + w.block_y()) * bins_of_range + 4 * w.thread_x(l));
    });
    static constexpr std::uint32_t pcs[] = {216, 224, 232, 239};
    for (std::uint64_t i = 0; i < stores; ++i) {
      if (i > 0) w.jump(copy_branch, copy);
      for (std::uint64_t k = 0; k < 4; ++k)
        co_yield w.atomic(pcs[k], w.active(), word, At{bins, word * (4 * threads * i + k)});
    }
    co_yield w.exit(exit);
  }

  std::uint64_t elements_, first_, mappings_, histograms_;
};

}  // namespace

extern const Workload workload_histo;
const Workload workload_histo{
    "histo",
    "histogram in shared memory, a range of 8,192 bins for each row of CTAs, which all read all values",
    "Parboil",
    "benchmarks/histo/src/cuda_base/histo_main.cu: histo_main_kernel",
    {{"TSC", "histo", "CLP"}},
    {{"width", 996, 2, 4096, "values of a row"},
     {"height", 1040, 1, 4096, "rows of values"},
     {"ranges", 26, 1, 128, "in use, a row of 14 CTAs each"},
     {"first", 51, 0, 127, "range in use"}},
    make_program<Histo>,
    Histo::counts,
    "recording, record by record"};

}  // namespace golden
