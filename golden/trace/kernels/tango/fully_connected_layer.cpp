// A fully connected layer of Tango's networks.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class FullyConnectedLayer : public FixedProgram {
 public:
  // Not recorded: a loop, unrolled by four, of this length, and one for the inputs left over.
  static constexpr std::uint32_t first = 22, step = 5, branch = first + 4 * step + 1, rest = 48,
                                 rest_branch = 54, exit = 66;

  explicit FullyConnectedLayer(const Sizes& sizes) : FixedProgram(sizes), inputs_(sizes["inputs"]) {
    const std::uint64_t outputs = sizes["outputs"];
    bias_ = allocate(outputs * word);
    input_ = allocate(inputs_ * word);
    weights_ = allocate(outputs * inputs_ * word);
    output_ = allocate(outputs * word);
    launch({"executeFCLayer", {static_cast<std::uint32_t>(outputs), 1, 1}, {1, 1, 1}},
           [this](const Warp& w) { return neuron(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t inputs = sizes["inputs"], outputs = sizes["outputs"];
    return {outputs * (2 * inputs + 2),
            outputs * (first + inputs / 4 * (branch - first + 1) + rest - branch - 1 +
                       inputs % 4 * (rest_branch - rest + 1) + exit - rest_branch),
            2 * lines_of(outputs * word) + lines_of(inputs * word) + lines_of(outputs * inputs * word)};
  }

 private:
  // One thread a CTA, all inputs one by one.
  Accesses neuron(Warp w) const {
    const std::uint64_t weights = weights_ + word * w.block_x() * inputs_, unrolled = inputs_ / 4 * 4;
    if (unrolled == 0) w.jump(first - 1, branch + 1);
    for (std::uint64_t i = 0; i < inputs_; ++i) {
      const bool left_over = i >= unrolled;
      const auto pc = static_cast<std::uint32_t>(left_over ? rest : first + step * (i % 4));
      co_yield w.load(pc + 1, 1, word, [&](int) { return input_ + word * i; });
      co_yield w.load(pc + 2, 1, word, [&](int) { return weights + word * i; });
      if (left_over && i + 1 < inputs_) w.jump(rest_branch, rest);
      if (!left_over && i % 4 == 3 && i + 1 < unrolled) w.jump(branch, first);
    }
    if (unrolled == inputs_) w.jump(rest - 1, rest_branch + 1);
    co_yield w.load(57, 1, word, [&](int) { return bias_ + word * w.block_x(); });
    co_yield w.store(64, 1, word, [&](int) { return output_ + word * w.block_x(); });
    co_yield w.exit(exit);
  }

  std::uint64_t inputs_, bias_, input_, weights_, output_;
};

}  // namespace

extern const Workload workload_fully_connected_layer;
const Workload workload_fully_connected_layer{
    "fully_connected_layer",
    "a fully connected layer as in AlexNet and ResNet, one CTA of one thread an output",
    "Tango",
    "GPU/AlexNet/an_kernel.cu: executeFCLayer",
    {{"DC-L1 thesis", "T-AlexNet, T-ResNet", "replication-sensitive"}},
    {{"outputs", 128, 1, 1 << 16, "neurons, a CTA each"}, {"inputs", 4096, 1, 1 << 20, "of each neuron"}},
    make_program<FullyConnectedLayer>,
    FullyConnectedLayer::counts,
    "its closed form"};

}  // namespace golden
