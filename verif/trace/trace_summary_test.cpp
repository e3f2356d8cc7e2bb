// Coalesced lines and counts of whole traces.
#include "golden/trace/trace_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/trace/coalesce.h"
#include "golden/trace/open/open_trace.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

using golden::Record;
using testing::ElementsAre;
using verif::barrier;
using verif::bytes;
using verif::load;

const std::string bundled = verif::in_source("verif/traces/");

TEST(Coalesce, LinesInLaneOrder) {
  std::vector<std::uint64_t> lines{1, 2, 3};
  Record r;
  golden::coalesce(r, 128, lines);
  EXPECT_TRUE(lines.empty());
  r.mask = 0xF;
  r.bytes_per_lane = 4;
  r.address = {0x1080, 0x1000, 0x10FF, 0x1004};
  golden::coalesce(r, 128, lines);
  EXPECT_THAT(lines, ElementsAre(0x1080, 0x1000, 0x1100));
  golden::coalesce(r, 32, lines);
  EXPECT_THAT(lines, ElementsAre(0x1080, 0x1000, 0x10E0, 0x1100));
  r.bytes_per_lane = 1;
  golden::coalesce(r, 128, lines);
  EXPECT_THAT(lines, ElementsAre(0x1080, 0x1000));
  r.bytes_per_lane = 16;
  golden::coalesce(r, 4, lines);
  EXPECT_THAT(lines, ElementsAre(0x1080, 0x1084, 0x1088, 0x108C, 0x1000, 0x1004, 0x1008, 0x100C, 0x10FC,
                                 0x1100, 0x1104, 0x1108, 0x110C, 0x1010));
  r.mask = 1;
  r.address[0] = 0xFFFFFFFF;
  golden::coalesce(r, 128, lines);
  EXPECT_THAT(lines, ElementsAre(0xFFFFFF80, 0x100000000));
}

TEST(TraceSummary, BundledTracesHaveKnownCounts) {
  const auto summary = [](const std::string& path) { return golden::summarize(*golden::open_trace(path)); };
  auto s = summary(bundled + "atax256_first_warps.rec.xz");
  EXPECT_EQ(s.kernel, "atax_kernel1");
  EXPECT_EQ(
      golden::text(s),
      bundled +
          "atax256_first_warps.rec.xz: 16384 records: loads 10912 stores 5472 atomics 0 "
          "non-L1 0 barriers 0; launches 1 CTAs 4 warps 32; addresses 10000000..14008ffc; 128-byte requests "
          "a load 16.45");
  EXPECT_EQ(s.records, s.launches[0].stated_records);

  s = summary(bundled + "streamcluster_two_launches.rec.xz");
  EXPECT_EQ(golden::text(s),
            bundled +
                "streamcluster_two_launches.rec.xz: 34048 records: loads 33664 stores 384 "
                "atomics 0 non-L1 0 barriers 0; launches 2 CTAs 8 warps 128; addresses 100bb69c..109681fc; "
                "128-byte requests a load 1.11");
  ASSERT_EQ(s.launches.size(), 2u);
  for (const auto& launch : s.launches) {
    EXPECT_EQ(launch.ctas, 4u);
    EXPECT_EQ(launch.records, 17024u);
    EXPECT_EQ(launch.stated_records, 17024u);
  }
}

TEST(TraceSummary, AsJson) {
  const verif::TempFolder folder;
  folder.write("t.json", R"({"kernel": "k", "launches": [{"index": 1, "cta_base": 0, "grid": [9, 1, 1],
                               "records": 5}, {"index": 2, "cta_base": 9}]})");
  const auto path = folder.write(
      "t.rec", bytes(load(0, 0, {0x200, 0x100})) + bytes(load(0, 64, {0x100, 0x104})) + bytes(barrier(0, 0)) +
                   bytes({.cta = 8, .is_store = 1, .mask = 1, .addresses = {0x10}}) +
                   bytes({.cta = 9, .is_store = 2, .mask = 1, .addresses = {0xFFFFFFFC}}) +
                   bytes({.cta = 9, .is_store = 3, .mask = 1, .addresses = {0x20}}));
  const std::string json = golden::json(golden::summarize(*golden::open_trace(path))).dump();
  EXPECT_EQ(
      json,
      R"({"trace":")" + path +
          R"(","kernel":"k","records":6,"loads":2,"stores":1,"atomics":1,"non_l1":1,"barriers":1,"ctas":3,"warps":4,)"
          R"("lowest_address":"0x00000010","highest_address":"0xfffffffc","line_bytes":128,)"
          R"("load_requests":3,"requests_per_load":1.5,)"
          R"("launches":[{"kernel":"k","index":1,"ctas":2,"records":4,"stated_records":5},)"
          R"({"kernel":"k","index":2,"ctas":1,"records":2,"stated_records":0}]})");
}

TEST(TraceSummary, OfRequestLists) {
  const verif::TempFolder folder;
  const auto path = folder.write("list", "L 180 3\nL 80 1\nS 80 f\nA 100 1\nN 10000000 8 1 2\n");
  golden::RequestList list(path, {});
  const auto s = golden::summarize(list);
  EXPECT_EQ(golden::text(s),
            path +
                ": 5 requests: loads 2 stores 1 atomics 1 non-L1 1; lines 00000080..10000000; "
                "9 chunks");
  EXPECT_EQ(golden::json(s).dump(),
            R"({"request_list":")" + path +
                R"(","requests":5,"loads":2,"stores":1,"atomics":1,"non_l1":1,"flushes":0,"chunks":9,)"
                R"("lowest_address":"0x00000080","highest_address":"0x10000000"})");
}

}  // namespace
