// backprop of Rodinia.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Backprop : public FixedProgram {
 public:
  static constexpr std::uint64_t side = 16, hidden = 16;
  static constexpr std::uint32_t forward_exit = 112, adjust_exit = 80, sum_skipped = 8, bias = 23;

  explicit Backprop(const Sizes& sizes) : FixedProgram(sizes) {
    const std::uint64_t inputs = sizes["inputs"], weights = (inputs + 1) * (hidden + 1) * word;
    input_ = allocate((inputs + 1) * word);
    allocate((hidden + 1) * word);
    weight_ = allocate(weights);
    partial_ = allocate(inputs * word);
    delta_ = allocate((hidden + 1) * word);
    old_weight_ = allocate(weights);
    const auto add = [&](const char* name, std::uint64_t shared, std::function<Accesses(const Warp&)> warp) {
      KernelInfo kernel{name, {1, static_cast<std::uint32_t>(inputs / side), 1}, {side, side, 1}};
      kernel.shared_bytes = shared;
      launch(std::move(kernel), std::move(warp));
    };
    add("bpnn_layerforward_CUDA", 1088, [this](const Warp& w) { return forward(w); });
    add("bpnn_adjust_weights_cuda", 0, [this](const Warp& w) { return adjust(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t ctas = sizes["inputs"] / side;
    return {ctas * 8 * (4 + 9) + 7, ctas * 8 * (95 + 57) + bias, 0};
  }

 private:
  std::uint64_t at(const Warp& w, int l) const {
    return word * ((hidden + 1) * (side * w.block_y() + w.thread_y(l) + 1) + w.thread_x(l) + 1);
  }

  // Products of inputs and weights, summed up over the CTA's inputs in shared memory.
  Accesses forward(Warp w) const {
    const auto all = w.active(), first = Warp::where(all, [&](int l) { return w.thread_x(l) == 0; });
    const auto weight = Warp::lanes([&](int l) { return weight_ + at(w, l); });
    w.jump(0, 2);
    co_yield w.load(18, first, word,
                    [&](int l) { return input_ + word * (side * w.block_y() + w.thread_y(l) + 1); });
    co_yield w.barrier(20);
    co_yield w.load(30, all, word, At{weight});
    co_yield w.barrier(37);
    static constexpr std::uint32_t barriers[] = {42, 56, 70, 84, 99};
    co_yield w.barrier(barriers[0]);
    for (std::uint32_t step = 0; step < 4; ++step) {
      // Rows that are a multiple of 2, 4, 8 and 16; a warp has two.
      if (2 * w.index() % (2u << step) != 0) w.jump(barriers[step] + 4, barriers[step] + 5 + sum_skipped);
      co_yield w.barrier(barriers[step + 1]);
    }
    co_yield w.store(101, all, word, At{weight});
    co_yield w.barrier(102);
    co_yield w.store(110, first, word,
                     [&](int l) { return partial_ + word * (hidden * w.block_y() + w.thread_y(l)); });
    co_yield w.exit(forward_exit);
  }

  // Each weight by its delta and the input; the first row of all by the delta alone.
  Accesses adjust(Warp w) const {
    const auto all = w.active();
    const auto rest = w.block_y() == 0 ? Warp::where(all, [&](int l) { return w.thread_y(l) == 0; }) : 0;
    const auto element = Warp::lanes([&](int l) { return at(w, l); });
    const auto column = Warp::lanes([&](int l) { return word * (w.thread_x(l) + std::uint64_t{1}); });
    const auto row = Warp::lanes([&](int l) { return word * (side * w.block_y() + w.thread_y(l) + 1); });
    w.jump(0, 2);
    co_yield w.load(20, all, word, At{column, delta_});
    co_yield w.load(26, all, word, At{row, input_});
    co_yield w.load(31, all, word, At{element, old_weight_});
    co_yield w.load(36, all, word, At{element, weight_});
    co_yield w.store(40, all, word, At{element, weight_});
    co_yield w.load(41, all, word, At{column, delta_});
    co_yield w.load(44, all, word, At{row, input_});
    co_yield w.load(46, all, word, At{element, old_weight_});
    co_yield w.store(51, all, word, At{element, old_weight_});
    co_yield w.barrier(52);
    if (rest == 0) w.jump(adjust_exit - bias - 1, adjust_exit);
    co_yield w.load(57, rest, word, At{column, delta_});
    co_yield w.load(61, rest, word, At{column, old_weight_});
    co_yield w.load(66, rest, word, At{column, weight_});
    co_yield w.store(70, rest, word, At{column, weight_});
    co_yield w.load(71, rest, word, At{column, delta_});
    co_yield w.load(73, rest, word, At{column, old_weight_});
    co_yield w.store(78, rest, word, At{column, old_weight_});
    co_yield w.exit(adjust_exit);
  }

  std::uint64_t input_, weight_, partial_, delta_, old_weight_;
};

}  // namespace

extern const Workload workload_backprop;
const Workload workload_backprop{"backprop",
                                 "a training step of a network with 16 hidden units: forward, then weights",
                                 "Rodinia",
                                 "cuda/backprop/backprop_cuda_kernel.cu: bpnn_layerforward_CUDA, "
                                 "bpnn_adjust_weights_cuda",
                                 {{"BUCL", "BP", "coherent; 190,054,784 instructions"},
                                  {"Decoupled L1D", "BP"},
                                  {"ACI thesis", "BP", "friendly; short"}},
                                 {{"inputs", 32768, 16, 1 << 20, "input units", 16}},
                                 make_program<Backprop>,
                                 Backprop::counts,
                                 "recordings of both kernels, record by record"};

}  // namespace golden
