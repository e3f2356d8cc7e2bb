// Whole systems: closed forms of a pointer chase, conservation of requests and bytes, and the bounds of a
// kernel that moves bytes.
#include "gen/explore/system_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/system/system_config.h"
#include "verif/gpu/system/listed_trace.h"

namespace {

using golden::Record;
using golden::SystemParams;

gen::RunResult run(const hw::L1dParams& cache, const SystemParams& p,
                   std::unique_ptr<golden::TraceSource> trace) {
  gen::RunResult result;
  result.sms.resize(static_cast<std::size_t>(p.sms));
  gen::SystemRun(cache, p, std::move(trace)).run(result, [](std::uint64_t, double) {});
  return result;
}

// One warp that loads these lines, each when the one before is there. Cycles a load, median and least.
struct Chase {
  std::uint64_t hits, others;
};
Chase chase(const SystemParams& system, const std::vector<std::uint64_t>& addresses) {
  SystemParams p = system;
  p.sms = 1;
  p.alu_interval = 1;
  p.loads_in_flight = 1;
  std::vector<Record> records;
  for (const std::uint64_t address : addresses) records.push_back(verif::load_of(address));
  const gen::RunResult result = run({}, p, std::make_unique<verif::ListedTrace>(1, records, false));
  const golden::PortLatency& latency = result.sms[0].latency;
  return {latency.hits().percentile(50), latency.others().percentile(50)};
}

std::vector<std::uint64_t> lines(int count, std::uint64_t stride, int rounds = 1) {
  std::vector<std::uint64_t> out;
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < count; ++i) out.push_back(0x10000000 + static_cast<std::uint64_t>(i) * stride);
  return out;
}

// A system whose clocks are one, so that every part of a latency is whole.
SystemParams one_clock() {
  SystemParams p;
  p.core_clock = p.network_clock = p.memory_clock = 1000;
  p.l2.latency = 50;
  p.dram.latency = 80;
  return p;
}

// From acceptance to answer, whole lines of four sectors, flits of 32 bytes: lookup and miss queue 2, the
// request's flit 1, the L2's latency of at least 1, the reply's flits 4, fill, replay and answer 4.
constexpr std::uint64_t l1_and_networks = 2 + 1 + 4 + 4;

TEST(PointerChase, InTheL1TakesWhatTheSystemSays) {
  for (const int latency : {0, 28, 30}) {
    SystemParams p = one_clock();
    p.l1_hit_latency = latency;
    EXPECT_EQ(chase(p, lines(8, 128, 50)).hits, latency ? static_cast<std::uint64_t>(latency) : 2u);
  }
  SystemParams queued = one_clock();
  queued.l1_queue_latency = 20;  // in front of the port: a load takes that much longer, its lookup does not
  EXPECT_EQ(chase(queued, lines(8, 128, 50)).hits, 2u);
}

TEST(PointerChase, InTheL2IsTheSumOfItsParts) {
  for (const int latency : {1, 50, 120}) {
    SystemParams p = one_clock();
    p.l2.latency = latency;
    EXPECT_EQ(chase(p, lines(12, 4096, 20)).others, l1_and_networks + static_cast<std::uint64_t>(latency));
  }
}

// Two column accesses of a line: the second read follows tCCDL 3 behind the first, its data takes tCL 12 and
// two cycles of the bus; the L2 sends on when all sectors are there.
TEST(PointerChase, InDramIsTheSumOfItsPartsByTheStateOfTheRow) {
  SystemParams p = one_clock();
  p.dram.channels = p.l2.slices = 1;
  const std::uint64_t l2 = l1_and_networks + 50, data = 12 + 2 + 3 + 80;
  // Lines of one row after the other; of 16 banks, each row for the first time; rows of one bank.
  const std::uint64_t hit = chase(p, lines(16 * 31, 128)).others, miss = chase(p, lines(16, 2048)).others,
                      conflict = chase(p, lines(200, 16 * 2048)).others;
  EXPECT_EQ(hit, l2 + data + 1);
  EXPECT_EQ(miss, hit + 12);
  EXPECT_EQ(conflict, hit + 12 + 12);
}

// Three slices share a channel block by block: of the third slice's blocks from a row's beginning on, two lie
// in that row and the next in another.
TEST(PointerChase, SlicesOfAChannelHaveTheirOwnBlocks) {
  SystemParams p = one_clock();
  p.dram.channels = 1, p.l2.slices = 3;
  std::vector<Record> records;
  for (std::uint64_t block = 0; block < 3; ++block)
    records.push_back(verif::load_of((8000 + block) * 3 * 256 + 2 * 256));
  p.sms = 1;
  const gen::RunResult result = run({}, p, std::make_unique<verif::ListedTrace>(1, records, false));
  EXPECT_EQ(result.system->memory->dram.row_misses, 2u);
}

// The Fermi presets: a chase takes 200 cycles a load from the L2, and 500 from an open row.
TEST(PointerChase, FermiSystemsTakeWhatTheirSourceSays) {
  for (const char* name : {"fermi_tsc", "fermi_bucl", "fermi_decoupled", "fermi_aci"}) {
    const SystemParams p = gen::load_system(name).values;
    EXPECT_EQ(chase(p, lines(12, 4096, 20)).others + 1, 200u) << name;
    EXPECT_NEAR(static_cast<double>(chase(p, lines(2000, 128)).others + 1), 500, 2) << name;
  }
}

// A kernel of many warps that load and store all over memory.
std::unique_ptr<golden::TraceSource> busy_kernel() {
  return golden::open_instructions("builtin:spmv?side=12");
}

TEST(Conservation, OfRequestsAndBytes) {
  for (const char* name : {"fermi_tsc", "fermi_aci", "volta4", "crossbar80"}) {
    const SystemParams p = gen::load_system(name).values;
    const gen::RunResult result = run({}, p, busy_kernel());
    const golden::SystemMemoryFigures& m = *result.system->memory;
    EXPECT_EQ(m.requests, m.answers) << name;
    EXPECT_EQ(m.bytes_down, m.l2.bytes_in) << name;
    EXPECT_EQ(m.l2.missed_bytes, m.dram.bytes_read) << name;
    EXPECT_EQ(m.l2.accesses, m.l2.hits + m.l2.misses) << name;
    EXPECT_EQ(m.dram.reads + m.dram.writes, m.dram.row_hits + m.dram.row_misses + m.dram.row_conflicts)
        << name;
    const golden::IssueCycles& i = result.system->issue_cycles;
    EXPECT_EQ(i.issued, result.system->warp_instructions) << name;
    EXPECT_EQ(i.all(), result.cycles * static_cast<unsigned>(p.sms * p.schedulers)) << name;
  }
}

// Cycles over the least for the bytes of DRAM. The caches have MSHRs enough: 32 of each of 15 SMs
// hold 61,440 bytes, which at 500 cycles a load are less than what DRAM moves.
double over_bound(const SystemParams& p, std::unique_ptr<golden::TraceSource> trace) {
  hw::L1dParams cache;
  cache.mshr_entries = 128;
  const gen::RunResult result = run(cache, p, std::move(trace));
  const golden::DramCounters& d = result.system->memory->dram;
  const double peak =
      p.dram.channels * p.dram.bytes_per_command * static_cast<double>(p.memory_clock) / p.core_clock;
  return static_cast<double>(result.cycles) * peak / static_cast<double>(d.bytes_read + d.bytes_written);
}

// Warps that read lines one after the other, each once. How near to the bound they come, and what keeps them
// from it: docs/system.md, "Closed forms".
TEST(Bounds, ReadsTakeTheirBytesOverTheBandwidthOfDram) {
  SystemParams p = gen::load_system("fermi_tsc").values;
  p.loads_in_flight = 4;
  std::vector<Record> records;
  for (std::uint32_t cta = 0; cta < 1500; ++cta)
    for (std::uint16_t w = 0; w < 8; ++w)
      for (std::uint64_t i = 0; i < 2; ++i) {
        Record record = verif::load_of(0x10000000 + ((i * 1500 + cta) * 8 + w) * 128, w);
        record.cta = cta;
        record.mask = ~0u;
        for (std::size_t lane = 0; lane < 32; ++lane) record.address[lane] = record.address[0] + 4 * lane;
        records.push_back(record);
      }
  const double over = over_bound(p, std::make_unique<verif::ListedTrace>(8, std::move(records), false, 1500));
  EXPECT_GE(over, 1.0);
  EXPECT_LE(over, 1.3);
}

// Triad also writes: the bus turns between reads and writes, and slices wait to write lines back.
TEST(Bounds, TriadIsNearTheBandwidthOfDram) {
  const double over = over_bound(gen::load_system("fermi_tsc").values,
                                 golden::open_instructions("builtin:triad?elements=262144"));
  EXPECT_GE(over, 1.0);
  EXPECT_LE(over, 1.3);
}

}  // namespace
