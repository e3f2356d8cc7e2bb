// Triad of SHOC.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Triad : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 128, exit = 16;

  explicit Triad(const Sizes& sizes) : FixedProgram(sizes) {
    const std::uint64_t elements = sizes["elements"];
    const std::uint64_t a = allocate(elements * word), b = allocate(elements * word),
                        c = allocate(elements * word);
    for (std::uint64_t i = 0; i < sizes["passes"]; ++i)
      launch({"triad", {ceiling(elements, threads), 1, 1}, {threads, 1, 1}},
             [=](const Warp& warp) { return sum(warp, elements, a, b, c); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t elements = sizes["elements"], passes = sizes["passes"];
    const WarpCount warps = count_warps({ceiling(elements, threads), 1, 1}, {threads, 1, 1}, {0, elements});
    return {passes * warps.working * 3, passes * (warps.working * (exit + 1) + warps.idle() * (exit - 2)),
            3 * lines_of(elements * word)};
  }

 private:
  static Accesses sum(Warp w, std::uint64_t elements, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < elements; });
    if (lanes == 0) w.jump(12, exit);
    const auto at = Warp::lanes([&](int l) { return word * w.x(l); });
    co_yield w.load(12, lanes, word, At{at, a});
    co_yield w.load(13, lanes, word, At{at, b});
    co_yield w.store(15, lanes, word, At{at, c});
    co_yield w.exit(exit);
  }
};

}  // namespace

extern const Workload workload_triad;
const Workload workload_triad{
    "triad",
    "C = A + s B, one thread an element",
    "SHOC",
    "src/cuda/level1/triad/Triad.cu: triad",
    {},
    {{"elements", 1 << 20, 1, 1u << 28, "of each vector"}, {"passes", 1, 1, 1000, "launches"}},
    make_program<Triad>,
    Triad::counts,
    "its closed form"};

}  // namespace golden
