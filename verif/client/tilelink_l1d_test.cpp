// A TileLink adapter and an `l1d` in one Verilated module between the bus of a core and a memory: random
// messages, every byte that is read.
#include "hw/client/tilelink_adapter.h"
#include "verif/client/adapter_and_l1d.h"

namespace {

const verif::BusAdapter<hw::TilelinkAdapterParams> tilelink_bus{
    "tilelink_adapter", "TilelinkAdapterParams", "cosim/client/tilelink_bench.h", "TilelinkBench",
    {"a", "d"},         hw::tilelink_adapter};

TEST(TilelinkL1d, EveryByteAt32Bytes) { verif::expect_every_byte(tilelink_bus, {}); }

TEST(TilelinkL1d, EveryByteOfHitsInOneCycle) { verif::expect_every_byte(tilelink_bus, {}, 1); }

TEST(TilelinkL1d, EveryByteOfNarrowAndWideBuses) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const char* bytes : {"4", "8", "16", "64"})
    verif::expect_every_byte(tilelink_bus,
                             {std::string("tilelink.data_bytes=") + bytes, "tilelink.devices=high"});
}

TEST(TilelinkL1d, InjectedFaultsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_faults_between_found(tilelink_bus);
}

}  // namespace
