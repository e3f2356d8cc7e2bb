// Conversion of traces: to `.rec` with its side file and to lists of requests, and what cannot be converted.
#include "golden/trace/rec/rec_convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/open/open_trace.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/trace/traceg_text.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre;
using verif::bytes;
using verif::load;
using verif::read_source;
using verif::traceg;

const std::string bundled = verif::in_source("verif/traces/");

class RecConvertTest : public testing::Test {
 protected:
  std::uint64_t to_rec(const std::string& from, const std::string& name) {
    return golden::write_rec(*golden::open_trace(from), from, folder_.path(name));
  }
  std::string error(const std::string& from) {
    try {
      to_rec(from, "out.rec");
    } catch (const golden::TraceError& e) {
      return e.what();
    }
    return "";
  }
  void expect_same(const std::string& a, const std::string& b) {
    const auto one = read_source(a), two = read_source(b);
    EXPECT_EQ(one.error + two.error, "");
    EXPECT_EQ(verif::texts(one.records), verif::texts(two.records));
    ASSERT_EQ(one.kernels.size(), two.kernels.size());
    for (std::size_t i = 0; i < one.kernels.size(); ++i) {
      EXPECT_EQ(one.kernels[i].name, two.kernels[i].name);
      EXPECT_EQ(one.kernels[i].grid, two.kernels[i].grid);
      EXPECT_EQ(one.kernels[i].block, two.kernels[i].block);
      EXPECT_EQ(one.kernels[i].index, two.kernels[i].index);
    }
    for (std::size_t i = 0; i < std::min(one.records.size(), two.records.size()); ++i) {
      ASSERT_EQ(one.records[i].cta, two.records[i].cta);
      ASSERT_EQ(one.records[i].warp, two.records[i].warp);
      ASSERT_EQ(one.records[i].pc, two.records[i].pc);
    }
  }
  verif::TempFolder folder_;
};

// So `--system` runs a converted kernel, too.
TEST_F(RecConvertTest, SideFileCountsInstructions) {
  const std::string from = "builtin:pathfinder?columns=512,rows=8";
  const auto counts = golden::count_by_run(from);
  to_rec(from, "a.rec");
  const auto executed = golden::open_trace(folder_.path("a.rec"))->executed();
  ASSERT_TRUE(executed);
  EXPECT_GT(counts.instructions, 2 * counts.accesses);
  EXPECT_EQ(executed->warp_instructions, counts.instructions);
  EXPECT_EQ(executed->accesses, counts.accesses);

  to_rec(bundled + "accelsim", "b.rec");
  const auto listed = golden::open_trace(folder_.path("b.rec"))->executed();
  ASSERT_TRUE(listed);
  EXPECT_GT(listed->warp_instructions, listed->accesses);
}

TEST_F(RecConvertTest, AnyTraceBecomesARec) {
  for (const std::string& from :
       {bundled + "accelsim", std::string("builtin:atax?nx=40,ny=30"), std::string("builtin:nw?n=48"),
        bundled + "streamcluster_two_launches.rec.xz"})
    for (const char* name : {"a.rec", "b.rec.xz"}) {
      EXPECT_EQ(to_rec(from, name), read_source(from).records.size());
      expect_same(from, folder_.path(name));
    }
  EXPECT_THAT(folder_.names(), ElementsAre("a.json", "a.rec", "b.json", "b.rec.xz"));
  to_rec(folder_.path("a.rec"), "a.rec");
  expect_same(folder_.path("a.rec"), folder_.path("b.rec.xz"));
}

TEST_F(RecConvertTest, TheBytesOfARecStay) {
  folder_.write("t.json",
                R"({"launches": [{"cta_base": 5, "grid": [2, 1, 1]}, {"cta_base": 9}], "more": 1})");
  const std::string content =
      bytes(load(6, 0, {4})) + bytes(load(5, 3, {8, 12})) + bytes(verif::barrier(5, 3)) +
      bytes({.cta = 11, .is_store = 3, .mask = 8, .bytes_per_lane = 16, .addresses = {0}});
  to_rec(folder_.write("t.rec", content), "copy.rec");
  EXPECT_EQ(folder_.content("copy.rec"), content);
  EXPECT_EQ(folder_.content("copy.json"), folder_.content("t.json"));
  to_rec(folder_.write("bare.rec", content), "copy2.rec");
  EXPECT_EQ(folder_.content("copy2.rec"), content);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("copy2.json")));
}

TEST_F(RecConvertTest, WideAddressesNeedACommonUpperHalf) {
  const auto near = folder_.write("near.traceg", traceg({"0 3 1 R1 LDG.E 1 R2 4 1 0x7f2a30000000 128 0"}));
  to_rec(near, "near.rec");
  EXPECT_THAT(verif::texts(read_source(folder_.path("near.rec")).records),
              ElementsAre("load 4 00000003: 30000000 30000080"));
  const auto far =
      folder_.write("far.traceg", traceg({"0 3 1 R1 LDG.E 1 R2 4 2 0x7f2a30000000 4294967296 0"}));
  EXPECT_EQ(error(far),
            far +
                ": addresses 0x7f2a00000000 and 0x7f2b30000000 differ above bit 31, but a .rec has "
                "addresses of 32 bits");
  const auto wide = folder_.write("wide.traceg", traceg({"0 1 1 R1 LDG.E.ENL2.256 1 R2 32 2 0x80 0"}));
  EXPECT_EQ(error(wide), wide + ": an access has 32 bytes a lane, a .rec at most 16");
  const auto cut = folder_.write("cut.rec", bytes(load(0, 0, {4})) + "x");
  EXPECT_EQ(error(cut), cut + ": byte 21: truncated record: 1 of its 17 header bytes are there");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out.rec")));
  EXPECT_EQ(folder_.names().size(), 6u);  // nothing half-written either
}

TEST_F(RecConvertTest, RequestsAreCoalesced) {
  folder_.write("t.json", R"({"block": [64, 1, 1], "launches": [{"cta_base": 0}]})");
  const auto path = folder_.write(
      "t.rec", bytes(load(0, 0, {0x100, 0x17c, 0x80, 0x120})) + bytes(verif::barrier(0, 0)) +
                   bytes({.cta = 3, .warp = 1, .pc = 17, .is_store = 2, .mask = 1, .addresses = {0xfe}}));
  EXPECT_EQ(golden::write_requests(*golden::open_trace(path), folder_.path("t.req"), 128, 32), 4u);
  EXPECT_EQ(folder_.content("t.req"), "L 100 b 0 7\nL 80 1 0 7\nA 80 8 7 17\nA 100 1 7 17\n");
  EXPECT_EQ(golden::write_requests(*golden::open_trace(path), folder_.path("t.req"), 64, 64), 5u);
  EXPECT_EQ(folder_.content("t.req"), "L 100 1 0 7\nL 140 1 0 7\nL 80 1 0 7\nA c0 1 7 17\nA 100 1 7 17\n");
}

}  // namespace
