// `explore --system`: what it reports, what it refuses, and the list of systems.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

const char* const kernel = "builtin:triad?elements=4096";

std::string output(const Arguments& arguments, int status = 0) {
  Arguments all{"explore", "l1d"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const gen::Finished done = verif::l1forge(all);
  EXPECT_EQ(done.status, status) << done.output;
  return done.output;
}

json run_of(Arguments arguments) {
  arguments.insert(arguments.end(), {"--trace", kernel, "--json", "-"});
  return json::parse(output(arguments))["runs"][0];
}

}  // namespace

TEST(ExploreSystem, ReportsInstructionsMemoryAndWhereCyclesWent) {
  const json run = run_of({"--system", "fermi_tsc"});
  EXPECT_EQ(run["system"], "fermi_tsc");
  EXPECT_EQ(run["sms"], 15);
  // 128 warps of 15 instructions in front of the store, the store, and the exit.
  EXPECT_EQ(run["warp_instructions"], 128 * 17);
  EXPECT_EQ(run["thread_instructions"], 128 * 17 * 32);
  EXPECT_EQ(run["instructions"], 128 * 3);
  EXPECT_NEAR(run["ipc"].get<double>(), 128.0 * 17 * 32 / run["cycles"].get<double>(), 1e-9);
  EXPECT_EQ(run["l2"]["accesses"], 128 * 3);
  EXPECT_EQ(run["dram"]["bytes_read"], 128 * 2 * 128);
  std::uint64_t all = 0;
  for (const char* cause : {"issued", "no_warp", "scoreboard", "load", "lsu_full", "barrier", "empty"})
    all += run["issue_cycles"][cause].get<std::uint64_t>();
  EXPECT_EQ(all, 15 * 2 * run["cycles"].get<std::uint64_t>());
  ASSERT_EQ(run["per_sm"].size(), 15u);
  for (const json& sm : run["per_sm"]) {
    std::uint64_t cycles = 0;
    for (const json& cause : sm["cycles_by_cause"]) cycles += cause.get<std::uint64_t>();
    EXPECT_EQ(cycles, run["cycles"].get<std::uint64_t>());
  }
  // 15 SMs of 2 schedulers; 12 slices of a sector in each of 700 of 1,400 cycles; 6 channels of 32 bytes at
  // 924.
  const json& roofline = run["roofline"];
  EXPECT_EQ(roofline["roofs"]["instructions_per_cycle"], 30);
  EXPECT_EQ(roofline["roofs"]["network_bytes_per_cycle"], 192);
  EXPECT_NEAR(roofline["roofs"]["dram_bytes_per_cycle"].get<double>(), 126.72, 0.001);
  EXPECT_NEAR(roofline["dram_bytes_per_cycle"].get<double>(),
              run["dram"]["bytes"].get<double>() / run["cycles"].get<double>(), 1e-9);
  EXPECT_FALSE(run.contains("memory_latency"));
}

TEST(ExploreSystem, TakesFilesAndFlagsThatWin) {
  const verif::TempFolder folder;
  const std::string file =
      folder.write("gpu.toml", "[system]\npreset = \"fermi_tsc\"\nsms = 4\nalu_interval = 1\n");
  const json run = run_of({"--system", file, "--sms", "2", "--scheduler", "lrr"});
  EXPECT_EQ(run["sms"], 2);
  EXPECT_EQ(run["scheduler"], "lrr");
  EXPECT_THAT(
      output({"--system", file, "--trace", kernel}),
      HasSubstr("gpu.toml: 4 SMs at 1400 MHz with 2 gto schedulers each, 12 L2 slices of 64 KB at 700 MHz, "
                "6 DRAM channels at 924 MHz\n"));
}

TEST(ExploreSystem, DrawsWhereCyclesWentAndTheRoofs) {
  const verif::TempFolder folder;
  const std::string file = folder.path("a.html");
  output({"--system", "fermi_tsc", "--trace", kernel, "--html", file, "--json", folder.path("a.json")});
  const std::string page = folder.content("a.html");
  for (const char* words : {"Where the cycles of the SMs went", "no ready warp", "DRAM: 127 bytes",
                            "L2 and network: 192 bytes", "issue: 30 instructions"})
    EXPECT_THAT(page, HasSubstr(words));
  const json run = json::parse(folder.content("a.json"))["runs"][0];
  const auto charts = verif::charts_of(page);
  double cycles = 0;
  for (const auto& part : charts[0].rows()) cycles += part["cycles"].get<double>();
  EXPECT_NEAR(cycles, run["cycles"].get<double>(), 0.01) << "the parts of the bar";
  ASSERT_EQ(charts[1].rows().size(), 2u);
  EXPECT_NEAR(charts[1].rows()[1]["bytes"].get<double>(),
              run["roofline"]["dram_bytes_per_cycle"].get<double>(), 1e-9);
  output({"--system", "two_nodes", "--trace", kernel, "--html", file});
  EXPECT_THAT(folder.content("a.html"), HasSubstr("\"cause\":\"memory\""));
  EXPECT_THAT(folder.content("a.html"), testing::Not(HasSubstr("roofs")));
}

// 256 warps with a step of 8 instructions each, and 12 around it.
TEST(ExploreSystem, RunsTheInstructionsOfLoops) {
  const json run = json::parse(
      output({"--system", "volta4", "--trace", "builtin:histogram?bytes=8192", "--json", "-"}))["runs"][0];
  EXPECT_EQ(run["warp_instructions"], 256 * 20);
}

TEST(ExploreSystem, RefusesWhatDoesNotGoWithASystem) {
  const Arguments system{"--system", "fermi_tsc", "--trace", kernel};
  const auto refused = [&](const Arguments& more) {
    Arguments all = system;
    all.insert(all.end(), more.begin(), more.end());
    return output(all, 2);
  };
  EXPECT_EQ(refused({"--untimed"}),
            "l1forge: --untimed: has no cycles, which --system is for; leave one out\n");
  for (const char* flag : {"--memory-latency", "--memory-bandwidth"})
    EXPECT_THAT(refused({flag, "64"}),
                HasSubstr("is not of a system, whose keys say how fast its L2 and DRAM are"));
  EXPECT_THAT(refused({"--memory", "blpp"}), HasSubstr("set system.memory = \"two_nodes\""));
  EXPECT_THAT(refused({"-s", "geometry.line_bytes=16"}), HasSubstr("geometry.line_bytes = 16: must be"));
  const auto topology = [&](const Arguments& more) {
    Arguments all{"explore", "dc_l1", "--trace", kernel, "--system"};
    all.insert(all.end(), more.begin(), more.end());
    return verif::l1forge(all).output;
  };
  EXPECT_EQ(topology({"fermi_tsc"}),
            "l1forge: fermi_tsc: system.sms = 15: dc_l1 has 80 cores; make them equal\n");
  EXPECT_EQ(topology({"fermi_tsc", "--sms", "80"}),
            "l1forge: fermi_tsc: system.l2_slices = 12: dc_l1 has 32 slices; make them equal\n");
  EXPECT_EQ(topology({"crossbar80", "--untimed"}),
            "l1forge: --untimed: has no cycles, which --system is for; leave one out\n");
  EXPECT_THAT(output({"--system", "fermi_tcs", "--trace", kernel}, 2), HasSubstr("did you mean fermi_tsc?"));
}

TEST(ExploreSystem, RefusesKeysAndValuesAtTheirPlace) {
  const verif::TempFolder folder;
  const auto complaint = [&](const std::string& text) {
    return output({"--system", folder.write("bad.toml", text), "--trace", kernel}, 2);
  };
  EXPECT_THAT(complaint("[system]\nshedulers = 2\n"),
              HasSubstr("bad.toml:2:1: system.shedulers: no such key of a "
                        "system; did you mean system.schedulers?\n"));
  EXPECT_THAT(complaint("[system]\nschedulers = 9\n"), HasSubstr("must be from 1 to 4"));
  EXPECT_THAT(complaint("[system]\ndram_channels = 5\n"),
              HasSubstr("bad.toml:2:17: system.dram_channels = 5: must divide system.l2_slices, 12\n"));
  EXPECT_THAT(complaint("[system]\nmemory_clock = 5\n"),
              HasSubstr("must be from a 64th to eight times system.core_clock, 1400\n"));
  EXPECT_THAT(complaint("[system]\nl1_hit_latency = 1\n"),
              HasSubstr("a hit of l1d takes 2 cycles by itself"));
}

TEST(ExploreSystem, RefusesATraceThatDoesNotCountItsInstructions) {
  const verif::TempFolder folder;
  const std::string bare = folder.write("bare.rec", verif::bytes(verif::load(0, 0, {0x1000})));
  EXPECT_THAT(output({"--system", "fermi_tsc", "--trace", bare}, 2),
              HasSubstr("no side file says how many instructions were executed"));
}

// What the last build that knew no systems reported.
TEST(ExploreSystem, LeavesRunsWithoutOneAsTheyWere) {
  const gen::Finished done = verif::l1forge(
      {"explore", "l1d", "l1d_tsc", "--sms", "2", "--trace", "builtin:spmv?side=4", "--json", "-"});
  EXPECT_TRUE(done.ok()) << done.output;
  EXPECT_EQ(done.output, gen::read_file(verif::in_source("verif/cli/expected/explore_without_system.json")));
}

TEST(ExploreSystem, ListsTheSystems) {
  EXPECT_THAT(verif::l1forge({"list", "--systems"}).output, HasSubstr("fermi_tsc        15 SMs of a GTX480"));
  const json list = json::parse(verif::l1forge({"list", "--systems", "--json", "-"}).output);
  for (const json& system : list["systems"]) EXPECT_EQ(system["parameters"].size(), list["keys"].size() + 1);
  EXPECT_GE(list["systems"].size(), 9u);
}

// Of two nodes: its pages are placed, and nothing is said of an L2 that is not there.
TEST(ExploreSystem, MayHaveAMemoryOfTwoNodes) {
  const json run = run_of({"--system", "two_nodes"});
  EXPECT_GT(run["nodes"]["gpu_pages"].get<int>(), 0);
  EXPECT_FALSE(run.contains("l2"));
}
