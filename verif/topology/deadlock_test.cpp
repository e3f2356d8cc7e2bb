// No circle in who waits for whom among the queues, virtual channels and MSHRs of shared L1s, of every shape
// and fabric that is tested; and circles, by name, where two classes of messages become one. The same of
// cores that search each other's L1s, where a circle is left without what drops probes.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "hw/topology/topology.h"
#include "hw/topology/waits.h"
#include "verif/parameters/small_topologies.h"

namespace {

hw::TopologyPlan plan_of(const char* preset, const verif::Flags& flags) {
  return hw::plan_of(gen::load_config(preset, flags).get<hw::TopologyParams>());
}
hw::WaitsFor waits_of(const verif::Flags& flags) { return hw::waits_of(plan_of("shared_l1", flags)); }

using Name = std::string;
// Everything of one fabric on this VC is on that VC.
auto on_vc(const Name& fabric, const Name& from, const Name& to) {
  return [=](const Name& name) {
    const bool moves = name.starts_with(fabric) && name.ends_with(" VC " + from);
    return moves ? name.substr(0, name.size() - from.size()) + to : name;
  };
}
// Each core's queues of these names are one.
auto one_queue(const Name& a, const Name& b) {
  return [=](const Name& name) {
    const bool second = name.starts_with("core") && name.ends_with(" " + b);
    return second ? name.substr(0, name.size() - b.size()) + a : name;
  };
}

void expect_none(const verif::Flags& flags, std::size_t least) {
  const hw::WaitsFor graph = waits_of(flags);
  EXPECT_THAT(graph.circle(), testing::IsEmpty());
  EXPECT_GE(graph.size(), least) << "things that wait, or are waited for";
}

}  // namespace

TEST(Deadlock, NoCircleInAnyShape) {
  expect_none({}, 36 * 4 * 4 + 28 * 9);
  for (const verif::Flags& flags : verif::shapes_of_shared()) expect_none(flags, 100);
  for (const verif::Flags& more : verif::choices_of_shared())
    expect_none(verif::with(verif::small_shared(), more), 100);
  expect_none({"shared.fabric=butterfly"}, 28 * 2 * 4 * 2);
}

// Requests to homes and requests to slices on one VC: a home's own miss waits behind requests to full homes.
TEST(Deadlock, RequestsOfBothClassesOnOneVc) {
  const auto circle = waits_of(verif::small_shared()).merged(on_vc("requests", "1", "0")).circle();
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("core[0-5] in")));
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("core[0-5] out1")));
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("requests node [0-8] [a-z]+ VC 0")));
}

// Replies of slices and of homes: an acknowledgement to be passed on waits behind what waits for it.
TEST(Deadlock, RepliesOfBothClassesOnOneVc) {
  const auto circle = waits_of(verif::small_shared()).merged(on_vc("replies", "1", "0")).circle();
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("core[0-5] reply-in0")));
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("core[0-5] reply-out")));
}

TEST(Deadlock, QueuesOfBothClassesInOne) {
  for (const verif::Flags& flags : {verif::small_shared(), verif::small_butterfly()}) {
    EXPECT_THAT(waits_of(flags).merged(one_queue("out0", "out1")).circle(),
                testing::Contains(testing::MatchesRegex("core[0-5] out0")));
    EXPECT_THAT(waits_of(flags).merged(one_queue("in", "reply-in0")).circle(),
                testing::Contains(testing::MatchesRegex("core[0-5] in")));
  }
}

// With one VC: requests and probes of all cores on one mesh, replies of cores and slices on the other.
TEST(Deadlock, NoCircleAmongCoresThatSearchEachOther) {
  for (const verif::Flags& shape :
       {verif::Flags{}, verif::Flags{"topology.cores=6", "topology.slices=2", "mesh.width=3", "mesh.height=3",
                                     "mesh.memory_nodes=[4, 2]"}}) {
    const hw::WaitsFor graph = hw::waits_of(plan_of("remote_core", shape));
    EXPECT_THAT(graph.circle(), testing::IsEmpty());
    EXPECT_GE(graph.size(), 6 * 12 + 2 * 9);
  }
}

// Should probes wait for a slot, then a core's own could not leave before others', nor these before it.
TEST(Deadlock, DropsBreakTheCircleOfProbes) {
  hw::TopologyPlan plan = plan_of("remote_core", {});
  const auto circle = hw::waits_of(plan, hw::Waits::all).circle();
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("core[0-9]+ incoming")));
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("core[0-9]+ forwarded")));
  EXPECT_THAT(circle, testing::Contains(testing::MatchesRegex("requests node [0-9]+ [a-z]+ VC 0")));
  const auto of_drops = [](const hw::Wait& wait) {
    return wait.ended_by.find("dropped") != std::string::npos;
  };
  ASSERT_EQ(std::erase_if(plan.parts[0].waits, of_drops), 1u);
  EXPECT_THAT(hw::waits_of(plan, hw::Waits::all).circle(), testing::IsEmpty()) << "time-outs end no circle";
}
