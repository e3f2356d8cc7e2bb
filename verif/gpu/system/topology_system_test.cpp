// Topologies in a system: closed forms of a lone load's latency through a topology, the L2 and DRAM, and
// conservation.
#include <gtest/gtest.h>

#include "gen/system/system_config.h"
#include "golden/gpu/system/gap_trace.h"
#include "golden/gpu/system/system_fields.h"
#include "verif/gpu/system/topology_run.h"

namespace {

using golden::CycleCause;
using golden::Record;
using golden::SystemParams;

constexpr hw::TopologyParams small(hw::TopologyKind kind) {
  hw::TopologyParams p;
  p.shape = {.kind = kind, .cores = 4, .nodes = 2, .slices = 2, .clusters = 1};
  return p;
}
constexpr hw::TopologyParams baseline = small(hw::TopologyKind::baseline);
constexpr hw::TopologyParams clustered = small(hw::TopologyKind::clustered);

SystemParams one_clock() {
  SystemParams p;
  p.sms = 4;
  p.core_clock = p.network_clock = p.memory_clock = 1000;
  p.alu_interval = 1;
  p.l2.latency = 50;
  p.dram.latency = 80;
  p.l2.slices = p.dram.channels = 2;
  return p;
}

using Ran = verif::TopologyRun;

// Cycles of a load of the lines that a warp loads one after the other, over and over: what one more round
// adds.
template <hw::TopologyParams P>
double chase(const SystemParams& p, int lines, std::uint64_t stride, int rounds = 6, int hit_delay = 0) {
  const auto cycles = [&](int times) {
    std::vector<Record> records;
    for (int i = 0; i < lines * times; ++i)
      records.push_back(verif::load_of(0x10000000 + static_cast<std::uint64_t>(i % lines) * stride));
    verif::ListedTrace trace(1, records, false);
    return verif::run_topology<P>(p, trace, hit_delay).load_cycles;
  };
  return static_cast<double>(cycles(rounds + 1) - cycles(rounds)) / lines;
}

// A cache at the core answers after 2 cycles; one in a node after n + 10 of n flits
// (docs/contracts/dc-l1.md).
TEST(LoneLoad, HitsTakeWhatTheContractSaysAndTheSystemAdds) {
  EXPECT_EQ(chase<baseline>(one_clock(), 8, 128), 2);
  EXPECT_EQ(chase<clustered>(one_clock(), 8, 128), 11);
  EXPECT_EQ(chase<baseline>(one_clock(), 8, 128, 6, 26), 28);
  EXPECT_EQ(chase<clustered>(one_clock(), 8, 128, 6, 26), 37);
}

// 12 lines 4,096 bytes apart are of one set of the L1s and of slice 0: each load goes to the L2 and hits
// there.
constexpr int far_lines = 12;
constexpr std::uint64_t far_stride = 4096;

// Lookup and miss queue 2; a network with a request of 1 flit and the queue behind it 4, with a reply of 4
// flits 7; the slice's lookup 1 behind its latency; fill, replay and answer 4.
constexpr double l1 = 2 + 4, networks = 4 + 7, slice = 1;
// Beside those: NoC#1 to the node's Q1 4, Q3 1, and Q2 1 with NoC#1 back 4.
constexpr double node = 4 + 1 + 1 + 4;

TEST(LoneLoad, FromTheL2IsTheSumOfItsParts) {
  for (const int latency : {1, 50, 120}) {
    SystemParams p = one_clock();
    p.l2.latency = latency;
    EXPECT_EQ(chase<baseline>(p, far_lines, far_stride), l1 + networks + slice + latency);
    EXPECT_EQ(chase<clustered>(p, far_lines, far_stride), l1 + networks + slice + latency + node);
  }
}

constexpr hw::TopologyParams with_lines(int line_bytes, int chunk_bytes = 32) {
  hw::TopologyParams p = baseline;
  p.l1d.line_bytes = p.l1d.index.line_bytes = line_bytes;
  p.l1d.chunk_bytes = chunk_bytes;
  p.l1d.index.sets = hw::sets_of(p.l1d);
  return p;
}

// A reply of n flits takes n + 3; the second line of the L2 leaves its slice behind the four sectors of the
// first, and the reply behind both.
TEST(LoneLoad, FromTheL2WithOtherLines) {
  static constexpr hw::TopologyParams half = with_lines(64), twice = with_lines(256),
                                      small_chunks = with_lines(128, 8);
  EXPECT_EQ(chase<half>(one_clock(), far_lines, far_stride), l1 + 4 + 5 + slice + 50);
  EXPECT_EQ(chase<twice>(one_clock(), far_lines, far_stride), l1 + 4 + 11 + slice + 50 + 4);
  EXPECT_EQ(chase<small_chunks>(one_clock(), far_lines, far_stride), l1 + networks + slice + 50);
}

// They move in every other core cycle, and each message comes when its network moves: of k cycles of a
// network, all but the last are twice as long.
TEST(LoneLoad, NetworksOfHalfTheClock) {
  SystemParams p = one_clock();
  p.network_clock = 500;
  EXPECT_EQ(chase<baseline>(p, far_lines, far_stride), l1 + (2 * networks - 2) + slice + 50);
}

// As of single caches: data 12 + 2 + 3, latency 80, and a cycle between DRAM and L2.
TEST(LoneLoad, FromAnOpenRowOfDram) {
  const SystemParams p = one_clock();
  const auto cycles = [&](int loads) {
    std::vector<Record> list;
    for (int i = 0; i < loads; ++i)
      list.push_back(verif::load_of(0x10000000 + static_cast<std::uint64_t>(i) * 128));
    verif::ListedTrace trace(1, list, false);
    return verif::run_topology<baseline>(p, trace).load_cycles;
  };
  const std::int64_t l2 = static_cast<std::int64_t>(l1 + networks + slice) + 50;
  // Lines 9 to 16 lie in rows that lines 1 to 8 have opened.
  EXPECT_EQ(cycles(16) - cycles(8), 8 * (l2 + 12 + 2 + 3 + 80 + 1));
}

TEST(TopologyInASystem, ConservesRequestsBytesAndCycles) {
  SystemParams p = one_clock();
  p.network_clock = 500;
  const auto check = [&](const Ran& ran, const char* name) {
    EXPECT_EQ(ran.memory.requests, ran.memory.answers) << name;
    EXPECT_EQ(ran.memory.bytes_down, ran.memory.l2.bytes_in) << name;
    EXPECT_EQ(ran.memory.l2.missed_bytes, ran.memory.dram.bytes_read) << name;
    EXPECT_EQ(ran.warp_instructions, 128u * 17) << name;
    for (const golden::CycleCauses& causes : ran.causes)
      EXPECT_EQ(causes.all(), static_cast<std::uint64_t>(ran.cycles)) << name;
  };
  check(verif::run_topology<baseline>(p, *golden::open_instructions("builtin:triad?elements=4096")),
        "baseline");
  check(verif::run_topology<clustered>(p, *golden::open_instructions("builtin:triad?elements=4096")),
        "clustered");
  static constexpr hw::TopologyParams twice = with_lines(256), parts_of_sectors = with_lines(64, 16);
  check(verif::run_topology<twice>(p, *golden::open_instructions("builtin:triad?elements=4096")),
        "256 bytes");
  check(verif::run_topology<parts_of_sectors>(p, *golden::open_instructions("builtin:triad?elements=4096")),
        "64 bytes in 16");
}

// A number that the list left out would not reach the program.
TEST(SystemFields, HoldEveryKey) {
  for (const gen::SystemPreset& preset : gen::system_presets()) {
    const SystemParams p = gen::load_system(preset.name).values;
    EXPECT_EQ(golden::numbers_of(golden::system_of(golden::numbers_of(p))), golden::numbers_of(p));
  }
  for (const gen::SystemKey& key : gen::system_keys()) {
    if (key.key == "system.memory") continue;  // of the memory, which topologies do not choose
    gen::SystemValues values;
    const auto before = golden::numbers_of(values);
    const gen::Value old = key.get(values);
    if (const auto* flag = std::get_if<bool>(&old))
      key.set(values, !*flag);
    else if (std::holds_alternative<std::string>(old))
      key.set(values, key.choices.back());
    else
      key.set(values, key.range.most);
    EXPECT_NE(golden::numbers_of(values), before) << key.key;
  }
}

}  // namespace
