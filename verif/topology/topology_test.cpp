// Topologies: latency of an idle one, order and copies in golden; the untimed ones; lock step.
#include "golden/topology/topology.h"
#include <random>
#include "golden/topology/functional_topology.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::inverted, verif::low;

using golden::FunctionalTopology;
using golden::Message;
using golden::Result;
using golden::Served;
using Kind = hw::TopologyKind;

constexpr hw::TopologyParams shaped(hw::TopologyShape shape, bool boost = false, int clock_ratio = 1) {
  hw::TopologyParams p{.shape = shape, .boost = boost, .clock_ratio = clock_ratio};
  p.l1d.index.sets = hw::sets_of(golden::cache_params(p));
  p.l1d.index.address_bits = golden::cache_params(p).address_bits;
  return p;
}
constexpr hw::TopologyShape sixteen{Kind::clustered, 16, 8, 8, 4};

// One core, and slices that answer at once.
template <hw::TopologyParams P>
struct Environment {
  std::unique_ptr<golden::Topology> topology = golden::make_topology<P>();
  std::array<std::optional<Message>, P.shape.slices> replies{};

  // Slow cycles from the transfer of core 5's request to its answer.
  int latency(const Message& request) {
    int sent = -1;
    for (int now = 0; now < 300; ++now) {
      golden::TopologyIn in;
      in.request[5] = sent < 0 ? &request : nullptr;
      in.response_ready.fill(true);
      in.slice_request_ready.fill(true);
      for (std::size_t s = 0; s < replies.size(); ++s)
        in.slice_response[s] = replies[s] ? &*replies[s] : nullptr;
      auto shown = topology->outputs(in);
      const bool answered = shown.response[5] != nullptr;
      if (sent < 0 && shown.request_ready[5]) sent = now;
      std::array<std::optional<Message>, P.shape.slices> next{};
      for (std::size_t s = 0; s < replies.size(); ++s) {
        if (replies[s] && !shown.slice_response_ready[s]) next[s] = replies[s];
        if (const Message* m = shown.slice_request[s]) next[s] = Message{.id = m->id, .mask = m->mask};
      }
      if (topology->fast()) {
        topology->fast_edge(in);
        topology->outputs(in);
      }
      topology->edge(in);
      replies = next;
      if (answered) return now - sent;
    }
    return -1;
  }
};

template <hw::TopologyParams P>
void expect_latencies(const std::array<int, 4>& wanted) {
  Environment<P> environment;
  EXPECT_GT(environment.latency({.id = 1, .address = 0x700, .mask = 0b1111}), 14);  // a miss
  for (int n = 1; n <= 4; ++n) {
    const auto mask = (1u << n) - 1;
    EXPECT_EQ(environment.latency({.id = 2, .address = 0x700, .mask = mask}),
              wanted[static_cast<std::size_t>(n - 1)])
        << n << " flits";
  }
}

golden::CoreRequest load(int core, std::uint64_t address) { return {core, {.mask = 1, .address = address}}; }

std::vector<Served> served(const hw::TopologyParams& p, const std::vector<golden::CoreRequest>& requests) {
  std::vector<Served> by(requests.size());
  FunctionalTopology::make(p)->access(requests, by.data());
  return by;
}

std::vector<golden::CoreRequest> random_requests() {
  std::mt19937_64 draw(5);
  std::vector<golden::CoreRequest> requests;
  for (int n = 0; n < 40'000; ++n) {
    const auto core = static_cast<int>(draw() % 16);
    requests.push_back(load(core, draw() % 3000 * 128));
    if (draw() % 8 == 0) requests.back().request.kind = golden::RequestKind::store;
  }
  return requests;
}

std::string results(const hw::TopologyParams& p) {
  std::string text;
  for (const Served& s : served(p, random_requests())) text += static_cast<char>(s.result);
  return text;
}

}  // namespace

TEST(DcL1, GoldenLatencyOfAHitIsNPlus10) { expect_latencies<shaped(sixteen)>({11, 12, 13, 14}); }

TEST(DcL1, GoldenLatencyOfAHitWithBoost) { expect_latencies<shaped(sixteen, true)>({10, 10, 11, 11}); }

// By hand from docs/contracts/dc-l1.md: the request is in front of Q1 a cycle behind the fourth of the
// network, the answer in front of Q2 three later; n + 3 of the network from its next on, and one to the
// core's queue.
TEST(DcL1, GoldenLatencyOfAHitWithSlowerNetworks) {
  expect_latencies<shaped(sixteen, false, 2)>({17, 19, 21, 23});
  expect_latencies<shaped(sixteen, false, 3)>({25, 28, 31, 34});
  expect_latencies<shaped(sixteen, false, 4)>({29, 33, 37, 41});
}

// NoC#1 then moves in every cycle, and in every other one.
TEST(DcL1, GoldenLatencyOfAHitWithBoostOfSlowerNetworks) {
  expect_latencies<shaped(sixteen, true, 2)>({11, 12, 13, 14});
  expect_latencies<shaped(sixteen, true, 4)>({17, 19, 21, 23});
}

TEST(DcL1, UntimedTellsWhoServes) {
  const std::vector<golden::CoreRequest> requests{load(5, 0x700), load(4, 0x700), load(0, 0x700),
                                                  load(5, 0x700)};
  const std::vector<Served> clustered{
      {5, 3, 7, Result::miss}, {4, 3, -1, Result::hit}, {0, 1, 7, Result::miss}, {5, 3, -1, Result::hit}};
  EXPECT_EQ(served(shaped(sixteen), requests), clustered);
  const std::vector<Served> baseline{
      {5, -1, 7, Result::miss}, {4, -1, 7, Result::miss}, {0, -1, 7, Result::miss}, {5, -1, -1, Result::hit}};
  EXPECT_EQ(served(shaped({Kind::baseline, 16, 8, 8, 4}), requests), baseline);
}

TEST(DcL1, UntimedCountsCopies) {
  const auto t = FunctionalTopology::make(shaped(sixteen));
  const std::vector<golden::CoreRequest> requests{load(5, 0x700), load(0, 0x700), load(0, 0x80)};
  t->access(requests, nullptr);
  EXPECT_DOUBLE_EQ(t->replicas(), 0.5);  // three lines, two of them one
  EXPECT_EQ(t->replication().misses, 3u);
  EXPECT_EQ(t->replication().foreign, 1u);
}

// With the home cut from the index, clusters hit exactly where private nodes of the same size do.
TEST(DcL1, UntimedClustersHitWherePrivateNodesDo) {
  const std::string clustered = results(shaped(sixteen));
  EXPECT_EQ(clustered, results(shaped({Kind::private_nodes, 16, 4, 8, 4})));
  EXPECT_GT(std::ranges::count(clustered, 'H'), 1000);
}

TEST(DcL1, UntimedSpecialCasesAgree) {
  EXPECT_EQ(results(shaped({Kind::clustered, 16, 8, 8, 8})),
            results(shaped({Kind::private_nodes, 16, 8, 8, 8})));
  EXPECT_EQ(results(shaped({Kind::clustered, 16, 8, 8, 1})),
            results(shaped({Kind::shared_nodes, 16, 8, 8, 1})));
}

namespace {

struct Whole {
  const char *kind, *cache;
  verif::Flags more;
  bool boost = false;
  bool full = false;  // of the full tests alone, whose kind and cache others have, too
};

// Each kind of topology and of cache, with odd numbers of slices where they may be; clusters of conventional
// caches are the sound unit among the injected faults.
const Whole wholes[] = {
    {"clustered", "split", {"tags.kind=split", "geometry.chunk_bytes=16"}, true},
    {"private_nodes",
     "sectored",
     {"tags.kind=sectored", "topology.slices=3", "bypass.kind=protection_distance"},
     false,
     true},
    {"private_nodes", "bucl", verif::with(verif::bucl_flags, {"mshr.merges=2"}), true},
    {"baseline", "bucl", verif::with(verif::bucl_flags, {"tags.kind=sectored", "topology.slices=3"}), false,
     true},
    {"shared_nodes", "reuse_filter", {"tags.kind=reuse_filter", "topology.slices=3"}},
    {"baseline", "adi", {"index.kind=adi", "adaptive.period=64", "adaptive.idle=16"}},
    {"cdxbar", "pli", {"index.kind=pli", "node.queue=2", "bypass.kind=mrpb"}},
    {"cdxbar", "conventional", {"crossbar.iterations=2"}, true, true},
    {"clustered", "half", {"noc.clock_ratio=2"}},
    {"cdxbar", "quarter", {"noc.clock_ratio=4", "topology.slices=4"}, true},
    {"private_nodes", "half", {"noc.clock_ratio=2", "node.queue=2"}, true, true},
    {"shared_nodes", "third", {"noc.clock_ratio=3", "topology.slices=3"}, false, true},
    {"baseline", "third", {"noc.clock_ratio=3", "topology.slices=3"}, false, true},
};

std::vector<Whole> of_this_tier() {
  std::vector<Whole> chosen;
  for (const Whole& w : wholes)
    if (!w.full || verif::full_tier()) chosen.push_back(w);
  return chosen;
}

class Topologies : public testing::TestWithParam<Whole> {};
void PrintTo(const Whole& w, std::ostream* out) { *out << w.kind << " " << w.cache; }

TEST_P(Topologies, LockStep) {
  const Whole& w = GetParam();
  verif::expect_same("dc_l1", verif::with(verif::small_topology(w.kind, w.boost), w.more), 100'000,
                     verif::fresh_seed(12));
}

INSTANTIATE_TEST_SUITE_P(Small, Topologies, testing::ValuesIn(of_this_tier()), [](const auto& info) {
  return fmt::format("{}_{}{}", info.param.kind, info.param.cache, info.param.boost ? "_boost" : "");
});

}  // namespace

TEST(DcL1, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"another_home_goes_back", "", "node_part.home", "", low()},
      {"flushed_when_one_is_ready", "", "flush_ready", "",
       [](const Expr&, const Nets& net) { return rtl::any(net("caches_ready")); }},
      {"another_destination", "_core", "requests_destination", "", inverted()}};
  verif::expect_all_found("dc_l1", verif::small_topology("clustered"), faults);
}

// Of networks that move in one of four cycles, and NoC#1 in one of two.
TEST(DcL1, InjectedFaultsOfTheClockRatioAreFound) {
  const std::vector<verif::Fault> faults{
      {"slices_move_always", "", "network_enable", "", verif::high()},
      {"nodes_never_move", "", "noc1_enable", "", low()},
      {"noc1_moves_with_noc2", "", "noc1_enable", "",
       [](const Expr&, const Nets& net) { return net("network_enable"); }},
      {"noc2_moves_with_noc1", "", "network_enable", "",
       [](const Expr&, const Nets& net) { return ~net("network_cycle_q").bit(0); }},
      {"not_counted", "", "network_cycle_q", "",
       [](const Expr& next, const Nets&) { return rtl::lit(next.width(), 0); }},
      {"a_core_sends_in_every_cycle", "_core", "asked_ready", "",
       [](const Expr&, const Nets& net) { return net("requests_moves"); }},
      {"nodes_move_in_every_cycle", "", "node_part.noc1_enable", "", verif::high()},
      {"nodes_move_with_noc1", "", "node_part.network_enable", "",
       [](const Expr&, const Nets& net) { return net("noc1_enable"); }},
      {"a_slice_answers_in_every_cycle", "_slice", "answered_ready", "",
       [](const Expr&, const Nets& net) { return net("replies_moves"); }}};
  verif::expect_all_found(
      "dc_l1", verif::with(verif::small_topology("clustered", true), {"noc.clock_ratio=4"}), faults);
}

TEST(DcL1, InjectedFaultsOfDegreesAreFound) {
  const std::vector<verif::Fault> faults{
      {"another_degree", "_node_requests", "out_degree", "", inverted()},
      {"nobody_is_first", "_node_requests", "out_first", "", low()},
      {"another_source_decides", "_cache_node_cache", "unseen", "", [](const Expr&, const Nets& net) {
         return rtl::mux(net("probe_first_q"), net("wide"), net("bypass_held_q").bit(0));
       }}};
  verif::expect_all_found("dc_l1", verif::with(verif::small_topology("private_nodes"), verif::bucl_flags),
                          faults);
}
