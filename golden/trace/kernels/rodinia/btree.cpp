// b+tree of Rodinia: the search for single keys.
#include "golden/trace/kernels/glibc_random.h"
#include "golden/trace/kernels/rodinia/b_plus_tree.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class BTree : public FixedProgram {
 public:
  // The recording counted 4,024,985 instructions of 48,000 warps, two levels deep.
  static constexpr std::uint32_t threads = BPlusTree::order, first = 147, branch = 184, exit = 201;

  explicit BTree(const Sizes& sizes) : FixedProgram(sizes), tree_(sizes["keys"]) {
    const std::uint64_t queries = sizes["queries"];
    records_ = allocate(sizes["keys"] * word);
    nodes_ = allocate(tree_.nodes() * BPlusTree::node_bytes);
    current_ = allocate(queries * 2 * word);
    next_ = allocate(queries * 2 * word);
    keys_ = allocate(queries * word);
    answers_ = allocate(queries * word);
    GlibcRandom random(sizes.u32("seed"));
    for (std::uint64_t i = 0; i < queries; ++i)
      wanted_.push_back(random.below(static_cast<std::uint32_t>(sizes["keys"])));
    launch({"findK", {static_cast<std::uint32_t>(queries), 1, 1}, {threads, 1, 1}},
           [this](const Warp& w) { return find(w); });
  }

 private:
  // Each thread compares one key of the node; the thread of the child writes it down, and the first one goes
  // on to it.
  Accesses find(Warp w) const {
    const std::uint64_t query = w.block_x(), key = wanted_[query];
    const auto all = w.active();
    const auto once = [&](std::uint64_t buffer, std::uint64_t bytes) {
      return [&, buffer, bytes](int) { return buffer + bytes * query; };
    };
    const auto element = [&](std::uint64_t node, std::uint64_t offset) {
      return [&, node, offset](int l) {
        return nodes_ + node * BPlusTree::node_bytes + offset + word * w.thread_x(l);
      };
    };
    for (std::uint64_t level = 0; level <= tree_.height(); ++level) {
      const auto [node, slot] = tree_.place(key, level);
      const bool at_root = level == 0;
      co_yield w.load(at_root ? 15 : 175, all, 2 * word, once(current_, 2 * word));
      co_yield w.load(at_root ? 21 : 180, all, word, element(node, BPlusTree::keys_at));
      co_yield w.load(at_root ? 25 : 181, all, word, once(keys_, word));
      if (level == tree_.height()) {
        const auto match = Warp::where(all, [&](int l) { return w.thread_x(l) == slot; });
        if (!match) w.jump(188, exit - 1);
        co_yield w.load(191, match, word, element(node, BPlusTree::children_at));
        co_yield w.load(195, match, word, [&](int) { return records_ + word * key; });
        co_yield w.store(199, match, word, once(answers_, word));
        break;
      }
      if (at_root) w.jump(31, first);
      if (!at_root) w.jump(branch, first);
      const auto reached = Warp::where(all, [&](int l) { return w.thread_x(l) <= slot; });
      const auto child = Warp::where(all, [&](int l) { return w.thread_x(l) == slot; });
      if (!reached) w.jump(152, 170);
      co_yield w.load(157, reached, word, element(node, BPlusTree::keys_at + word));
      if (reached && !child) w.jump(159, 170);
      co_yield w.load(160, child, 2 * word, once(next_, 2 * word));
      co_yield w.load(165, child, word, element(node, BPlusTree::children_at));
      co_yield w.store(168, child, 2 * word, once(next_, 2 * word));
      co_yield w.barrier(170);
      const std::uint32_t leader = w.index() == 0 ? 1 : 0;
      if (!leader) w.jump(171, 174);
      co_yield w.load(172, leader, 2 * word, once(next_, 2 * word));
      co_yield w.store(173, leader, 2 * word, once(current_, 2 * word));
      co_yield w.barrier(174);
    }
    co_yield w.exit(exit);
  }

  BPlusTree tree_;
  std::vector<std::uint32_t> wanted_;
  std::uint64_t records_, nodes_, current_, next_, keys_, answers_;
};

}  // namespace

extern const Workload workload_btree;
const Workload workload_btree{
    "btree",
    "keys are looked up in a B+ tree of order 256, one CTA a key, one thread a child; keys are drawn",
    "Rodinia",
    "cuda/b+tree/kernel/kernel_gpu_cuda.cu: findK",
    {{"TSC", "b+tree", "CLP"},
     {"BUCL", "BT", "coherent; 542,310,058 instructions"},
     {"Decoupled L1D", "BT", "cache-friendly; 542,310,058 instructions"},
     {"ACI thesis", "BT", "friendly; medium"}},
    {{"keys", 1000000, 256, 1 << 24, "in the tree"},
     {"queries", 6000, 1, 1 << 20, "keys looked up"},
     {"seed", 1, 1, 1u << 30, "of the keys looked up"}},
    make_program<BTree>,
    nullptr,
    "recording, record by record"};

}  // namespace golden
