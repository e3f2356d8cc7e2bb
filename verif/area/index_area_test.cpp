// Area and delay of the index units against what they must beat.
#include "verif/area/index_area.h"

TEST(IndexArea, PolynomialAt64SetsIsNoLargerAndNoSlowerThanAPublicHash) {
  const auto [unit, plain] = verif::index_area("index_pli", 64);
  EXPECT_LE(unit.gate_equivalents, 124);
  EXPECT_LE(unit.ns, 0.86);
  EXPECT_LT(unit.gate_equivalents, plain.gate_equivalents);
}

TEST(IndexArea, PrimeModuloIsFarBelowAModuloOperator) {
  const auto [unit, modulo] = verif::index_area("index_pri", 32);
  EXPECT_LE(unit.gate_equivalents, 0.45 * modulo.gate_equivalents);
  EXPECT_LE(unit.ns, 0.5 * modulo.ns);
  // The recipe is the one that the public figures of the operator were made by.
  EXPECT_NEAR(modulo.gate_equivalents, 563, 1);
  EXPECT_NEAR(modulo.ns, 12.8, 0.1);
}

TEST(IndexArea, AloneItIsTheSameWithoutPlainForm) {
  const auto report = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"area", "index_pli", "--json", "-"});
    const gen::Finished done = verif::l1forge(more);
    EXPECT_TRUE(done.ok()) << done.output;
    return nlohmann::json::parse(done.output)["units"];
  };
  const auto beside = report({}), alone = report({"--alone"});
  ASSERT_EQ(beside.size(), 2u);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0], beside[0]);
  const gen::Finished refused = verif::l1forge({"area", "dc_l1", "--alone"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output, "l1forge: --alone: dc_l1 is a topology, which has no plain form\n");
}
