// b+tree of Rodinia: the search for ranges of keys.
#include "golden/trace/kernels/glibc_random.h"
#include "golden/trace/kernels/rodinia/b_plus_tree.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class BTreeRange : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = BPlusTree::order;

  explicit BTreeRange(const Sizes& sizes) : FixedProgram(sizes), tree_(sizes["keys"]) {
    const std::uint64_t keys = sizes["keys"], queries = sizes["queries"], range = sizes["range"];
    if (range >= keys) sizes.fail("range is not below keys");
    nodes_ = allocate(tree_.nodes() * BPlusTree::node_bytes);
    for (End& end : ends_) {
      end.node = allocate(queries * 2 * word);
      end.next = allocate(queries * 2 * word);
    }
    for (End& end : ends_) end.key = allocate(queries * word);
    for (End& end : ends_) end.answer = allocate(queries * word);
    GlibcRandom random(sizes.u32("seed"));
    for (std::uint64_t i = 0; i < queries; ++i) {
      std::uint64_t first = random.below(static_cast<std::uint32_t>(keys)), last = first + range;
      if (last >= keys) {
        first -= last - keys;
        last = keys - 1;
      }
      ends_[0].wanted.push_back(first);
      ends_[1].wanted.push_back(last);
    }
    launch({"findRangeK", {static_cast<std::uint32_t>(queries), 1, 1}, {threads, 1, 1}},
           [this](const Warp& w) { return find(w); });
  }

 private:
  // One end of the ranges: where each query is in the tree and goes on to, its key, and its answer.
  struct End {
    std::uint64_t node = 0, next = 0, key = 0, answer = 0;
    std::vector<std::uint64_t> wanted = {};
  };
  // Program counters of one end in the loop, and behind it.
  struct Places {
    std::uint32_t node, leader, leaf;
  };
  static constexpr Places places[] = {{26, 69, 77}, {46, 71, 91}};
  static constexpr std::uint32_t loop = 26, barrier = 66, next_level = 73, middle = 90, exit = 107;

  // Each thread compares its key of the nodes that both ends have reached.
  Accesses find(Warp w) const {
    const std::uint64_t query = w.block_x();
    const auto all = w.active();
    const auto once = [&](std::uint64_t buffer, std::uint64_t bytes) {
      return [&, buffer, bytes](int) { return buffer + bytes * query; };
    };
    const auto element = [&](std::uint64_t node, std::uint64_t offset) {
      return [&, node, offset](int l) {
        return nodes_ + node * BPlusTree::node_bytes + offset + word * w.thread_x(l);
      };
    };
    const std::uint32_t leader = w.index() == 0 ? 1 : 0;
    for (std::uint64_t level = 0; level < tree_.height(); ++level) {
      for (std::size_t e = 0; e < 2; ++e) {
        const End& end = ends_[e];
        const Places pc = places[e];
        const auto [node, slot] = tree_.place(end.wanted[query], level);
        const auto reached = Warp::where(all, [&](int l) { return w.thread_x(l) <= slot; });
        const auto child = Warp::where(all, [&](int l) { return w.thread_x(l) == slot; });
        co_yield w.load(pc.node, all, 2 * word, once(end.node, 2 * word));
        co_yield w.load(pc.node + 5, all, word, element(node, BPlusTree::keys_at));
        co_yield w.load(pc.node + 6, all, word, once(end.key, word));
        if (!reached) w.jump(pc.node + 8, pc.node + 20);
        co_yield w.load(pc.node + 10, reached, word, element(node, BPlusTree::keys_at + word));
        if (reached && !child) w.jump(pc.node + 12, pc.node + 20);
        co_yield w.load(pc.node + 14, child, word, element(node, BPlusTree::children_at));
        co_yield w.store(pc.node + 19, child, 2 * word, once(end.next, 2 * word));
      }
      co_yield w.barrier(barrier);
      if (!leader) w.jump(barrier + 2, next_level);
      for (std::size_t e = 0; e < 2; ++e) {
        const End& end = ends_[e];
        const Places pc = places[e];
        co_yield w.load(pc.leader, leader, 2 * word, once(end.next, 2 * word));
        co_yield w.store(pc.leader + 1, leader, 2 * word, once(end.node, 2 * word));
      }
      co_yield w.barrier(next_level);
      if (level + 1 < tree_.height()) w.jump(next_level + 3, loop);
    }
    for (std::size_t e = 0; e < 2; ++e) {
      const End& end = ends_[e];
      const Places pc = places[e];
      const bool is_last = e == 1;
      const auto [node, slot] = tree_.place(end.wanted[query], tree_.height());
      const auto match = Warp::where(all, [&](int l) { return w.thread_x(l) == slot; });
      co_yield w.load(pc.leaf, all, 2 * word, once(end.node, 2 * word));
      co_yield w.load(pc.leaf + 5, all, word, element(node, BPlusTree::keys_at));
      co_yield w.load(pc.leaf + 6, all, word, once(end.key, word));
      if (!match) w.jump(pc.leaf + 8, is_last ? exit : middle);
      co_yield w.load(pc.leaf + 10, match, word, element(node, BPlusTree::children_at));
      if (is_last) co_yield w.load(pc.leaf + 11, match, word, once(ends_[0].answer, word));
      co_yield w.store(pc.leaf + (is_last ? 15 : 12), match, word, once(end.answer, word));
      if (!is_last) co_yield w.barrier(middle);
    }
    co_yield w.exit(exit);
  }

  BPlusTree tree_;
  std::array<End, 2> ends_;  // first, last
  std::uint64_t nodes_;
};

}  // namespace

extern const Workload workload_btree_range;
const Workload workload_btree_range{
    "btree_range",
    "ranges of keys are looked up in a B+ tree of order 256, one CTA a range, one thread a child; ranges are "
    "drawn",
    "Rodinia",
    "cuda/b+tree/kernel/kernel_gpu_cuda_2.cu: findRangeK",
    {{"TSC", "b+tree", "CLP"},
     {"BUCL", "BT", "coherent; 542,310,058 instructions"},
     {"Decoupled L1D", "BT", "cache-friendly; 542,310,058 instructions"},
     {"ACI thesis", "BT", "friendly; medium"}},
    {{"keys", 1000000, 256, 1 << 24, "in the tree"},
     {"queries", 6000, 1, 1 << 20, "ranges looked up"},
     {"range", 3000, 1, 1 << 24, "keys from a range's first to its last"},
     {"seed", 1, 1, 1u << 30, "of the ranges looked up"}},
    make_program<BTreeRange>,
    nullptr,
    "the program's loops, run thread by thread on a tree of real nodes"};

}  // namespace golden
