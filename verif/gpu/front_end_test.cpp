// The untimed front end: order of requests, placement of CTAs, barriers, kernels, and the temporary file.
#include "golden/gpu/front_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <span>

#include "verif/environment.h"
#include "verif/temp_folder.h"
#include "verif/trace/list_trace.h"

namespace {

using golden::FrontEnd;
using golden::GpuParams;
using golden::Request;
using golden::SchedulerKind;
using testing::ElementsAre;
using verif::access;
using verif::ListTrace;
using verif::wait;

// Line numbers in the order in which each SM sends them; -1 where the caches are flushed.
struct Recorder {
  std::vector<std::vector<int>> lines;
  bool misses = false;

  void flush() {
    for (auto& of_sm : lines) of_sm.push_back(-1);
  }
  bool access(int sm, std::span<const Request> requests) {
    for (const Request& r : requests)
      lines[static_cast<size_t>(sm)].push_back(static_cast<int>(r.address / 128));
    return misses;
  }
};

std::vector<std::vector<int>> sent(std::vector<ListTrace::Kernel> kernels, const GpuParams& params,
                                   std::uint32_t block = 0, bool misses = false) {
  ListTrace trace(std::move(kernels), block);
  FrontEnd front_end(trace, params);
  Recorder recorder{std::vector<std::vector<int>>(static_cast<size_t>(params.sms)), misses};
  while (front_end.round(recorder)) continue;
  return recorder.lines;
}

// CTA c, warp w, n-th access: line 100 * c + 10 * w + n.
ListTrace::Kernel grid(int ctas, int warps, int accesses) {
  ListTrace::Kernel kernel;
  for (int c = 0; c < ctas; ++c)
    for (int w = 0; w < warps; ++w)
      for (int n = 0; n < accesses; ++n)
        kernel.push_back(access(static_cast<std::uint32_t>(c), static_cast<std::uint16_t>(w),
                                static_cast<std::uint64_t>(128 * (100 * c + 10 * w + n))));
  return kernel;
}

TEST(FrontEnd, GtoRunsAWarpThatHitsToItsEnd) {
  EXPECT_THAT(sent({grid(2, 2, 2)}, {.scheduler = SchedulerKind::gto}),
              ElementsAre(ElementsAre(0, 1, 10, 11, 100, 101, 110, 111)));
}

TEST(FrontEnd, LrrTakesTheWarpsInTurn) {
  EXPECT_THAT(sent({grid(2, 2, 2)}, {.scheduler = SchedulerKind::lrr}),
              ElementsAre(ElementsAre(0, 10, 100, 110, 1, 11, 101, 111)));
}

TEST(FrontEnd, TwoLevelTakesGroupAfterGroup) {
  EXPECT_THAT(sent({grid(2, 2, 2)}, {.scheduler = SchedulerKind::two_level, .fetch_group = 3}),
              ElementsAre(ElementsAre(0, 10, 100, 1, 11, 101, 110, 111)));
}

TEST(FrontEnd, LoadsThatMissHoldTheirWarp) {
  const auto misses = [](ListTrace::Kernel kernel, SchedulerKind scheduler, int load_wait) {
    return sent({std::move(kernel)}, {.scheduler = scheduler, .load_wait = load_wait}, 0, true)[0];
  };
  // Warp 0 is back after one more request, and the oldest; warp 2 is picked when both others wait or
  // ended.
  EXPECT_THAT(misses(grid(1, 3, 2), SchedulerKind::gto, 1), ElementsAre(0, 10, 1, 11, 20, 21));
  EXPECT_THAT(misses(grid(1, 3, 2), SchedulerKind::gto, 2), ElementsAre(0, 10, 20, 1, 11, 21));
  EXPECT_THAT(misses(grid(1, 3, 2), SchedulerKind::gto, 100), ElementsAre(0, 10, 20, 1, 11, 21));
  EXPECT_THAT(misses(grid(1, 3, 2), SchedulerKind::gto, 0), ElementsAre(0, 1, 10, 11, 20, 21));
  EXPECT_THAT(misses(grid(1, 3, 2), SchedulerKind::lrr, 1), ElementsAre(0, 10, 20, 1, 11, 21));
  auto stores = grid(1, 3, 2);
  for (auto& record : stores) record.kind = golden::AccessKind::store;
  EXPECT_THAT(misses(stores, SchedulerKind::gto, 100), ElementsAre(0, 1, 10, 11, 20, 21));
}

TEST(FrontEnd, BarriersHoldTheWarpsOfTheirCta) {
  // Warp 2 ends before the barrier and is not waited for.
  const ListTrace::Kernel kernel = {access(0, 0, 0),    wait(0, 0),         access(0, 0, 128),
                                    access(0, 1, 1280), wait(0, 1),         access(0, 1, 1408),
                                    access(0, 2, 2560), access(1, 0, 12800)};
  EXPECT_THAT(sent({kernel}, {.scheduler = SchedulerKind::gto}),
              ElementsAre(ElementsAre(0, 10, 20, 1, 11, 100)));
  // Rounds: 0, 10, 20, 100, barrier of warp 0, barrier of warp 1 (released), 1, 11.
  EXPECT_THAT(sent({kernel}, {.scheduler = SchedulerKind::lrr}),
              ElementsAre(ElementsAre(0, 10, 20, 100, 1, 11)));
}

TEST(FrontEnd, CtasGoRoundTheSmsAndThenWhereOneRetires) {
  // CTA 0 is long; two SMs of one CTA each: 0 and 1 first, then all others to SM 1.
  ListTrace::Kernel kernel = {access(0, 0, 0), access(0, 0, 128), access(0, 0, 256), access(0, 0, 384)};
  for (std::uint32_t cta = 1; cta < 4; ++cta) kernel.push_back(access(cta, 0, 12800 * cta));
  EXPECT_THAT(sent({kernel}, {.sms = 2, .ctas_per_sm = 1}),
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(100, 200, 300)));
  // Two CTAs an SM: 0 and 2, 1 and 3.
  EXPECT_THAT(sent({kernel}, {.sms = 2, .ctas_per_sm = 2, .scheduler = SchedulerKind::lrr}),
              ElementsAre(ElementsAre(0, 200, 1, 2, 3), ElementsAre(100, 300)));
}

TEST(FrontEnd, WarpsLimitTheCtas) {
  const auto kernel = grid(3, 2, 1);
  // Slots for one CTA of two warps: in turn, one after the other.
  EXPECT_THAT(sent({kernel}, {.warps_per_sm = 3, .scheduler = SchedulerKind::lrr}),
              ElementsAre(ElementsAre(0, 10, 100, 110, 200, 210)));
  // Slots for two: warps of CTA 0 and 1 in turn; CTA 2 comes when CTA 0 retires, into its slots.
  EXPECT_THAT(sent({grid(3, 2, 2)}, {.warps_per_sm = 4, .scheduler = SchedulerKind::lrr}),
              ElementsAre(ElementsAre(0, 10, 100, 110, 1, 11, 101, 111, 200, 210, 201, 211)));
  // Blocks of 96 threads occupy three warps, also where only two have accesses.
  EXPECT_THAT(sent({grid(2, 2, 2)}, {.warps_per_sm = 5, .scheduler = SchedulerKind::lrr}, 96),
              ElementsAre(ElementsAre(0, 10, 1, 11, 100, 110, 101, 111)));
}

TEST(FrontEnd, KernelsFollowEachOtherWithAFlushBetween) {
  EXPECT_THAT(sent({grid(2, 1, 2), {}, grid(1, 1, 1)}, {.sms = 2}),
              ElementsAre(ElementsAre(0, 1, -1, 0), ElementsAre(100, 101, -1)));
  EXPECT_THAT(sent({{}, grid(1, 1, 1)}, {}), ElementsAre(ElementsAre(0)));
  EXPECT_THAT(sent({}, {}), ElementsAre(ElementsAre()));
}

TEST(FrontEnd, RequestsOfAnAccessHaveMasks) {
  golden::Record record = access(0, 0, 0x1080);
  record.mask = 0b1111;
  record.address = {0x10A0, 0x1000, 0x10FE, 0x1004};
  std::vector<golden::LineAccess> lines;
  golden::coalesce(record, 128, 32, lines);
  EXPECT_THAT(lines, ElementsAre(golden::LineAccess{0x1080, 0b1010}, golden::LineAccess{0x1000, 0b0001},
                                 golden::LineAccess{0x1100, 0b0001}));
  record.bytes_per_lane = 16;
  record.mask = 1;
  record.address[0] = 0x10F8;
  golden::coalesce(record, 128, 8, lines);
  EXPECT_THAT(lines, ElementsAre(golden::LineAccess{0x1080, 0x8000}, golden::LineAccess{0x1100, 0x0001}));
}

TEST(FrontEnd, ErrorsNameTraceAndCta) {
  const auto message = [](const ListTrace::Kernel& kernel, const GpuParams& params) -> std::string {
    try {
      sent({kernel}, params);
    } catch (const golden::TraceError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(grid(1, 4, 1), {.warps_per_sm = 3}), "list: cta 0 has 4 warps, an SM holds 3");
  EXPECT_EQ(message({access(2, 0, 0x12'3456'7890)}, {.address_bits = 32}),
            "list: cta 2 accesses address 1234567880, which has more than the cache's 32 bits; set "
            "geometry.address_bits");
}

// Random accesses of many warps with barriers, some of up to 32 lines.
ListTrace::Kernel random_kernel(unsigned seed) {
  std::mt19937_64 random(seed);
  ListTrace::Kernel kernel;
  for (std::uint32_t cta = 0; cta < 24; ++cta)
    for (std::uint16_t warp = 0; warp < 6; ++warp)
      for (int n = 0; n < 300; ++n) {
        if (n % 100 == 99) {
          kernel.push_back(wait(cta, warp));
          continue;
        }
        auto record = access(cta, warp, 0, static_cast<golden::AccessKind>(random() % 3));
        record.pc = static_cast<std::uint32_t>(random());
        record.mask = static_cast<std::uint32_t>(random() | 1);
        for (auto& address : record.address)
          address = static_cast<std::remove_reference_t<decltype(address)>>(random() & 0xFFFF'FFF0);
        kernel.push_back(record);
      }
  return kernel;
}

TEST(FrontEnd, SpilledAccessesComeBackAsTheyWere) {
  const ListTrace::Kernel kernel = random_kernel(1);
  for (const auto scheduler : {SchedulerKind::gto, SchedulerKind::lrr, SchedulerKind::two_level}) {
    const auto whole = [&](size_t spool_bytes) {
      return sent({kernel, kernel},
                  {.sms = 3, .ctas_per_sm = 3, .scheduler = scheduler, .spool_bytes = spool_bytes}, 0, true);
    };
    const auto in_memory = whole(64 << 20);
    EXPECT_EQ(in_memory, whole(0));
    EXPECT_EQ(in_memory, whole(100'000));
  }
}

TEST(FrontEnd, StreamsTakeWhatWasPut) {
  golden::SpillFile spill(10'000);
  golden::WarpStream stream;
  std::vector<golden::WarpAccess> all;
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    golden::WarpAccess one;
    one.kind = static_cast<golden::RequestKind>(random() % 4);
    one.pc = static_cast<std::uint32_t>(random());
    one.barrier = random() % 8 == 0;
    if (one.barrier) one.kind = golden::RequestKind::load;
    for (auto n = one.barrier ? 0 : 1 + random() % 64; n > 0; --n)
      one.lines.push_back(
          {(random() >> (random() % 64)) & ~std::uint64_t{127}, static_cast<std::uint32_t>(random())});
    all.push_back(one);
    stream.put(one, spill);
  }
  golden::WarpAccess got;
  for (const auto& one : all) {
    ASSERT_TRUE(stream.take(got));
    EXPECT_EQ(got.kind, one.kind);
    EXPECT_EQ(got.pc, one.pc);
    EXPECT_EQ(got.barrier, one.barrier);
    EXPECT_EQ(got.lines, one.lines);
  }
  EXPECT_FALSE(stream.take(got));
  EXPECT_GT(spill.spilled(), 100u);
}

TEST(FrontEnd, SaysWhereItCannotSpill) {
  const verif::TempFolder folder;
  const std::string none = folder.path("none");
  const verif::Environment temporary("TMPDIR", none);
  golden::SpillFile spill(0);
  try {
    spill.keep({1, 2, 3});
    ADD_FAILURE() << "kept";
  } catch (const std::exception& e) {
    EXPECT_EQ(e.what(), none + ": cannot create a temporary file: No such file or directory");
  }
}

}  // namespace
