// scan of the CUDA SDK: exclusive prefix sums of arrays that are longer than a CTA's part.
#include <bit>

#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Scan : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 256, part = 4 * threads;  // elements of a CTA
  // Not recorded: programs of these lengths, and steps of a loop between two barriers each.
  static constexpr std::uint32_t loop = 40, step = 14, parts_exit = 70, tops_exit = 72, update_exit = 24;

  explicit Scan(const Sizes& sizes) : FixedProgram(sizes), elements_(sizes["elements"]) {
    const std::uint64_t array = sizes["array"];
    if (!std::has_single_bit(array)) sizes.fail("array is no power of two");
    if (elements_ % array != 0) sizes.fail("elements is no multiple of array");
    input_ = allocate(elements_ * word);
    output_ = allocate(elements_ * word);
    tops_ = allocate(elements_ / part * word);
    const auto parts = static_cast<std::uint32_t>(elements_ / part);
    add("scanExclusiveShared", parts, 2 * threads * word, [this](const Warp& w) { return scan_parts(w); });
    add("scanExclusiveShared2", ceiling(parts, threads), 2 * threads * word,
        [this, array](const Warp& w) { return scan_tops(w, array / part); });
    add("uniformUpdate", parts, word, [this](const Warp& w) { return update(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t elements = sizes["elements"], parts = elements / part, warps = parts * (threads / 32);
    const std::uint64_t of_tops = std::uint64_t{ceiling(parts, threads)} * (threads / 32);
    return {2 * warps + 3 * ((parts + 31) / 32) + 2 * warps + parts,
            warps * (parts_exit + 1 + 7 * step) +
                of_tops * (tops_exit + 1 + (log2(sizes["array"] / part) - 1) * step) +
                warps * (update_exit + 1),
            lines_of(parts * word) + 2 * lines_of(elements * word)};
  }

 private:
  static std::uint32_t log2(std::uint64_t n) { return static_cast<std::uint32_t>(std::bit_width(n)) - 1; }
  void add(const char* kernel, std::uint32_t ctas, std::uint32_t shared,
           std::function<Accesses(const Warp&)> warp) {
    KernelInfo info{kernel, {ctas, 1, 1}, {threads, 1, 1}};
    info.shared_bytes = shared;
    launch(std::move(info), std::move(warp));
  }

  // Behind both barriers of a step: to the next one.
  static void again(Warp& w, std::uint32_t i, std::uint32_t steps) {
    if (i + 1 < steps) w.jump(loop + step - 1, loop);
  }

  // Four elements a thread.
  Accesses scan_parts(Warp w) const {
    const auto at = Warp::lanes([&](int l) { return 4 * word * w.x(l); });
    co_yield w.load(14, w.active(), 4 * word, At{at, input_});
    constexpr std::uint32_t steps = 8;
    for (std::uint32_t i = 0; i < steps; ++i) {
      co_yield w.barrier(loop + 1);
      co_yield w.barrier(loop + 8);
      again(w, i, steps);
    }
    co_yield w.store(parts_exit - 2, w.active(), 4 * word, At{at, output_});
    co_yield w.exit(parts_exit);
  }

  // The last sums of the parts.
  Accesses scan_tops(Warp w, std::uint64_t parts_of_array) const {
    const auto lanes = Warp::where(w.active(), [&](int l) { return w.x(l) < elements_ / part; });
    const auto last = Warp::lanes([&](int l) { return word * (part - 1 + part * w.x(l)); });
    co_yield w.load(18, lanes, word, At{last, output_});
    co_yield w.load(22, lanes, word, At{last, input_});
    const std::uint32_t steps = log2(parts_of_array);
    for (std::uint32_t i = 0; i < steps; ++i) {
      co_yield w.barrier(loop + 1);
      co_yield w.barrier(loop + 8);
      again(w, i, steps);
    }
    co_yield w.store(tops_exit - 2, lanes, word, [&](int l) { return tops_ + word * w.x(l); });
    co_yield w.exit(tops_exit);
  }

  // The sum of all parts ahead is added, which the first thread reads.
  Accesses update(Warp w) const {
    const auto at = Warp::lanes([&](int l) { return output_ + 4 * word * w.x(l); });
    co_yield w.load(9, w.index() == 0 ? 1 : 0, word, [&](int) { return tops_ + word * w.block_x(); });
    co_yield w.barrier(11);
    co_yield w.load(16, w.active(), 4 * word, At{at});
    co_yield w.store(23, w.active(), 4 * word, At{at});
    co_yield w.exit(update_exit);
  }

  std::uint64_t elements_, tops_, input_, output_;
};

}  // namespace

extern const Workload workload_scan;
const Workload workload_scan{
    "scan",
    "prefix sums of arrays, by parts of 1,024, then of the parts",
    "CUDA SDK",
    "scan/scan.cu: scanExclusiveShared, scanExclusiveShared2, uniformUpdate",
    {{"ACI thesis", "SC", "bandwidth-sensitive, chapter V"}},
    {{"elements", 1 << 20, 2048, 1u << 28, "of all arrays"},
     {"array", 1 << 18, 2048, 1 << 18, "elements of an array, a power of two", 2048}},
    make_program<Scan>,
    Scan::counts,
    "its closed form"};

}  // namespace golden
