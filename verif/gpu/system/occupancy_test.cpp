// CTAs on an SM: the least of what warps, threads, registers and shared memory allow (spec 13), by itself and
// in a run.
#include "golden/gpu/system/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/explore/system_run.h"
#include "gen/system/system_config.h"
#include "verif/gpu/system/listed_trace.h"

namespace {

using golden::ctas_per_sm;
using golden::KernelInfo;
using golden::SystemParams;

// 48 warps, 1,536 threads, 8 CTAs, 32,768 registers and 48 KB of shared memory.
SystemParams fermi() { return gen::load_system("fermi_tsc").values; }

KernelInfo kernel_of(std::uint32_t threads, int registers, std::uint64_t shared_bytes) {
  KernelInfo kernel;
  kernel.block = {threads, 1, 1};
  kernel.registers = registers;
  kernel.shared_bytes = shared_bytes;
  return kernel;
}

int ctas(std::uint32_t threads, int registers, std::uint64_t shared_bytes) {
  return ctas_per_sm(fermi(), kernel_of(threads, registers, shared_bytes),
                     static_cast<int>((threads + 31) / 32));
}

TEST(Occupancy, EachLimitAlone) {
  EXPECT_EQ(ctas(32, 0, 0), 8) << "the SM's number of CTAs";
  EXPECT_EQ(ctas(256, 0, 0), 6) << "1,536 threads of 256";
  EXPECT_EQ(ctas(1024, 0, 0), 1) << "1,536 threads of 1,024";
  EXPECT_EQ(ctas(201, 0, 0), 6) << "48 warps of 7, not 1,536 threads of 201";
  EXPECT_EQ(ctas(128, 63, 0), 4) << "32,768 registers of 128 * 63 = 8,064";
  EXPECT_EQ(ctas(128, 64, 0), 4) << "32,768 registers of 8,192, to the last one";
  EXPECT_EQ(ctas(128, 65, 0), 3) << "32,768 registers of 8,320";
  EXPECT_EQ(ctas(128, 0, 12288), 4) << "48 KB of 12 KB";
  EXPECT_EQ(ctas(128, 0, 12289), 3) << "48 KB of a byte more";
}

TEST(Occupancy, TheLeastOfAllCounts) {
  EXPECT_EQ(ctas(128, 65, 12288), 3) << "registers";
  EXPECT_EQ(ctas(128, 63, 16385), 2) << "shared memory";
  EXPECT_EQ(ctas(512, 16, 12288), 3) << "threads";
}

TEST(Occupancy, NothingFitsThatIsTooLarge) {
  EXPECT_EQ(ctas(1024, 33, 0), 0) << "33,792 registers";
  EXPECT_EQ(ctas(32, 0, 49153), 0) << "a byte of shared memory too much";
  EXPECT_EQ(ctas(1600, 0, 0), 0) << "threads";
}

TEST(Occupancy, AKeyReplacesTheTracesRegisters) {
  SystemParams p = fermi();
  p.registers_per_thread = 128;
  EXPECT_EQ(ctas_per_sm(p, kernel_of(128, 16, 0), 4), 2);
  EXPECT_EQ(ctas_per_sm(p, kernel_of(128, 0, 0), 4), 2) << "also where it says none";
}

// A trace that does not state its blocks has what its CTAs are seen to have: 32 threads a warp.
TEST(Occupancy, BlocksThatAreNotStatedCountByTheirWarps) {
  KernelInfo kernel;
  kernel.registers = 63;
  EXPECT_EQ(ctas_per_sm(fermi(), kernel, 4), 4);
  EXPECT_EQ(ctas_per_sm(fermi(), kernel, 16), 1);
}

// A trace whose kernel has registers and shared memory.
class Limited final : public golden::TraceSource {
 public:
  Limited(int warps, std::vector<golden::Record> records, std::uint32_t ctas, int registers,
          std::uint64_t shared_bytes)
      : inner_(warps, std::move(records), false, ctas), registers_(registers), shared_(shared_bytes) {}
  bool next_kernel(KernelInfo& kernel) override {
    if (!inner_.next_kernel(kernel)) return false;
    kernel.registers = registers_;
    kernel.shared_bytes = shared_;
    return true;
  }
  bool next(golden::Record& record) override { return inner_.next(record); }
  const std::string& name() const override { return inner_.name(); }
  double fraction() const override { return -1; }

 private:
  verif::ListedTrace inner_;
  int registers_;
  std::uint64_t shared_;
};

// 24 CTAs of a warp of 100 instructions, 16 cycles each: a CTA takes as long beside seven others as alone, so
// a run takes as many of these as there are rounds of CTAs.
std::uint64_t cycles(int registers, std::uint64_t shared_bytes) {
  SystemParams p = fermi();
  p.sms = 1;
  p.alu_interval = 16;
  std::vector<golden::Record> records;
  for (std::uint32_t cta = 0; cta < 24; ++cta) {
    records.push_back(verif::plain(0, 99));
    records.back().cta = cta;
  }
  gen::RunResult result;
  result.sms.resize(1);
  gen::SystemRun({}, p, std::make_unique<Limited>(1, records, 24, registers, shared_bytes))
      .run(result, [](std::uint64_t, double) {});
  return result.cycles;
}

TEST(Occupancy, LimitsARun) {
  const auto rounds = [](std::uint64_t all) { return static_cast<double>(all) / (100 * 16); };
  const std::uint64_t eight = cycles(0, 0);
  EXPECT_NEAR(rounds(eight), 3, 0.1) << "8 at once";
  EXPECT_NEAR(rounds(cycles(256, 0)), 6, 0.1) << "4 at once, by registers";
  EXPECT_NEAR(rounds(cycles(0, 24576)), 12, 0.2) << "2 at once, by shared memory";
  EXPECT_NEAR(rounds(cycles(1024, 24576)), 24, 0.3) << "1 at once, by registers";
  EXPECT_EQ(cycles(128, 6144), eight) << "neither limits";
}

TEST(Occupancy, ACtaThatDoesNotFitIsAnError) {
  try {
    cycles(0, 49153);
    FAIL();
  } catch (const golden::TraceError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("does not fit into an SM of the system"));
  }
}

}  // namespace
