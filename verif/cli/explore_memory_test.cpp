// The memory below timed explorations: shared by several SMs, of two nodes, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

std::string output(const Arguments& arguments, int status = 0) {
  Arguments all{"explore"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const gen::Finished done = verif::l1forge(all);
  EXPECT_EQ(done.status, status) << done.output;
  return done.output;
}

json runs_of(Arguments arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  return json::parse(output(arguments))["runs"];
}

// A warp a CTA: loads of 32 lines each, `stride` bytes apart.
std::string wide_loads(int ctas, std::uint32_t stride) {
  std::string bytes;
  for (int cta = 0; cta < ctas; ++cta)
    for (std::uint32_t n = 0; n < 8; ++n) {
      std::vector<std::uint32_t> lines;
      for (std::uint32_t i = 0; i < 32; ++i)
        lines.push_back(0x100000 + stride * (32 * (8 * static_cast<std::uint32_t>(cta) + n) + i));
      bytes += verif::bytes(verif::load(static_cast<std::uint32_t>(cta), 0, lines));
    }
  return bytes;
}

}  // namespace

// 4 SMs whose lines are all of sub-partition 0 move no more a cycle than one; spread over all they do.
TEST(ExploreMemory, SeveralSmsShareSubPartitions) {
  const verif::TempFolder folder;
  const std::string same = folder.write("same.rec", wide_loads(4, 256 * 12)),
                    apart = folder.write("apart.rec", wide_loads(4, 256 * 13));
  const json runs = runs_of({"l1d_sectored", "--trace", same, apart, "--sms", "4", "-s", "index.kind=pli"});
  const double slow = runs[0]["cycles"], fast = runs[1]["cycles"];
  EXPECT_GE(slow, 4 * 8 * 32) << "a request a cycle";
  EXPECT_GT(slow, 1.5 * fast);
  EXPECT_THAT(output({"l1d", "--trace", same, "--sms", "4"}),
              HasSubstr("with sub-partitions of 100 cycles and 32 bytes a cycle each below all caches\n"));
}

// A load alone waits for the memory; with many the bandwidth counts. The Verilog takes one cycle more in
// either case.
TEST(ExploreMemory, LatencyAndBandwidth) {
  const verif::TempFolder folder;
  const std::string one = folder.write("one.rec", verif::bytes(verif::load(0, 0, {0x1000}))),
                    wide = folder.write("wide.rec", wide_loads(4, 256 * 13));
  const auto cycles = [](const Arguments& more) {
    Arguments arguments{"l1d"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const json run = runs_of(arguments)[0];
    return run["cycles"].get<int>();
  };
  EXPECT_EQ(cycles({"--trace", one, "--memory-latency", "350"}), cycles({"--trace", one}) + 250);
  EXPECT_EQ(cycles({"--trace", one, "--memory-bandwidth", "8"}), cycles({"--trace", one}) + 3 * 4);
  const Arguments slow{"--trace", wide, "--memory-bandwidth", "4"},
      slower{"--trace", wide, "--memory-bandwidth", "2"};
  EXPECT_EQ(cycles(slower) - cycles(slow), 4 * 8 * 32 * 128 / 4) << "all lines, four bytes a cycle";
  const Arguments all{"--memory-latency", "61", "--memory-bandwidth", "128", "--scheduler", "lrr",
                      "--trace",          wide};
  Arguments cosim{"cosim", "l1d", "--json", "-"};
  cosim.insert(cosim.end(), all.begin(), all.end());
  const gen::Finished done = verif::l1forge(cosim);
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(json::parse(done.output)["traces"][0]["cycles"], cycles(all) + 1);
  const json run = runs_of({"l1d", "--trace", one, "--memory-latency", "350"})[0];
  EXPECT_EQ(run["memory_latency"], 350);
  EXPECT_EQ(run["memory_bandwidth"], 32);
  EXPECT_THAT(
      output({"l1d", "--sms", "2", "--trace", one, "--memory-latency", "350", "--memory-bandwidth", "8"}),
      HasSubstr("with sub-partitions of 350 cycles and 8 bytes a cycle each below all caches\n"));
}

TEST(ExploreMemory, LatencyAndBandwidthAreOfAMemory) {
  EXPECT_EQ(output({"l1d", "--untimed", "--trace", "builtin:nw?n=64", "--memory-latency", "9"}, 2),
            "l1forge: --memory-latency: is of the memory below in timed runs, nowhere else; add --timed\n");
  EXPECT_EQ(output({"l1d", "--trace", "builtin:nw?n=64", "--memory", "blpp", "--memory-bandwidth", "64"}, 2),
            "l1forge: --memory-bandwidth: is not of a memory of two nodes, whose file says both\n");
  const gen::Finished done =
      verif::l1forge({"cosim", "index_pli", "--trace", "builtin:nw?n=64", "--memory-latency", "9"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output,
            "l1forge: --memory-latency: index_pli is no cache, and runs without an SM and a memory; leave it "
            "out\n");
}

// With all loads for one sub-partition its buffer is full, and a stalled load does not bypass; with shallow
// traffic it does.
TEST(ExploreMemory, FullBuffersKeepStalledLoadsFromBypassing) {
  const verif::TempFolder folder;
  const std::string same = folder.write("same.rec", wide_loads(60, 256 * 12)),
                    apart = folder.write("apart.rec", wide_loads(60, 256 * 13));
  const json runs = runs_of({"l1d_bucl", "--trace", same, apart, "--sms", "4", "-s", "bypass.bucl.sms=4",
                             "-s", "bypass.bucl.highest=63", "-s", "bypass.bucl.lowest=40", "-s",
                             "bypass.bucl.initial=40", "-s", "bypass.bucl.period=200"});
  EXPECT_EQ(runs[0]["bypasses_load"], 0);
  EXPECT_GT(runs[1]["bypasses_stall"].get<int>(), 10 * runs[0]["bypasses_stall"].get<int>());
}

TEST(ExploreMemory, TwoNodesByPlacement) {
  const verif::TempFolder folder;
  const std::string local = folder.write("local.toml", "preset = \"blpp\"\n[blpp]\nmode = \"static\"\n"),
                    far = folder.write("far.toml",
                                       "preset = \"blpp\"\n[blpp]\nmode = \"static\"\nratio = 0.0\n");
  const Arguments arguments = {
      "l1d", "--trace", "builtin:triad?elements=65536", "--sms", "4", "--memory", local, far, "blpp"};
  const json runs = runs_of(arguments);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0]["nodes"]["cpu_pages"], 0);
  EXPECT_EQ(runs[0]["nodes"]["gpu_pages"], 3 * 64);
  EXPECT_EQ(runs[0]["non_l1"], 0);
  EXPECT_EQ(runs[1]["nodes"]["gpu_pages"], 0);
  EXPECT_EQ(runs[1]["loads"], 0) << "CPU pages are not cached";
  EXPECT_EQ(runs[1]["non_l1"], runs[0]["loads"]);
  EXPECT_GT(runs[1]["cycles"], runs[0]["cycles"]);
  for (const json& run : runs) {
    ASSERT_EQ(run["loads_by_degree"].size(), 1u);
    EXPECT_EQ(run["loads_by_degree"][0]["loads"], 2 * 65536 / 32) << "cached or not";
    EXPECT_EQ(run["loads_by_degree"][0]["all_hits"], 0);
  }
  EXPECT_EQ(runs[2]["cycles"], runs[0]["cycles"]) << "no period has ended";
  const std::string table = output(arguments);
  EXPECT_THAT(table, HasSubstr("with a memory of two nodes below all caches\n"));
  EXPECT_THAT(table, HasSubstr("l1d, far"));
  EXPECT_THAT(table, HasSubstr("GPU pages %"));
}

TEST(ExploreMemory, RefusesWhatItCannotBe) {
  EXPECT_EQ(output({"l1d", "--trace", "builtin:triad", "--memory", "l1d"}, 2),
            "l1forge: l1d: l1d is no memory of two nodes; --memory takes blpp, or a file with preset = "
            "\"blpp\"\n");
  for (const Arguments& foreign :
       {Arguments{"l1d", "--untimed"}, Arguments{"dc_l1", "--timed"}, Arguments{"dc_l1"}}) {
    Arguments all = foreign;
    all.insert(all.end(), {"--trace", "builtin:triad", "--memory", "blpp"});
    EXPECT_EQ(output(all, 2), "l1forge: --memory: is below caches in timed runs on traces, nowhere else\n");
  }
}
