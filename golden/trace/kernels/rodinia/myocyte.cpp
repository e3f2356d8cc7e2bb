// myocyte of Rodinia: the equations of a heart cell, evaluated by single threads.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Myocyte : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 32, equations = 91, parameters = 18, evaluations = 13;
  // Not recorded: straight programs of these lengths, of the whole cell and of one of its three parts.
  static constexpr std::uint32_t cell_exit = 15000, part = 1900, parts = 3, parts_exit = 8 + parts * part;

  explicit Myocyte(const Sizes& sizes) : FixedProgram(sizes) {
    values_ = allocate(equations * word);
    rates_ = allocate(equations * word);
    parameters_ = allocate(parameters * word);
    allocate(parts * word);  // which no kernel touches
    for (std::uint64_t i = 0; i < launches_of(sizes); ++i)
      launch({"kernel", {2, 1, 1}, {threads, 1, 1}},
             [this](const Warp& w) { return w.block_x() == 0 ? cell(w) : three_parts(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t launches = launches_of(sizes);
    return {launches * (1 + 39 + 46 + parts * (1 + 6 + 15 + 16)), launches * (cell_exit + 1 + parts_exit + 1),
            2 * lines_of(equations * word) + lines_of(parameters * word)};
  }

 private:
  // A step of the solver evaluates the equations 13 times, and again where its error is too large.
  static std::uint64_t launches_of(const Sizes& sizes) {
    return sizes["cells"] * sizes["steps"] * sizes["attempts"] * evaluations;
  }

  static const Record& one(Warp& w, bool load, std::uint32_t pc, std::uint64_t address) {
    const auto at = [=](int) { return address; };
    return load ? w.load(pc, 1, word, at) : w.store(pc, 1, word, at);
  }

  // All values first, but for unused ones; a rate is stored as soon as it is known.
  Accesses cell(Warp w) const {
    static constexpr std::uint32_t rates[] = {0,  1,  2,  11, 12, 7,  8,  39, 9,  10, 3,  4,  5,  6,  42, 44,
                                              43, 45, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                              27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 40, 41};
    static_assert(std::size(rates) == 46);
    co_yield one(w, true, 10, parameters_ + word * 15);
    for (std::uint32_t i = 0; i < 40; ++i)
      if (i != 21) co_yield one(w, true, 14 + 2 * i, values_ + word * i);
    for (std::uint32_t i = 0; i < 46; ++i) co_yield one(w, false, 1500 + 290 * i, rates_ + word * rates[i]);
    co_yield w.exit(cell_exit);
  }

  Accesses three_parts(Warp w) const {
    for (std::uint32_t n = 0; n < parts; ++n) {
      const std::uint64_t first = 46 + 15 * n, start = 8 + part * n;
      const auto begin = static_cast<std::uint32_t>(start);
      co_yield one(w, true, begin, values_ + word * (35 + n));
      for (std::uint32_t i = 1; i < 5; ++i)
        co_yield one(w, true, begin + 4 + i, parameters_ + word * (5 * n + i));
      for (std::uint32_t i = 16; i < 18; ++i) co_yield one(w, true, begin + i, parameters_ + word * i);
      for (std::uint32_t i = 0; i < 15; ++i)
        co_yield one(w, true, begin + 20 + i, values_ + word * (first + i));
      for (std::uint32_t i = 0; i < 15; ++i)
        co_yield one(w, false, begin + 1700 + 10 * i, rates_ + word * (first + i));
      co_yield one(w, false, begin + 1880, rates_ + word * n);
    }
    co_yield w.exit(parts_exit);
  }

  std::uint64_t values_, rates_, parameters_;
};

}  // namespace

extern const Workload workload_myocyte;
const Workload workload_myocyte{
    "myocyte",
    "91 equations of a heart cell, a thread for the cell and one for its three parts, 13 launches a step",
    "Rodinia",
    "cuda/myocyte/kernel.cu, kernel_ecc.cu, kernel_cam.cu: kernel",
    {{"BUCL", "MYC", "coherent; 1,006,082 instructions"},
     {"Decoupled L1D", "MYC", "cache-insensitive; 26,986,736 instructions"}},
    {{"steps", 100, 1, 100000, "of time"},
     {"attempts", 1, 1, 12, "evaluations of a step, which values decide in the program"},
     {"cells", 1, 1, 1000, "one after the other"}},
    make_program<Myocyte>,
    Myocyte::counts,
    "its closed form; accesses of a launch by the program's text"};

}  // namespace golden
