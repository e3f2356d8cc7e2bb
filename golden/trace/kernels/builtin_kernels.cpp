#include "golden/trace/kernels/builtin_kernels.h"

#include <fmt/format.h>

#include <algorithm>

namespace golden {

namespace {

constexpr Size block_x{"block_x", 32, 1, 1024, "threads of a CTA in x"};
constexpr Size block_y{"block_y", 8, 1, 1024, "threads of a CTA in y"};

const std::vector<BuiltinKernel>& all() {
  static const std::vector<BuiltinKernel> kernels = {
      {"atax",
       "A^T (A x): one thread a row, then one a column",
       "PolyBench/GPU, CUDA/ATAX/atax.cu: atax_kernel1, atax_kernel2",
       {{"nx", 1024, 1, 1 << 20, "rows"},
        {"ny", 4096, 1, 1 << 20, "columns"},
        {"block_x", 256, 1, 1024, "threads of a CTA in x"},
        {"block_y", 1, 1, 1024, "threads of a CTA in y; all do the same"},
        {"kernel", 0, 0, 2, "1 or 2: this kernel alone; 0: both"}},
       make_atax,
       6.0},
      {"gemm",
       "C = alpha A B + beta C, one thread an element",
       "PolyBench/GPU, CUDA/GEMM/gemm.cu: gemm_kernel",
       {{"ni", 256, 1, 1 << 16, "rows of C"},
        {"nj", 256, 1, 1 << 16, "columns of C"},
        {"nk", 256, 1, 1 << 16, "columns of A"},
        block_x,
        block_y},
       make_gemm,
       6.0},
      {"syrk",
       "C = alpha A A^T + beta C, one thread an element",
       "PolyBench/GPU, CUDA/SYRK/syrk.cu: syrk_kernel",
       {{"ni", 256, 1, 1 << 16, "rows of A"}, {"nj", 256, 1, 1 << 16, "columns of A"}, block_x, block_y},
       make_syrk,
       6.0},
      {"2dconv",
       "3x3 convolution, one thread a pixel",
       "PolyBench/GPU, CUDA/2DCONV/2DConvolution.cu: convolution2D_kernel",
       {{"ni", 1024, 1, 1 << 16, "rows"}, {"nj", 1024, 1, 1 << 16, "columns"}, block_x, block_y},
       make_convolution,
       0.0},
      {"kmeans",
       "transposes points x features, one thread a point",
       "Rodinia, cuda/kmeans/kmeans_cuda_kernel.cu: invert_mapping",
       {{"points", 60000, 1, 1 << 24, "points"}, {"features", 34, 1, 4096, "features of a point"}},
       make_invert_mapping,
       6.8},
      {"bfs",
       "breadth-first search level by level on a generated RMAT graph, one thread a node",
       "Rodinia, cuda/bfs/kernel.cu and kernel2.cu: Kernel, Kernel2",
       {{"scale", 14, 1, 20, "log2 of the nodes"},
        {"edges", 16, 1, 32, "edges for each node"},
        {"first", 0, 0, 1000, "first level to show"},
        {"levels", 1000, 1, 1000, "levels to show at most"},
        {"seed", 1, 0, 1u << 31, "of the graph"}},
       make_bfs,
       6.0},
      {"spmv",
       "y = A x for a CSR matrix of 27 neighbours on a cube of nodes, one thread a row",
       "SHOC, src/cuda/level1/spmv/Spmv.cu: spmv_csr_scalar_kernel",
       {{"side", 32, 2, 128, "nodes along an edge of the cube"}},
       make_spmv,
       6.0},
      {"triad",
       "C = A + s B, one thread an element",
       "SHOC, src/cuda/level1/triad/Triad.cu: triad",
       {{"elements", 1 << 20, 1, 1u << 28, "of each vector"}, {"passes", 1, 1, 1000, "launches"}},
       make_triad,
       0.0},
      {"histogram",
       "256 bins by global atomics over bytes drawn around their middle",
       "J. Sanders, E. Kandrot: CUDA by Example, chapter 9: histo_kernel",
       {{"bytes", 1 << 20, 1, 1u << 30, "input"},
        {"ctas", 32, 1, 1 << 16, "CTAs of 256 threads"},
        {"seed", 1, 0, 1u << 31, "of the input"}},
       make_histogram},
      {"stencil",
       "7-point stencil on a cuboid, one CTA a line",
       "Parboil, benchmarks/stencil/src/cuda_base/kernels.cu: naive_kernel",
       {{"nx", 128, 3, 1024, "points of a line"},
        {"ny", 128, 3, 1024, "lines of a plane"},
        {"nz", 32, 3, 1024, "planes"},
        {"iterations", 1, 1, 1000, "launches, to and fro between two arrays"}},
       make_stencil,
       0.0},
      {"nw",
       "Needleman-Wunsch, tiles of 16x16 along the diagonals, one warp a tile",
       "Rodinia, cuda/nw/needle_kernel.cu: needle_cuda_shared_1, needle_cuda_shared_2",
       {{"n", 1024, 16, 16384, "length of both sequences, in whole tiles of 16"}},
       make_needle,
       14.6},
  };
  return kernels;
}

// Runs each launch CTA by CTA, and in a CTA warp by warp up to each barrier.
class BuiltinSource : public TraceSource {
 public:
  BuiltinSource(std::string name, std::unique_ptr<Program> program, std::optional<double> edge_gap)
      : name_(std::move(name)), program_(std::move(program)), edge_gap_(edge_gap) {}

  bool next_kernel(KernelInfo& kernel) override {
    for (Record passed; launch_ && next(passed);) continue;
    launch_ = program_->next_launch();
    if (!launch_) return false;
    cta_ = warp_ = 0;
    kernel = launch_->kernel;
    kernel.index = static_cast<std::uint32_t>(entered_++);
    kernel.edge_gap = edge_gap_;
    return true;
  }

  bool next(Record& record) override {
    if (!launch_) return false;
    while (cta_ < launch_->kernel.ctas()) {
      if (warps_.empty()) start_cta();
      const Record* access = warps_[warp_] ? warps_[warp_]->next() : nullptr;
      if (access) record = *access;
      if (!access) warps_[warp_].reset();
      if (!access || access->is_barrier()) next_warp();
      if (access) return true;
    }
    return false;
  }

  const std::string& name() const override { return name_; }

  double fraction() const override {
    if (program_->launches() == 0) return -1;
    const double inside =
        launch_ ? static_cast<double>(cta_) / static_cast<double>(launch_->kernel.ctas()) - 1 : 0;
    return (static_cast<double>(entered_) + inside) / static_cast<double>(program_->launches());
  }

 private:
  void start_cta() {
    for (std::uint32_t i = 0; i < launch_->kernel.warps_per_cta(); ++i)
      warps_.emplace_back(launch_->warp(
          Warp(launch_->kernel, static_cast<std::uint32_t>(cta_), static_cast<std::uint16_t>(i))));
  }

  void next_warp() {
    if (++warp_ < warps_.size()) return;
    warp_ = 0;
    if (std::ranges::any_of(warps_, [](const auto& warp) { return warp.has_value(); })) return;
    warps_.clear();
    ++cta_;
  }

  std::string name_;
  std::unique_ptr<Program> program_;
  std::optional<double> edge_gap_;
  std::optional<KernelLaunch> launch_;
  std::size_t entered_ = 0;
  std::uint64_t cta_ = 0;
  std::size_t warp_ = 0;
  std::vector<std::optional<Accesses>> warps_;  // of the current CTA; finished ones are empty
};

}  // namespace

std::span<const BuiltinKernel> builtin_kernels() { return all(); }

namespace {

const BuiltinKernel* find_builtin(std::string_view kernel) {
  const auto found = std::ranges::find(all(), kernel, &BuiltinKernel::name);
  return found == all().end() ? nullptr : &*found;
}

// Without the prefix; its name and its sizes.
std::pair<std::string_view, std::string_view> parts_of(std::string_view name) {
  if (name.starts_with(builtin_prefix)) name.remove_prefix(builtin_prefix.size());
  const std::string_view kernel = name.substr(0, name.find('?'));
  name.remove_prefix(std::min(kernel.size() + 1, name.size()));
  return {kernel, name};
}

}  // namespace

bool states_gaps(const std::string& trace) {
  if (!trace.starts_with(builtin_prefix)) return true;
  const BuiltinKernel* const kernel = find_builtin(parts_of(trace).first);
  return !kernel || kernel->edge_gap.has_value();
}

std::unique_ptr<TraceSource> open_builtin(const std::string& name) {
  const auto [kernel, sizes] = parts_of(name);
  const BuiltinKernel* const found = find_builtin(kernel);
  if (!found)
    throw TraceError(
        fmt::format("{}: no such built-in kernel; there are {}", name, listed(all(), &BuiltinKernel::name)));
  return std::make_unique<BuiltinSource>(name, found->make(Sizes(name, found->sizes, sizes)), found->edge_gap);
}

}  // namespace golden
