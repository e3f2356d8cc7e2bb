// particlefilter of Rodinia, in its naive form.
#include <memory>

#include "golden/trace/kernels/random.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

constexpr std::uint64_t double_bytes = 8;

class ParticleFilter : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 128, exit = 52, idle = 8, first = 22, branch = 31, found = 40;

  explicit ParticleFilter(const Sizes& sizes) : FixedProgram(sizes), particles_(sizes["particles"]) {
    for (std::uint64_t* const buffer : {&x_, &y_, &new_x_, &new_y_, &sums_, &draws_})
      *buffer = allocate(particles_ * double_bytes);
    for (std::uint64_t frame = 0; frame < sizes["frames"]; ++frame) {
      auto chosen =
          std::make_shared<const std::vector<std::uint32_t>>(resample(particles_, sizes["seed"], frame));
      launch({"kernel", {ceiling(particles_, threads), 1, 1}, {threads, 1, 1}},
             [this, chosen](const Warp& w) { return search(w, *chosen); });
    }
  }

 private:
  // Which particle each new one is a copy of. Weights of 1 to 64 are drawn; new particle i has the first
  // whose sum of weights reaches i + u of n equal parts of the whole, where u is drawn once a frame.
  static std::vector<std::uint32_t> resample(std::uint64_t n, std::uint64_t seed, std::uint64_t frame) {
    std::vector<std::uint64_t> sums(n);
    std::uint64_t sum = 0;
    for (std::uint64_t p = 0; p < n; ++p) sums[p] = sum += 1 + random_bits(seed, (frame << 32) + p) % 64;
    const std::uint64_t start = random_bits(seed, (frame << 32) + n) % 1024;
    std::vector<std::uint32_t> out(n);
    std::uint32_t found = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      while (sums[found] * n * 1024 < (i * 1024 + start) * sum) ++found;
      out[i] = found;
    }
    return out;
  }

  // Each thread goes through the sums from the first up to its own.
  Accesses search(Warp w, const std::vector<std::uint32_t>& chosen) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < particles_; });
    const auto own = Warp::lanes([&](int l) { return double_bytes * w.x(l); });
    if (lanes == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    co_yield w.load(19, lanes, double_bytes, At{own, draws_});
    std::uint32_t left = lanes;
    for (std::uint64_t p = 0;; ++p) {
      co_yield w.load(24, left, double_bytes, [&](int) { return sums_ + double_bytes * p; });
      left = Warp::where(left, [&](int l) { return chosen[w.x(l)] > p; });
      if (left == 0) break;
      w.jump(branch, first);
    }
    w.jump(branch, found);
    const auto from = [&](std::uint64_t buffer) {
      return [&, buffer](int l) { return buffer + double_bytes * chosen[w.x(l)]; };
    };
    co_yield w.load(40, lanes, double_bytes, from(x_));
    co_yield w.store(44, lanes, double_bytes, At{own, new_x_});
    co_yield w.load(47, lanes, double_bytes, from(y_));
    co_yield w.store(50, lanes, double_bytes, At{own, new_y_});
    co_yield w.exit(exit);
  }

  std::uint64_t particles_, x_, y_, new_x_, new_y_, sums_, draws_;
};

}  // namespace

extern const Workload workload_particlefilter;
const Workload workload_particlefilter{
    "particlefilter",
    "resampling of particles, each thread searches the sums of weights from the first; weights are drawn",
    "Rodinia",
    "cuda/particlefilter/ex_particle_CUDA_naive_seq.cu: kernel",
    {{"TSC", "particlefilter", "CLN"},
     {"BUCL", "PTF", "un-coalesced; 106,432,080 instructions"},
     {"Decoupled L1D", "PTF", "cache-unfriendly; 7,022,693 instructions"}},
    {{"particles", 4096, 1, 1 << 20, "particles"},
     {"frames", 1, 1, 100, "launches"},
     {"seed", 1, 0, 1u << 31, "of the weights"}},
    make_program<ParticleFilter>,
    nullptr,
    "recording: the search as its rule says, record by record; weights are drawn"};

}  // namespace golden
