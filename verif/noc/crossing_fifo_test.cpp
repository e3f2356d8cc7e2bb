// The FIFO between two clocks: when words appear, in golden; lock step.
#include "golden/noc/crossing_fifo.h"

#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::other, verif::stuck;

using Fifo = golden::CrossingFifo<int>;
using golden::Edge;

Edge edge_of(int fast) { return fast % 2 ? Edge::both : Edge::fast_alone; }

// The fast cycle in which a word pushed in fast cycle `pushed` is first in front.
int seen(bool to_fast, int pushed) {
  Fifo fifo(2, to_fast);
  const int word = 1;
  for (int fast = 0; fast < 20; ++fast) {
    const bool slow_sees = to_fast || fast % 2 == 1;  // looked at when it could be taken
    if (fifo.front() && slow_sees) return fast;
    fifo.edge(edge_of(fast), fast == pushed ? &word : nullptr, false);
  }
  return -1;
}

}  // namespace

// Slow cycle k is fast cycles 2k and 2k + 1.
TEST(CrossingFifo, GoldenShowsWordsInTheirCycle) {
  EXPECT_EQ(seen(true, 5), 6);       // slow 2 (its edge ends fast 5): fast 2 * 2 + 2
  EXPECT_EQ(seen(false, 4) / 2, 3);  // fast 2 * 2: slow 3
  EXPECT_EQ(seen(false, 5) / 2, 4);  // fast 2 * 2 + 1: slow 4
}

TEST(CrossingFifo, GoldenFreesEntriesLikewise) {
  for (const bool to_fast : {true, false}) {
    Fifo fifo(1, to_fast);
    const int word = 1;
    fifo.edge(Edge::both, &word, false);
    EXPECT_FALSE(fifo.ready());
    for (int fast = 0; !fifo.front(); ++fast) fifo.edge(edge_of(fast), nullptr, false);
    EXPECT_FALSE(fifo.ready());
    fifo.edge(Edge::both, nullptr, true);
    EXPECT_EQ(fifo.front(), nullptr);
    EXPECT_EQ(fifo.ready(), !to_fast);  // the fast side sees the slow pointer at once
    fifo.edge(Edge::fast_alone, nullptr, false);
    EXPECT_EQ(fifo.ready(), !to_fast);
    fifo.edge(Edge::both, nullptr, false);
    EXPECT_TRUE(fifo.ready());
  }
}

TEST(CrossingFifo, LockStep) {
  for (const bool to_fast : {false, true})
    for (const auto& [entries, width] :
         {std::pair{1, 1}, std::pair{2, 8}, std::pair{3, 70}, std::pair{4, 300}})
      verif::expect_same(
          "crossing_fifo",
          {fmt::format("crossing.entries={}", entries), fmt::format("crossing.width={}", width),
           fmt::format("crossing.to_fast={}", to_fast)},
          100'000, verif::fresh_seed(4));
}

TEST(CrossingFifo, EveryInjectedFaultIsFound) {
  const verif::Fault overrun{"overrun", "", "in_ready", "", high()};
  const verif::Fault skips{"skips_a_place", "", "in_pointer_q", "3'd1", stuck(2)};
  const verif::Fault doubles{"doubles", "", "out_pointer_q", "out_pointer_q + 3'd1", other("out_pointer_q")};
  verif::expect_all_found(
      "crossing_fifo", {"crossing.to_fast=false"},
      std::vector<verif::Fault>{
          overrun, skips, doubles, {"seen_too_early", "", "out_valid", "in_seen_q", other("in_pointer_q")}});
  verif::expect_all_found(
      "crossing_fifo", {"crossing.to_fast=true"},
      std::vector<verif::Fault>{overrun,
                                skips,
                                doubles,
                                {"space_seen_too_early", "", "full", "out_seen_q[2]",
                                 [](const Expr&, const Nets& net) { return net("out_pointer_q").bit(2); }}});
}
