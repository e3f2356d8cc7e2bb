// Untimed remote-core probing: who serves each miss, by hand; what the predictor learns; the private-store
// rule on random traffic, kept with the filter and broken without it.
#include "golden/topology/functional_remote.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "gen/config/config.h"
#include "golden/topology/stale_loads.h"

namespace {

using golden::CoreRequest, golden::FunctionalTopology, golden::RequestKind, golden::Served;
using Settings = std::vector<std::string>;

hw::TopologyParams params_of(const Settings& more = {}) {
  Settings settings{"topology.kind=remote", "mesh.vcs=1"};
  settings.insert(settings.end(), more.begin(), more.end());
  return gen::load_config("shared_l1", settings).get<hw::TopologyParams>();
}

const Settings six{"topology.cores=6", "topology.slices=2", "mesh.width=3", "mesh.height=3",
                   "mesh.memory_nodes=[4,2]"};

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

// Topologies of requests one by one: "p21" by another core, "L2", "H" in the own L1.
class Environment {
 public:
  explicit Environment(const Settings& more = {}) : topology_(FunctionalTopology::make(params_of(more))) {}

  std::string load(int core, std::uint64_t address, std::uint32_t pc = 0) {
    const Served served = ask(core, {.kind = RequestKind::load, .mask = 1, .address = address}, pc);
    EXPECT_EQ(served.node, core);
    if (served.result == golden::Result::hit) return served.supplier < 0 && served.slice < 0 ? "H" : "?";
    EXPECT_EQ(served.slice < 0, served.supplier >= 0);
    return served.supplier < 0 ? "L2" : fmt::format("p{}", served.supplier);
  }
  void store(int core, std::uint64_t address) {
    ask(core, {.kind = RequestKind::store, .mask = 1, .address = address}, 0);
  }
  void flush() { topology_->flush(); }
  golden::RemoteFigures figures() const { return *topology_->figures().remote; }

 private:
  Served ask(int core, golden::Request request, std::uint32_t pc) {
    request.sideband.pc = pc;
    const CoreRequest r{core, request};
    Served served;
    topology_->access({&r, 1}, &served);
    return served;
  }

  std::unique_ptr<FunctionalTopology> topology_;
};

constexpr std::uint64_t line = 0x1000, second = 0x2000, third = 0x3000;

}  // namespace

// Core 0's first list is of one probe, 8 21 25 14 26; its second of two, 11 7 2 and 13 6.
TEST(FunctionalRemote, LeadersThenCandidatesThenL2) {
  Environment environment;
  EXPECT_EQ(environment.load(26, line), "L2");
  EXPECT_EQ(environment.load(9, second), "L2");
  environment.load(13, second);
  environment.load(6, second);
  const golden::RemoteFigures before = environment.figures();
  EXPECT_EQ(environment.load(0, line), "p26");
  EXPECT_EQ(environment.load(0, line), "H");
  EXPECT_EQ(environment.load(0, second), "p6") << "the next of both scouts' finds behind core 0";
  EXPECT_EQ(environment.load(0, third), "L2");
  const golden::RemoteFigures after = environment.figures();
  EXPECT_EQ(after.by_leader - before.by_leader, 1u);
  EXPECT_EQ(after.by_candidate - before.by_candidate, 1u);
  EXPECT_EQ(after.supplied[26] - before.supplied[26], 1u);
  EXPECT_EQ(after.supplied[6] - before.supplied[6], 1u);
  EXPECT_GE(after.probes - before.probes, 1u + 2 + 1 + 1);
  EXPECT_LE(after.probes - before.probes, 1u + 2 + 1 + 2);
}

TEST(FunctionalRemote, LeadersGoBeforeCandidates) {
  Environment environment;
  environment.load(13, line);
  environment.load(2, line);
  EXPECT_EQ(environment.load(0, third), "L2");
  EXPECT_EQ(environment.load(0, line), "p2") << "the leader's last";
}

// Candidates are searched from the next core upward, and around.
TEST(FunctionalRemote, CandidatesAround) {
  const Settings settings = with(six, {"remote.coverage=5", "remote.probes=3", "remote.probability=1",
                                       "selector.kind=index", "predictor.kind=always"});
  Environment environment(settings);  // core 4: 5 0, 1 2, 3
  environment.load(1, line);
  environment.load(3, line);
  EXPECT_EQ(environment.load(4, line), "p1");
}

TEST(FunctionalRemote, NoProbesNoSearch) {
  Environment environment(with(six, {"remote.probes=1", "remote.probability=0"}));
  environment.load(1, line);
  EXPECT_EQ(environment.load(0, line), "L2");
  EXPECT_EQ(environment.figures().searches, 2u);
  EXPECT_EQ(environment.figures().probes, 0u);
}

TEST(FunctionalRemote, NobodyIsSearchedWhereItIsOff) {
  Environment environment(with(six, {"remote.enable=false", "predictor.kind=always"}));
  environment.load(1, line);
  EXPECT_EQ(environment.load(0, line), "L2");
  EXPECT_EQ(environment.figures().searches, 0u);
  EXPECT_EQ(environment.figures().misses, 2u);
}

// An instruction without replies: 60 of its first 480 misses. Another one begins with its first window, and
// an instruction is as many bits of its number as the predictor keeps.
TEST(FunctionalRemote, ThePredictorLearnsNo) {
  Environment environment(with(six, {"predictor.pc_bits=8"}));
  for (std::uint64_t miss = 0; miss < 480; ++miss) environment.load(0, miss << 7, 256 + 3);
  EXPECT_EQ(environment.figures().searches, 60u);
  EXPECT_EQ(environment.figures().right, 0u);
  for (std::uint64_t miss = 0; miss < 4; ++miss) environment.load(0, (1000 + miss) << 7, 4);
  EXPECT_EQ(environment.figures().searches, 64u);
  for (std::uint64_t miss = 0; miss < 32; ++miss) environment.load(0, (2000 + miss) << 7, 3);
  EXPECT_EQ(environment.figures().searches, 68u) << "both numbers end in the same 8 bits: 4 of a window";
}

// One core has all lines: the other's instruction stays strong shared.
TEST(FunctionalRemote, ThePredictorLearnsYes) {
  Environment environment(with(six, {"remote.coverage=5", "geometry.capacity_bytes=131072"}));
  for (std::uint64_t n = 0; n < 512; ++n) environment.load(5, n << 7, 1);
  const std::uint64_t before = environment.figures().searches;
  for (std::uint64_t n = 0; n < 512; ++n) EXPECT_EQ(environment.load(0, n << 7, 2), "p5");
  EXPECT_EQ(environment.figures().searches - before, 512u);
  EXPECT_EQ(environment.figures().precision(), 512.0 / static_cast<double>(environment.figures().searches));
  EXPECT_EQ(environment.figures().recall(), 1);
  EXPECT_EQ(environment.figures().imbalance(environment.figures().supplied), 0)
      << "four cores have sent nothing";
}

// What a core has stored to is not looked for elsewhere: others may have it as it was. A flush forgets.
TEST(FunctionalRemote, OwnStores) {
  const Settings next{"selector.kind=index", "predictor.kind=always"};
  for (const bool guard : {true, false}) {
    Environment environment(with(with(six, next), {fmt::format("remote.own_store_guard={}", guard)}));
    environment.load(1, line);
    EXPECT_EQ(environment.load(0, line), "p1");
    environment.store(0, line);
    EXPECT_EQ(environment.load(0, line), guard ? "L2" : "p1");
    EXPECT_EQ(environment.figures().filtered, guard ? 1u : 0u);
    EXPECT_EQ(environment.load(5, line), "p0") << "others' stores do not count";
    environment.flush();
    environment.load(1, line);
    EXPECT_EQ(environment.load(0, line), "p1");
  }
}

// The predictor knows what others have, whether or not the search finds it.
TEST(FunctionalRemote, PerfectPrediction) {
  const Settings perfect{"predictor.kind=perfect", "remote.coverage=1", "selector.kind=index"};
  Environment environment(with(six, perfect));
  environment.load(1, line);
  environment.load(3, second);
  EXPECT_EQ(environment.load(0, line), "p1");
  EXPECT_EQ(environment.load(0, second), "L2");
  EXPECT_EQ(environment.load(0, third), "L2");
  EXPECT_EQ(environment.figures().searches, 2u);
  EXPECT_EQ(environment.figures().precision(), 1);
  EXPECT_EQ(environment.figures().recall(), 1);
}

// Behind a period of 64 requests the list that waits is still the old one; the next is drawn by the replies.
TEST(FunctionalRemote, SuppliersAreDrawnOftener) {
  const Settings settings =
      with(six, {"remote.coverage=1", "remote.probes=1", "remote.probability=1", "selector.period=64",
                 "predictor.kind=always", "geometry.capacity_bytes=131072"});
  Environment environment(settings);
  for (std::uint64_t n = 0; n < 1024; ++n) environment.load(3, n << 7);
  std::uint64_t before = environment.figures().supplied[3];
  const auto from_core_3 = [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t n = first; n < end; ++n) environment.load(0, n << 7);
    return environment.figures().supplied[3] - std::exchange(before, environment.figures().supplied[3]);
  };
  EXPECT_LE(from_core_3(0, 64), 30u) << "a fifth of the draws";
  const std::uint64_t later = from_core_3(65, 1000);
  EXPECT_GE(later, 260u) << "a third: it alone has replied, and each other weighs half of it";
  EXPECT_LE(later, 360u);
}

namespace {

struct Scoreboard {
  std::uint64_t stale = 0, served = 0;
};

// Six cores load and store 40 lines at random.
Scoreboard random_traffic(const Settings& more) {
  const auto topology = FunctionalTopology::make(params_of(
      with(with(six, {"geometry.capacity_bytes=1024", "selector.period=64", "remote.filter_bits=8"}), more)));
  golden::StaleLoads scoreboard(6);
  std::mt19937 random(7);
  for (int n = 0; n < 20'000; ++n) {
    const auto kind = static_cast<RequestKind>(random() % 8 < 6 ? 0 : 1 + random() % 2);
    const CoreRequest r{static_cast<int>(random() % 6),
                        {.kind = kind,
                         .mask = 1,
                         .address = random() % 40 << 7,
                         .sideband = {.pc = static_cast<std::uint32_t>(random() % 4)}}};
    Served served;
    topology->access({&r, 1}, &served);
    scoreboard.note(r, served);
    if (n == 10'000) topology->flush();
  }
  return {scoreboard.count(), topology->figures().remote->served()};
}

}  // namespace

TEST(FunctionalRemote, OwnStoreRuleOnRandomTraffic) {
  const Scoreboard kept = random_traffic({}), broken = random_traffic({"remote.own_store_guard=false"});
  EXPECT_EQ(kept.stale, 0u);
  EXPECT_GT(kept.served, 100u);
  EXPECT_GT(broken.stale, 100u);
}
