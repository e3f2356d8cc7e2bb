// The side file of a trace: launches, and every complaint word by word.
#include "golden/trace/trace_side.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using golden::Record;
using golden::RecTrace;
using testing::ElementsAre;
using verif::bytes;
using verif::complaint;
using verif::load;

class TraceSideTest : public testing::Test {
 protected:
  verif::TempFolder folder_;
};

TEST_F(TraceSideTest, SideFileGivesLaunches) {
  folder_.write("t.json", R"({"kernel": "k", "block": [64, 2, 1], "launches": [
    {"index": 4, "grid": [2, 1, 1], "cta_base": 0, "records": 3, "params": ["0x1000", "0xffffffffffffffff"]},
    {"index": 6, "grid": [2, 2, 1], "cta_base": 10}, {"cta_base": 20}]})");
  std::string plain;
  for (const std::uint32_t cta : {0, 1, 13, 10, 20, 4000000, 1}) plain += bytes(load(cta, 3, {4}));
  for (const char* name : {"t.rec", "t.rec.xz"}) {
    RecTrace trace(folder_.write(name, plain));
    EXPECT_EQ(trace.kernel(), "k");
    EXPECT_THAT(trace.side().block, ElementsAre(64, 2, 1));
    EXPECT_EQ(trace.side().warps_per_cta(), 4);
    const auto& all = trace.launches();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].index, 4u);
    EXPECT_EQ(all[0].records, 3u);
    EXPECT_EQ(all[0].cta_end, 2u);
    EXPECT_THAT(all[0].params, ElementsAre(0x1000u, ~0ull));
    EXPECT_EQ(all[1].cta_base, 10u);
    EXPECT_EQ(all[1].cta_end, 14u);
    EXPECT_THAT(all[1].grid, ElementsAre(2, 2, 1));
    EXPECT_EQ(all[2].cta_end, 1ull << 32);
    std::vector<size_t> launches;
    for (Record record; trace.next(record);) launches.push_back(trace.launch_of(record.cta));
    EXPECT_THAT(launches, ElementsAre(0, 0, 1, 1, 2, 2, 0));
    try {
      trace.launch_of(5);
      ADD_FAILURE() << "cta 5 is in no launch";
    } catch (const golden::TraceError& e) {
      EXPECT_EQ(e.what(), folder_.path(name) + ": no launch of the side file has cta 5");
    }
  }
  const auto other = folder_.write("t.rec", bytes(load(0, 0, {4})) + bytes(load(2, 0, {4})));
  EXPECT_EQ(complaint(other, 1), other + ": byte 21: cta is 2, but no launch of the side file has it");
  const auto wide = folder_.write("t.rec", bytes(load(0, 3, {4})) + bytes(load(0, 4, {4})));
  EXPECT_EQ(complaint(wide, 1), wide + ": byte 21: warp is 4, but the side file's block has 4 warps");
}

TEST_F(TraceSideTest, WithoutSideFileThereIsOneLaunch) {
  RecTrace trace(folder_.write("t.rec", bytes(load(0xFFFFFFFF, 9999, {4}))));
  ASSERT_EQ(trace.launches().size(), 1u);
  EXPECT_EQ(trace.launch_of(0), 0u);
  EXPECT_EQ(trace.launch_of(0xFFFFFFFF), 0u);
  EXPECT_EQ(trace.kernel(), "");
  EXPECT_EQ(trace.side().warps_per_cta(), 0);
  Record record;
  EXPECT_TRUE(trace.next(record));
  EXPECT_FALSE(trace.next(record));
  EXPECT_FALSE(trace.next(record));
}

TEST_F(TraceSideTest, NamesTheSideFile) {
  EXPECT_EQ(golden::side_file_name("a/b.rec.xz"), "a/b.json");
  EXPECT_EQ(golden::side_file_name("a/b.rec"), "a/b.json");
  EXPECT_EQ(golden::side_file_name("a.rec/b"), "a.rec/b.json");
  EXPECT_EQ(golden::side_file_name("b.xz"), "b.xz.json");
}

TEST_F(TraceSideTest, RefusesBrokenSideFiles) {
  const auto path = folder_.write("t.rec", bytes(load(0, 0, {4})));
  const auto side = folder_.path("t.json");
  const auto check = [&](const std::string& content, const std::string& tail) {
    folder_.write("t.json", content);
    EXPECT_EQ(complaint(path), side + tail);
  };
  check("", ":1:1: this side file is not valid JSON");
  check("{\n \"launches\": [}", ":2:15: this side file is not valid JSON");
  check("[]", ": the side file has no \"launches\"");
  check("{}", ": the side file has no \"launches\"");
  check(R"({"launches": []})", ": launches must be an array of at least one launch");
  check(R"({"launches": 3})", ": launches must be an array of at least one launch");
  check(R"({"launches": [3]})", ": launches[0] must be an object with cta_base and grid");
  check(R"({"launches": [{}]})", ": launches[0] has no cta_base, the number of its first CTA");
  check(R"({"launches": [{"cta_base": -1}]})",
        ": launches[0].cta_base is -1, must be an integer from 0 to 4294967295");
  check(R"({"launches": [{"cta_base": 4294967296}]})",
        ": launches[0].cta_base is 4294967296, must be an integer from 0 to 4294967295");
  check(R"({"launches": [{"cta_base": 0, "grid": [1, 1]}]})",
        ": launches[0].grid must be three integers: x, y and z");
  check(R"({"launches": [{"cta_base": 0, "grid": [1, 0, 1]}]})",
        ": launches[0].grid[1] is 0, must be an integer from 1 to 4294967295");
  check(R"({"launches": [{"cta_base": 0, "index": "1"}]})",
        ": launches[0].index is \"1\", must be an integer from 0 to 4294967295");
  check(R"({"launches": [{"cta_base": 0, "records": 1.5}]})",
        ": launches[0].records is 1.5, must be an integer from 0 to 18446744073709551615");
  check(R"({"launches": [{"cta_base": 0, "params": "0x1"}]})",
        ": launches[0].params must be an array of strings such as \"0x1000\"");
  for (const char* wrong : {R"("1000")", R"("0x")", R"("0x1g")", R"("0x10000000000000000")", "7", R"("")"})
    check(fmt::format(R"({{"launches": [{{"cta_base": 0, "params": ["0x1", {}]}}]}})", wrong),
          fmt::format(": launches[0].params[1] is {}, must be a string such as \"0x1000\" of at most 64 bits",
                      wrong));
  check(R"({"launches": [{"cta_base": 4}, {"cta_base": 4}]})",
        ": launches[0] has a cta_base not below the next one's; list launches in CTA order");
  for (const char* grid : {"[9, 1, 1]", "[3, 3, 1]", "[2, 2, 3]", "[1, 1, 9]"})
    check(fmt::format(R"({{"launches": [{{"cta_base": 0, "grid": {}}}, {{"cta_base": 8}}]}})", grid),
          ": launches[0] has more CTAs than numbers from its cta_base 0 to 7");
  check(R"({"launches": [{"cta_base": 1, "grid": [4294967295, 4294967295, 4294967295]}]})",
        ": launches[0] has more CTAs than numbers from its cta_base 1 to 4294967295");
  check(R"({"launches": [{"cta_base": 0}], "block": [32, 0, 1]})",
        ": block[1] is 0, must be an integer from 1 to 1024");
  check(R"({"launches": [{"cta_base": 0}], "block": [1024, 2, 1]})",
        ": block has 64 warps, must have at most 32");
  check(R"({"launches": [{"cta_base": 0}], "block": 256})", ": block must be three integers: x, y and z");
  check(R"({"launches": [{"cta_base": 0}], "kernel": 1})", ": kernel must be a string");
  std::filesystem::remove(side);
  std::filesystem::create_directory(side);
  EXPECT_EQ(complaint(path), side + ": byte 0: cannot read: Is a directory");
}

}  // namespace
