// bh of LonestarGPU: forces by Barnes and Hut.
#include <algorithm>

#include "golden/trace/kernels/octree.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class BarnesHut : public FixedProgram {
 public:
  explicit BarnesHut(const Sizes& sizes)
      : FixedProgram(sizes), tree_(sizes.u32("bodies"), nodes_of(sizes), sizes["seed"]) {
    if (!tree_.fits()) sizes.fail("the bodies need more cells than the program has memory for");
    const std::uint64_t all = tree_.root() + 1;
    children_ = allocate(all * 8 * word);
    masses_ = allocate(all * word);
    for (std::uint64_t& axis : positions_) axis = allocate(all * word);
    for (std::uint64_t& axis : forces_) axis = allocate(all * word);
    sorted_ = allocate(all * word);
    launch({"ForceCalculationKernel", {sizes.u32("ctas"), 1, 1}, {threads, 1, 1}},
           [this](const Warp& w) { return force(w); });
  }

 private:
  // Not recorded: a program of this length with two loops, over bodies and over children.
  static constexpr std::uint32_t threads = 256, ready = 60, body = 64, child = 96, push = 146,
                                 child_branch = 156, pop = 157, body_branch = 178, exit = 179;

  // Number of cells as the program has it: twice the bodies, a whole number of warps, less one.
  static std::uint32_t nodes_of(const Sizes& sizes) {
    return ceiling(std::max<std::uint64_t>(2 * sizes["bodies"], 1024), 32) * 32 - 1;
  }

  struct Level {
    std::int32_t cell;
    std::size_t next = 0;
  };

  // A warp walks through the tree together: into a cell if one of its bodies is near.
  Accesses force(Warp w) const {
    co_yield w.barrier(ready);
    bool again = false;
    for (std::uint64_t first = 0;; first += w.threads_x()) {
      const auto lanes = Warp::where(w.active(), [&](int l) { return first + w.x(l) < tree_.bodies(); });
      if (lanes == 0) break;
      if (again) w.jump(body_branch, body);
      again = true;
      const auto own = Warp::lanes(
          [&](int l) { return lanes >> l & 1 ? std::uint64_t{tree_.sorted()[first + w.x(l)]} : 0; });
      co_yield w.load(68, lanes, word, [&](int l) { return sorted_ + word * (first + w.x(l)); });
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        co_yield w.load(71 + 2 * axis, lanes, word,
                        [&](int l) { return positions_[axis] + word * own[static_cast<std::size_t>(l)]; });
      std::vector<Level> stack{{static_cast<std::int32_t>(tree_.root())}};
      w.jump(child - 1, child);
      while (!stack.empty()) {
        Level& top = stack.back();
        if (top.next == 8) {
          stack.pop_back();
          w.jump(pop + 1, child);
          continue;
        }
        const std::size_t place = 8 * static_cast<std::size_t>(top.cell) + top.next;
        const std::int32_t node = tree_.children(top.cell)[top.next++];
        co_yield w.load(102, lanes, word, [&](int) { return children_ + word * place; });
        if (node == Octree::none) {  // none of the rest is there
          stack.pop_back();
          w.jump(108, child);
          continue;
        }
        const auto at = static_cast<std::uint64_t>(node);
        for (std::uint32_t axis = 0; axis < 3; ++axis)
          co_yield w.load(112 + 4 * axis, lanes, word, [&](int) { return positions_[axis] + word * at; });
        const int depth = static_cast<int>(stack.size()) - 1;
        const bool taken =
            tree_.is_body(node) ||
            Warp::where(lanes, [&](int l) {
              return Octree::is_far(tree_.point(node),
                                    tree_.point(static_cast<std::int32_t>(own[static_cast<std::size_t>(l)])),
                                    depth);
            }) == lanes;
        if (!taken) {
          stack.push_back({node});
          w.jump(132, push);
          w.jump(child_branch, child);
          continue;
        }
        co_yield w.load(135, lanes, word, [&](int) { return masses_ + word * at; });
        w.jump(push - 1, child_branch);
        w.jump(child_branch, child);
      }
      w.jump(child + 2, pop + 2);
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        co_yield w.store(167 + 2 * axis, lanes, word,
                         [&](int l) { return forces_[axis] + word * own[static_cast<std::size_t>(l)]; });
    }
    w.jump(again ? body_branch : ready + 2, exit);
    co_yield w.exit(exit);
  }

  Octree tree_;
  std::uint64_t children_, masses_, sorted_;
  std::array<std::uint64_t, 3> positions_, forces_;
};

}  // namespace

extern const Workload workload_barnes_hut;
const Workload workload_barnes_hut{
    "barnes_hut",
    "forces on bodies by a walk through their octree, a warp together; the first step, bodies are drawn",
    "LonestarGPU",
    "apps/bh: ForceCalculationKernel",
    {{"Decoupled L1D", "BH", "cache-unfriendly; 7,909,748 instructions"}, {"DC-L1 thesis", "L-BH"}},
    {{"bodies", 4096, 2, 1 << 20, "bodies"},
     {"ctas", 64, 1, 1 << 16, "CTAs of 256 threads"},
     {"seed", 1, 0, 1u << 30, "of the bodies"}},
    make_program<BarnesHut>,
    nullptr,
    "a walk through the generated tree, body by body"};

}  // namespace golden
