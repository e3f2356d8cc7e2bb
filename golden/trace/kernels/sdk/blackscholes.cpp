// BlackScholes of the CUDA SDK.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class BlackScholes : public FixedProgram {
 public:
  // Not recorded: a loop of this length.
  static constexpr std::uint32_t threads = 128, first = 16, branch = 131, idle = 8, exit = 132;

  explicit BlackScholes(const Sizes& sizes) : FixedProgram(sizes), options_(sizes["options"]) {
    for (std::uint64_t& buffer : buffers_) buffer = allocate(options_ * word);
    for (std::uint64_t i = 0; i < sizes["launches"]; ++i)
      launch({"BlackScholesGPU", {sizes.u32("ctas"), 1, 1}, {threads, 1, 1}},
             [this](const Warp& w) { return price(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t options = sizes["options"], warps = sizes["ctas"] * (threads / 32);
    const std::uint64_t steps = (options + 31) / 32, busy = std::min(warps, steps);
    return {
        sizes["launches"] * 5 * steps,
        sizes["launches"] * (busy * (first + 1) + steps * (branch - first + 1) + (warps - busy) * (idle + 2)),
        5 * lines_of(options * word)};
  }

 private:
  // Call and put by stock price, strike and years; each thread goes on a grid further.
  Accesses price(Warp w) const {
    const auto at = Warp::lanes([&](int l) { return word * w.x(l); });
    bool again = false;
    for (std::uint64_t i = 0;; i += w.threads_x()) {
      const auto lanes = Warp::where(w.active(), [&](int l) { return i + w.x(l) < options_; });
      if (lanes == 0) break;
      if (again) w.jump(branch, first);
      again = true;
      const std::uint64_t far = word * i;
      co_yield w.load(18, lanes, word, At{at, buffers_[2] + far});
      co_yield w.load(20, lanes, word, At{at, buffers_[3] + far});
      co_yield w.load(22, lanes, word, At{at, buffers_[4] + far});
      co_yield w.store(124, lanes, word, At{at, buffers_[0] + far});
      co_yield w.store(127, lanes, word, At{at, buffers_[1] + far});
    }
    if (!again) w.jump(idle, exit);
    co_yield w.exit(exit);
  }

  std::uint64_t options_;
  std::array<std::uint64_t, 5> buffers_;  // call, put, price, strike, years
};

}  // namespace

extern const Workload workload_blackscholes;
const Workload workload_blackscholes{
    "blackscholes",
    "prices of options, one thread an option",
    "CUDA SDK",
    "BlackScholes/BlackScholes_kernel.cuh: BlackScholesGPU",
    {{"DC-L1 thesis", "C-BLK", "no replication"}, {"ACI thesis", "BLK", "streaming; short"}},
    {{"options", 1000000, 1, 1 << 27, "options"},
     {"ctas", 480, 1, 1 << 16, "CTAs of 128 threads"},
     {"launches", 1, 1, 1000, "launches"}},
    make_program<BlackScholes>,
    BlackScholes::counts,
    "its closed form"};

}  // namespace golden
