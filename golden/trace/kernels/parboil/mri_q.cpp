// mri-q of Parboil: a matrix of scanner calibration. Samples of the trajectory are in constant memory.
#include <algorithm>

#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class MriQ : public FixedProgram {
 public:
  static constexpr std::uint32_t phi_threads = 512, q_threads = 256, samples_a_launch = 1024;
  // Not recorded: programs of these lengths; the loop takes two samples a step, and an odd one ahead.
  static constexpr std::uint32_t phi_idle = 8, phi_exit = 22, q_exit = 130, odd = 30, first = 56,
                                 branch = 119;

  explicit MriQ(const Sizes& sizes)
      : FixedProgram(sizes), samples_(sizes["samples"]), points_(sizes["points"]) {
    for (std::uint64_t& buffer : phi_) buffer = allocate(samples_ * word);
    launch({"ComputePhiMag_GPU", {ceiling(samples_, phi_threads), 1, 1}, {phi_threads, 1, 1}},
           [this](const Warp& w) { return magnitude(w); });
    for (std::uint64_t& buffer : points_at_) buffer = allocate(points_ * word);
    for (std::uint64_t done = 0; done < samples_; done += samples_a_launch) {
      const std::uint64_t here = std::min<std::uint64_t>(samples_ - done, samples_a_launch);
      launch({"ComputeQ_GPU", {ceiling(points_, q_threads), 1, 1}, {q_threads, 1, 1}},
             [this, here](const Warp& w) { return point(w, here); });
    }
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t samples = sizes["samples"], points = sizes["points"];
    const WarpCount phi =
        count_warps({ceiling(samples, phi_threads), 1, 1}, {phi_threads, 1, 1}, {0, samples});
    const std::uint64_t warps = points / 32, launches = ceiling(samples, samples_a_launch);
    const std::uint64_t steps = steps_of(samples), odd_ones = samples % 2 ? launches : 0;
    return {3 * phi.working + 7 * warps * launches,
            phi.working * (phi_exit + 1) + phi.idle() * (phi_idle + 2) +
                warps * (launches * (odd + 1 + q_exit - branch) + odd_ones * (first - odd - 1) +
                         steps * (branch - first + 1)),
            3 * lines_of(samples * word) + 5 * lines_of(points * word)};
  }

 private:
  // Of all launches; the program tests the number of all samples for being odd, so that with an odd number
  // each launch takes one ahead.
  static std::uint64_t steps_of(std::uint64_t samples) {
    std::uint64_t steps = 0;
    for (std::uint64_t done = 0; done < samples; done += samples_a_launch)
      steps += (std::min<std::uint64_t>(samples - done, samples_a_launch) - samples % 2 + 1) / 2;
    return steps;
  }

  Accesses magnitude(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < samples_; });
    const auto at = Warp::lanes([&](int l) { return word * w.x(l); });
    if (lanes == 0) w.jump(phi_idle, phi_exit);
    co_yield w.load(13, lanes, word, At{at, phi_[0]});
    co_yield w.load(15, lanes, word, At{at, phi_[1]});
    co_yield w.store(21, lanes, word, At{at, phi_[2]});
    co_yield w.exit(phi_exit);
  }

  // A point of the image, and the sums so far.
  Accesses point(Warp w, std::uint64_t samples) const {
    const auto at = Warp::lanes([&](int l) { return word * w.x(l); });
    for (std::uint32_t i = 0; i < 5; ++i)
      co_yield w.load(12 + 3 * i, w.active(), word, At{at, points_at_[i]});
    if (samples_ % 2 == 0) w.jump(odd, first);
    const auto steps = static_cast<std::uint32_t>((samples - samples_ % 2 + 1) / 2);
    if (steps > 0) w.run((steps - 1) * (branch - first + 1));
    if (steps == 0) w.jump(first - 1, branch + 1);
    co_yield w.store(126, w.active(), word, At{at, points_at_[3]});
    co_yield w.store(128, w.active(), word, At{at, points_at_[4]});
    co_yield w.exit(q_exit);
  }

  std::uint64_t samples_, points_;
  std::array<std::uint64_t, 3> phi_;        // real, imaginary, magnitude
  std::array<std::uint64_t, 5> points_at_;  // x, y, z, and Q real, imaginary
};

}  // namespace

extern const Workload workload_mri_q;
const Workload workload_mri_q{"mri_q",
                              "Q of a scanner, one thread a point, a launch for each 1,024 samples",
                              "Parboil",
                              "benchmarks/mri-q/src/cuda/computeQ.cu: ComputePhiMag_GPU, ComputeQ_GPU",
                              {},
                              {{"samples", 3072, 1, 1 << 20, "of the trajectory"},
                               {"points", 32768, 256, 1 << 24, "of the image", MriQ::q_threads}},
                              make_program<MriQ>,
                              MriQ::counts,
                              "its closed form"};

}  // namespace golden
