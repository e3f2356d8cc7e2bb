// mummergpu of Rodinia: exact matches of many short queries in a reference, by its suffix tree.
#include <optional>

#include "golden/trace/kernels/random.h"
#include "golden/trace/kernels/suffix_tree.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class MummerGpu : public FixedProgram {
 public:
  explicit MummerGpu(const Sizes& sizes)
      : FixedProgram(sizes),
        reference_(sizes["reference"]),
        queries_(sizes["queries"]),
        length_(sizes["length"]),
        least_(sizes["match"]),
        errors_(sizes["errors"]),
        seed_(sizes["seed"]),
        tree_(reference(sizes)) {
    if (least_ > length_) sizes.fail("match is more than length");
    if (length_ > reference_) sizes.fail("length is more than reference");
    text_ = allocate(reference_ + 2);
    letters_ = allocate(queries_ * (length_ + 2));
    starts_ = allocate(queries_ * word);
    lengths_ = allocate(queries_ * word);
    results_ = allocate(queries_ * (length_ - least_ + 1) * 2 * word);
    const auto block = static_cast<std::uint32_t>(std::min<std::uint64_t>(queries_, threads));
    launch({"mummergpuKernel", {ceiling(queries_, threads), 1, 1}, {block, 1, 1}},
           [this](const Warp& w) { return match(w); });
  }

 private:
  // Not recorded: loops over starts in the query, over nodes and over the letters of an edge.
  static constexpr std::uint32_t threads = 256, idle = 8, start = 40, walk = 58, edge = 104, letter = 124,
                                 letter_branch = 136, walk_branch = 137, record = 138, link = 150,
                                 start_branch = 160, exit = 161;
  static constexpr std::uint8_t end = 0xFF;  // of a query

  static std::vector<std::uint8_t> reference(const Sizes& sizes) {
    std::vector<std::uint8_t> out(sizes["reference"]);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<std::uint8_t>(random_bits(sizes["seed"], i) % 4);
    return out;
  }

  // Position `at` of a query, from 1 on: a piece of the reference, with an error here and there.
  std::uint8_t query(std::uint64_t number, std::uint64_t at) const {
    if (at > length_) return end;
    const std::uint64_t position = random_bits(seed_ + 1, number) % (reference_ - length_ + 1),
                        draw = random_bits(seed_ + 2, number * length_ + at);
    const std::uint8_t read = tree_.letter(static_cast<std::uint32_t>(position + at));
    return draw % 1000 < errors_ ? static_cast<std::uint8_t>((read + 1 + (draw >> 32) % 3) % 4) : read;
  }

  // A lane's position in its query and in the tree.
  struct Position {
    std::uint64_t number = 0, start = 0, matched = 0, skip = 0;
    std::uint32_t node = SuffixTree::none, before = SuffixTree::none, first = 0, last = 0, at = 0;
    std::uint8_t letter = end;
  };

  // The tree is in textures; queries and the reference are read letter by letter.
  Accesses match(Warp w) const {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < queries_; });
    if (inside == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    std::array<Position, 32> positions;
    const auto of = [&](int l) -> Position& { return positions[static_cast<std::size_t>(l)]; };
    const auto each = [](std::uint32_t lanes, const auto& act) {
      for (; lanes; lanes &= lanes - 1) act(std::countr_zero(lanes));
    };
    const auto asked = [&](int l) {
      return letters_ + of(l).number * (length_ + 2) + of(l).start + of(l).matched;
    };
    const auto read = [&](int l) { of(l).letter = query(of(l).number, of(l).start + of(l).matched); };
    const auto result = [&](int l) {
      return results_ + 2 * word * (of(l).number * (length_ - least_ + 1) + of(l).start);
    };
    const auto found = [&](std::uint32_t lanes) {
      return Warp::where(lanes, [&](int l) { return of(l).matched > least_; });
    };
    each(inside, [&](int l) { of(l).number = w.x(l); });
    co_yield w.load(14, inside, word, [&](int l) { return lengths_ + word * w.x(l); });
    co_yield w.load(18, inside, word, [&](int l) { return starts_ + word * w.x(l); });
    for (std::uint64_t s = 0; s + least_ <= length_; ++s) {
      if (s > 0) w.jump(start_branch, start);
      each(inside, [&](int l) {
        Position& position = of(l);
        position.start = s;
        if (position.node != SuffixTree::none && position.matched >= 1) return;
        position.node = SuffixTree::root;
        position.matched = 1;
        position.skip = 0;
      });
      co_yield w.load(start + 10, inside, 1, asked);
      each(inside, read);
      std::uint32_t walking = inside, recording = 0;
      for (bool again = false; walking; again = true) {
        if (again) w.jump(walk_branch, walk);
        each(walking, [&](int l) { follow(of(l)); });
        const auto nowhere = Warp::where(walking, [&](int l) { return of(l).node == SuffixTree::none; });
        co_yield w.store(walk + 30, found(nowhere), 2 * word, result);
        each(nowhere, [&](int l) {
          --of(l).matched;
          of(l).skip = 0;
        });
        walking &= ~nowhere;
        if (walking == 0) {
          w.jump(walk + 34, walk_branch);
          break;
        }
        each(walking, [&](int l) { enter(of(l)); });
        co_yield w.load(edge + 16, walking, 1, asked);
        each(walking, read);
        const auto compares = [&](std::uint32_t lanes) {
          return Warp::where(lanes, [&](int l) { return of(l).at <= of(l).last && of(l).letter != end; });
        };
        std::uint32_t comparing = compares(walking), mismatched = 0;
        if (comparing == 0) w.jump(edge + 18, letter_branch + 1);
        for (bool next = false; comparing; next = true) {
          if (next) w.jump(letter_branch, letter);
          co_yield w.load(letter + 3, comparing, 1, [&](int l) { return text_ + of(l).at; });
          const auto equal =
              Warp::where(comparing, [&](int l) { return tree_.letter(of(l).at) == of(l).letter; });
          mismatched |= comparing & ~equal;
          each(equal, [&](int l) {
            ++of(l).matched;
            ++of(l).at;
          });
          co_yield w.load(letter + 9, equal, 1, asked);
          each(equal, read);
          comparing = compares(equal);
        }
        const auto ended = Warp::where(walking & ~mismatched, [&](int l) { return of(l).letter == end; });
        recording |= mismatched | ended;
        walking &= ~(mismatched | ended);
      }
      co_yield w.store(record + 8, found(recording), 2 * word, result);
      each(recording, [&](int l) {
        of(l).skip = of(l).at - of(l).first;
        of(l).matched -= of(l).skip + 1;
      });
      each(inside, [&](int l) { of(l).node = tree_.node(of(l).before).suffix; });
    }
    co_yield w.exit(exit);
  }

  // To the child of the letter, if there is one.
  void follow(Position& position) const {
    position.before = position.node;
    position.node = tree_.node(position.node).children[position.letter];
  }
  // Along the edge: over letters that are known to match, or over the first.
  void enter(Position& position) const {
    const SuffixTree::Node& node = tree_.node(position.node);
    position.first = node.first;
    position.last = node.last;
    const std::uint64_t edge_length = node.last - node.first + 1;
    const std::uint64_t steps = position.skip ? std::min(edge_length, position.skip) : 1;
    position.matched += steps;
    position.at = node.first + static_cast<std::uint32_t>(steps);
    position.skip = position.skip > steps ? position.skip - steps : 0;
  }

  std::uint64_t reference_, queries_, length_, least_, errors_, seed_;
  SuffixTree tree_;
  std::uint64_t text_, letters_, starts_, lengths_, results_;
};

}  // namespace

extern const Workload workload_mummergpu;
const Workload workload_mummergpu{
    "mummergpu",
    "matches of queries in a reference by its suffix tree, one thread a query; letters are drawn",
    "Rodinia",
    "cuda/mummergpu/mummergpu_kernel.cu: mummergpuKernel",
    {{"TSC", "mummergpu", "CLN"}},
    {{"reference", 1 << 16, 1, 1 << 24, "letters"},
     {"queries", 4096, 1, 1 << 22, "pieces of the reference"},
     {"length", 100, 1, 4096, "letters of a query"},
     {"match", 20, 1, 4096, "letters of a match, at least"},
     {"errors", 10, 0, 1000, "wrong letters in a thousand of a query"},
     {"seed", 1, 0, 1u << 30, "of all letters"}},
    make_program<MummerGpu>,
    nullptr,
    "the program's loops, run query by query on a tree that is built suffix by suffix"};

}  // namespace golden
