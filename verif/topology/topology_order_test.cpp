// Order in topologies: a core that stores and then loads the same bytes never sees the older ones. The books
// of the cores alone say so, without the golden twin, and find a receiver that goes round its VCs.
#include "verif/noc/lock_step.h"
#include "verif/packet/round_receiver.h"
#include "verif/topology/small_topologies.h"

namespace {

constexpr int vcs = 2;  // of small topologies

verif::LockStep by_books(const verif::Flags& flags, bool round) {
  return verif::lock_step("dc_l1", flags, 200'000, verif::fresh_seed(21), [&](gen::ProgramSource& source) {
    const std::string bench = "DcL1Bench<Vdut, params, Ports>";
    source.main.replace(source.main.find(bench), bench.size(),
                        "DcL1Bench<Vdut, params, Ports, verif::Against::books>");
    if (!round) return;
    verif::go_round(source.verilog, vcs);
    source.lint = false;  // the order of heads is unread
  });
}

class TopologyOrder : public testing::TestWithParam<const char*> {};

// What the Verilog does as generated: the lock step of topology_test.cpp, which has the same books.
TEST_P(TopologyOrder, AReceiverThatGoesRoundItsVcsIsFound) {
  const verif::LockStep run = by_books(verif::small_topology(GetParam()), true);
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("data, of the books"));
}

// The receiver is the same in every kind; the full tier goes through all.
std::vector<const char*> kinds() {
  if (!verif::full_tier()) return {"baseline", "clustered"};
  return {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"};
}

INSTANTIATE_TEST_SUITE_P(Kinds, TopologyOrder, testing::ValuesIn(kinds()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace

TEST(TopologyOrderOfBooks, DoNotAccuseTheSoundUnit) {
  EXPECT_EQ(by_books(verif::small_topology("clustered"), false).status, 0);
}
