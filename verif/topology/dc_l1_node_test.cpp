// The DC-L1 node: its queues' cycles and order in golden, lock step.
#include "golden/topology/dc_l1_node.h"

#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::DcL1Node;
using golden::Message;
using verif::high, verif::inverted, verif::without_bit;

constexpr hw::DcL1NodeParams plain{};

// A node alone, with memory that answers at once.
struct Environment {
  DcL1Node node;
  int now = 0;
  std::vector<Message> asked;

  explicit Environment(const hw::DcL1NodeParams& p = plain, std::uint64_t home = 0) : node(p, home) {}

  // One cycle; what was answered in it.
  std::optional<Message> cycle(const Message* request, const Message* reply = nullptr, bool ready = true) {
    std::optional<Message> answer;
    if (ready && node.core_response()) answer = *node.core_response();
    if (node.memory_request()) asked.push_back(*node.memory_request());
    node.edge({.core_request = request,
               .core_response_ready = ready,
               .memory_request_ready = true,
               .memory_response = reply});
    ++now;
    return answer;
  }
  // The cycle in which the next answer is shown, counted from `now`.
  int answer() {
    for (int waited = 0; waited < 50; ++waited)
      if (cycle(nullptr)) return waited;
    return -1;
  }
  // The next request to memory.
  Message request() {
    while (asked.empty() && now < 100) cycle(nullptr);
    Message m = asked.empty() ? Message{} : asked.front();
    asked.clear();
    return m;
  }
  void fill(const Message& m) {
    const Message reply{.id = m.id, .mask = m.mask};
    cycle(nullptr, &reply);
  }
};

}  // namespace

TEST(DcL1Node, GoldenHitPassesTwoQueues) {
  Environment s;
  const Message load{.id = 1, .address = 0x4000, .mask = 0b1111};
  s.cycle(&load);
  s.fill(s.request());
  EXPECT_GE(s.answer(), 0);
  s.cycle(&load);                // cycle 0; Q1 in 1, the cache's answer in 3, Q2 in 4
  EXPECT_EQ(s.answer(), 4 - 1);  // counted from cycle 1
}

TEST(DcL1Node, GoldenPutsTheHomeBack) {
  hw::DcL1NodeParams p{.home_low = 11, .home_bits = 2};
  p.l1d.address_bits = p.l1d.index.address_bits = 30;
  Environment s(p, 3);
  const Message load{.id = 1, .address = 0x1f80, .mask = 1};  // home 3 of 80/40/32/10
  s.cycle(&load);
  EXPECT_EQ(s.request().address, 0x1f80u);
}

TEST(DcL1Node, GoldenQueueThatIsFullHoldsTheRest) {
  Environment s;
  const Message load{.id = 1, .address = 0x4000, .mask = 1};
  s.cycle(&load);
  s.fill(s.request());
  EXPECT_GE(s.answer(), 0);
  int taken = 0;
  for (int n = 0; n < 60; ++n) {  // hits, and nobody takes the answers
    taken += s.node.core_request_ready();
    s.cycle(&load, nullptr, false);
  }
  EXPECT_TRUE(s.node.full()[0]);
  EXPECT_TRUE(s.node.full()[1]);
  int answers = 0;
  for (int n = 0; n < 60; ++n) answers += s.cycle(nullptr).has_value();
  EXPECT_EQ(answers, taken);
  EXPECT_TRUE(s.node.idle());
}

TEST(DcL1Node, LockStep) {
  for (const auto& flags : std::vector<std::vector<std::string>>{
           {},
           {"node.queue=2", "mshr.entries=4", "geometry.capacity_bytes=2048"},
           {"tags.kind=sectored", "node.queue=3", "mshr.merges=2"},
           {"tags.kind=split", "index.kind=pli"},
           {"tags.kind=decoupled"}})
    verif::expect_same("dc_l1_node", flags, verif::full_tier() ? 1'000'000 : 60'000, verif::fresh_seed(10));
}

TEST(DcL1Node, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{{"request_out_of_nothing", "", "q1.in_valid", "", high()},
                                         {"another_mask", "", "memory_request_mask", "", inverted()},
                                         {"answer_without_a_slot", "", "q2.out_ready", "", high()}};
  verif::expect_all_found("dc_l1_node", {"node.queue=2", "mshr.entries=4", "geometry.capacity_bytes=2048"},
                          faults);
}

TEST(DcL1Node, ABitOfATagThatIsIgnoredIsFound) {
  const std::vector<verif::Fault> faults{
      {"tag_bit_4", "_cache_index", "tag", "", without_bit(4)},
      {"tag_bit_10", "_cache_index", "tag", "", without_bit(10)},
      {"tag_bit_17", "_cache_index", "tag", "", without_bit(17)},
      {"bit_10_of_the_mshrs", "_cache_mshr", "lookup.probe_tag", "", without_bit(10)}};
  verif::expect_all_found("dc_l1_node", {}, faults, {.cycles = 100'000});
}
