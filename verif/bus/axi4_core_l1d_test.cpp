// An AXI4 adapter and an `l1d` in one Verilated module between the bus of a core and a memory: random
// bursts, every byte that is read.
#include "hw/bus/axi4_adapter.h"
#include "verif/bus/adapter_and_l1d.h"

namespace {

const verif::BusAdapter<hw::Axi4AdapterParams> axi4_bus{
    "axi4_adapter",  "Axi4AdapterParams", "cosim/bus/axi4_core_bench.h", "Axi4CoreBench", {},
    hw::axi4_adapter};

TEST(Axi4CoreL1d, EveryByteAt32Bytes) { verif::expect_every_byte(axi4_bus, {}); }

TEST(Axi4CoreL1d, EveryByteOfHitsInOneCycle) { verif::expect_every_byte(axi4_bus, {}, 1); }

TEST(Axi4CoreL1d, EveryByteOfNarrowAndWideBuses) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const char* bytes : {"4", "8", "16", "64"})
    verif::expect_every_byte(axi4_bus,
                             {std::string("s_axi.data_bytes=") + bytes, "s_axi.cacheable=attributes"});
}

TEST(Axi4CoreL1d, InjectedFaultsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_faults_between_found(axi4_bus);
}

}  // namespace
