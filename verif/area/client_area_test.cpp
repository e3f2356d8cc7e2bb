// Area and delay of the adapter of a GPU core's bus by the recipe in synth-scripts/: no slower than a cache.
#include <gmock/gmock.h>

#include "verif/area/noc_area.h"

TEST(ClientArea, AdapterStaysAsSmallAsItIs) {
  const verif::Figure f = verif::area("vortex_adapter", {});
  EXPECT_LE(f.gate_equivalents, 10'900);
  EXPECT_LE(f.ns, 2.77);
}

TEST(ClientArea, TilelinkAdapterStaysAsSmallAsItIs) {
  const verif::Figure f = verif::area("tilelink_adapter", {});
  EXPECT_LE(f.gate_equivalents, 6'600);
  EXPECT_LE(f.ns, 2.77);
}

// Of TL-UH, with three words of a line that wait for the last one.
TEST(ClientArea, BurstsOfTheTilelinkAdapterCostTheirWords) {
  const verif::Figure f = verif::area("tilelink_adapter", {"tilelink.burst_bytes=128"});
  EXPECT_LE(f.gate_equivalents, 15'700);
  EXPECT_LE(f.ns, 2.87);
}

TEST(ClientArea, Axi4AdapterStaysAsSmallAsItIs) {
  const verif::Figure f = verif::area("axi4_adapter", {});
  EXPECT_LE(f.gate_equivalents, 10'000);
  EXPECT_LE(f.ns, 2.77);
}

// What is not counted costs nothing; the counts of Vortex cost their registers.
TEST(ClientArea, CountsOfVortexCostTheirRegisters) {
  const std::vector<std::string> shape{"client.lanes=8", "geometry.line_bytes=128", "client.tag_bits=8",
                                       "client.requests=32", "client.memory_tag_bits=5"};
  const verif::Figure without = verif::area("vortex_adapter", shape);
  EXPECT_LE(without.gate_equivalents, 11'800);
  std::vector<std::string> counting = shape;
  counting.emplace_back("client.counts=vortex");
  const verif::Figure with = verif::area("vortex_adapter", counting);
  EXPECT_LE(with.gate_equivalents, 13'500);
  EXPECT_LE(with.ns, 2.77);
}
