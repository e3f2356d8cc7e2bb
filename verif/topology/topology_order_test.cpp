// Order in topologies: a core that stores and then loads the same bytes never sees the older ones. The
// scoreboard of the cores alone says so, without the reference model, and finds a receiver that goes by VCs,
// not by heads.
#include "gen/unit/unit.h"
#include "verif/mutate/injected_faults.h"
#include "verif/parameters/small_topologies.h"
#include "verif/topology/by_scoreboard.h"
#include "verif/unit_lock_step.h"

namespace {

rtl::Expr when_idle(const rtl::Expr&, const verif::Nets& net) {
  return rtl::any(net("holds")) & ~net("first_there");
}

rtl::Expr lowest_that_holds(const rtl::Expr&, const verif::Nets& net) { return ~net("holds").bit(0); }

// In front of the memory, a receiver that takes a packet of the lowest VC where one is, of two VCs.
const std::vector<verif::Fault> lowest_vc_first{
    {"packet_when_idle", "_slice_requests", "order.in_valid", "", when_idle},
    {"of_the_lowest_vc", "_slice_requests", "order.in_data", "", lowest_that_holds}};

verif::LockStep by_scoreboard(const verif::Flags& flags, const std::vector<verif::Fault>& faults) {
  return verif::lock_step("dc_l1", flags, 200'000, verif::fresh_seed(21), [&](gen::ProgramSource& source) {
    verif::against_scoreboard(source);
    if (faults.empty()) return;
    for (const auto& [name, text] :
         verif::texts_of(gen::elaborate(gen::load_config("dc_l1", flags)).top, faults))
      source.verilog[name + ".v"] = text;
    source.lint = false;  // the order of heads is unread
  });
}

class TopologyOrder : public testing::TestWithParam<const char*> {};

// What the Verilog does as generated: the lock step of topology_test.cpp, which has the same scoreboard.
TEST_P(TopologyOrder, AReceiverThatTakesTheLowestVcIsFound) {
  const verif::LockStep run = by_scoreboard(verif::small_topology(GetParam()), lowest_vc_first);
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("data, of the scoreboard"));
}

// The receiver is the same in every kind; the full tier goes through all.
std::vector<const char*> kinds() {
  if (!verif::full_tier()) return {"baseline", "clustered"};
  return {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"};
}

INSTANTIATE_TEST_SUITE_P(Kinds, TopologyOrder, testing::ValuesIn(kinds()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace

TEST(TopologyOrderOfScoreboard, DoNotAccuseTheSoundUnit) {
  EXPECT_EQ(by_scoreboard(verif::small_topology("clustered"), {}).status, 0);
}
