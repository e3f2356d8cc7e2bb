// Histogram by global atomics, from "CUDA by Example".
#include "golden/trace/kernels/random.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Histogram : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 256, exit = 19;

  explicit Histogram(const Sizes& sizes) : FixedProgram(sizes), bytes_(sizes["bytes"]), seed_(sizes["seed"]) {
    input_ = allocate(bytes_);
    bins_ = allocate(256 * word);
    launch({"histo_kernel", {sizes.u32("ctas"), 1, 1}, {threads, 1, 1}},
           [this](const Warp& warp) { return count(warp); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t bytes = sizes["bytes"], warps = sizes["ctas"] * (threads / 32);
    const std::uint64_t steps = (bytes + 31) / 32, idle = warps > steps ? warps - steps : 0;
    return {2 * steps, 12 * (warps - idle) + idle * 11 + 8 * steps, 0};
  }

 private:
  // Four even draws: a hump in the middle of 0 to 252.
  std::uint64_t value(std::uint64_t at) const {
    const std::uint64_t bits = random_bits(seed_, at);
    return (bits & 63) + (bits >> 6 & 63) + (bits >> 12 & 63) + (bits >> 18 & 63);
  }

  Accesses count(Warp w) const {
    bool again = false;
    for (std::uint64_t first = 0;; first += w.threads_x()) {
      const auto at = [&](int l) { return first + w.x(l); };
      const auto lanes = Warp::where(w.active(), [&](int l) { return at(l) < bytes_; });
      if (lanes == 0) break;
      if (again) w.jump(18, 11);
      again = true;
      co_yield w.load(12, lanes, 1, [&](int l) { return input_ + at(l); });
      co_yield w.atomic(15, lanes, word, [&](int l) { return bins_ + word * value(at(l)); });
    }
    if (!again) w.jump(9, exit);
    co_yield w.exit(exit);
  }

  std::uint64_t bytes_, seed_, input_, bins_;
};

}  // namespace

extern const Workload workload_histogram;
const Workload workload_histogram{"histogram",
                                  "256 bins by global atomics over bytes drawn around their middle",
                                  "CUDA by Example",
                                  "J. Sanders, E. Kandrot: CUDA by Example, chapter 9: histo_kernel",
                                  {},
                                  {{"bytes", 1 << 20, 1, 1u << 30, "input"},
                                   {"ctas", 32, 1, 1 << 16, "CTAs of 256 threads"},
                                   {"seed", 1, 0, 1u << 31, "of the input"}},
                                  make_program<Histogram>,
                                  Histogram::counts,
                                  "its closed form"};

}  // namespace golden
