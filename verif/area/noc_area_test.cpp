// Area and delay of the arbiter and the allocator against public parts by the recipe in synth-scripts/.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/liberty/liberty.h"
#include "gen/unit/unit.h"
#include "verif/area/noc_area.h"

using verif::area, verif::Figure;

TEST(NocArea, ArbitersAreNoLargerThanThePublicFairOnes) {
  const Figure small = area("arbiter_round_robin", {});
  EXPECT_LE(small.gate_equivalents, 123);
  EXPECT_LE(small.ns, 1.35);
  const Figure large = area("arbiter_round_robin", {"arbiter.inputs=80"});
  EXPECT_LE(large.gate_equivalents, 1371);
  EXPECT_LE(large.ns, 2.8);
}

// 1,986 GE and 2.0 ns.
TEST(NocArea, AllocatorIsSmallerThanThePublicOneAndNearlyAsFast) {
  const Figure f = area("allocator_islip", {});
  EXPECT_LE(f.gate_equivalents, 1986);
  EXPECT_LE(f.ns, 2.05);
}

// With another library, or delays of RAMs, they say nothing: the same library by a name of its own is
// another.
TEST(NocArea, PublicPartsStandBesideTheirLibraryAlone) {
  const auto with = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"area", "arbiter_round_robin", "--json", "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const gen::Finished done = verif::l1forge(arguments);
    EXPECT_TRUE(done.ok()) << done.output;
    return nlohmann::json::parse(done.output).contains("published");
  };
  EXPECT_TRUE(with({}));
  EXPECT_FALSE(with({"--liberty", gen::default_liberty().file.string()}));
  EXPECT_FALSE(with({"--ram-ns", "1"}));
}

// Parts of another size have none beside them.
TEST(NocArea, PublicPartsStandBesideThoseOfTheirSize) {
  const auto published = [](const std::vector<std::string>& settings) {
    std::vector<std::string> names;
    for (const auto& p : gen::elaborate(gen::load_config("arbiter_round_robin", settings)).published)
      names.push_back(fmt::format("{} {} {}", p.name, p.gate_equivalents, p.path_ns));
    return names;
  };
  EXPECT_THAT(published({}), testing::ElementsAre("PULP tree 123 1.3", "BaseJump 123 1.1"));
  EXPECT_THAT(published({"arbiter.inputs=9"}), testing::IsEmpty());
  EXPECT_EQ(gen::elaborate(gen::load_config("switch")).published.size(), 5u);
  EXPECT_EQ(gen::elaborate(gen::load_config("vc_crossbar")).published.size(), 1u);
  EXPECT_EQ(gen::elaborate(gen::load_config("allocator_islip")).published.size(), 2u);
}
