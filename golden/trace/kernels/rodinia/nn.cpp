// nn of Rodinia: nearest neighbours.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class NearestNeighbours : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 256, idle = 12, exit = 33;  // not recorded

  explicit NearestNeighbours(const Sizes& sizes) : FixedProgram(sizes), records_(sizes["records"]) {
    places_ = allocate(records_ * 2 * word);
    distances_ = allocate(records_ * word);
    launch({"euclid", {ceiling(records_, threads), 1, 1}, {threads, 1, 1}},
           [this](const Warp& w) { return distance(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t records = sizes["records"];
    const WarpCount warps = count_warps({ceiling(records, threads), 1, 1}, {threads, 1, 1}, {0, records});
    return {3 * warps.working, warps.working * (exit + 1) + warps.idle() * (idle + 2),
            lines_of(records * 2 * word) + lines_of(records * word)};
  }

 private:
  // The distance of a record: its latitude and longitude stand side by side.
  Accesses distance(Warp w) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < records_; });
    const auto place = Warp::lanes([&](int l) { return 2 * word * w.x(l); });
    if (lanes == 0) w.jump(idle, exit);
    co_yield w.load(20, lanes, word, At{place, places_});
    co_yield w.load(23, lanes, word, At{place, places_ + word});
    co_yield w.store(32, lanes, word, [&](int l) { return distances_ + word * w.x(l); });
    co_yield w.exit(exit);
  }

  std::uint64_t records_, places_, distances_;
};

}  // namespace

extern const Workload workload_nn;
const Workload workload_nn{"nn",
                           "distances of records from a point, one thread a record",
                           "Rodinia",
                           "cuda/nn/nn_cuda.cu: euclid",
                           {{"ACI thesis", "NN", "friendly; short"}},
                           {{"records", 42764, 1, 1 << 27, "hurricanes"}},
                           make_program<NearestNeighbours>,
                           NearestNeighbours::counts,
                           "its closed form"};

}  // namespace golden
