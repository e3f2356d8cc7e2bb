// `cosim --trace --system`: as many cycles as `explore --system`, faults in the Verilog are found, and what
// does not go together is refused.
#include <gmock/gmock.h>

#include <filesystem>

#include "gen/files.h"
#include "verif/gpu/system/cosim_system.h"

namespace {

using testing::HasSubstr;
using verif::InSystem;

const char* const kernel = "builtin:gemm?ni=32,nj=32,nk=16";

std::string refused(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "cosim");
  arguments.insert(arguments.end(), {"--trace", kernel});
  const gen::Finished done = verif::l1forge(arguments);
  EXPECT_EQ(done.status, 2) << done.output;
  EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  return done.output;
}

}  // namespace

// At one to four SMs; the full tier has all of them in each system.
TEST(CosimInASystem, TakesAsManyCyclesAsTheModel) {
  int sms = 0;
  for (const std::string& system : verif::all_systems())
    verif::expect_as_many_cycles({"l1d", system, kernel, ++sms % 4 + 1});
}

// Lines and sectors of other sizes than the L2's, in each system with DRAM and with two nodes.
TEST(CosimInASystem, TakesAsManyCyclesAsTheModelWithOtherLines) {
  verif::expect_as_many_cycles(
      {"l1d", "fermi_tsc", kernel, 2, {"-s", "geometry.line_bytes=256", "-s", "geometry.chunk_bytes=64"}});
  verif::expect_as_many_cycles({"l1d_sectored", "volta4", kernel, 3, {"-s", "geometry.chunk_bytes=8"}});
  verif::expect_as_many_cycles({"l1d", "two_nodes", kernel, 2, {"-s", "geometry.line_bytes=256"}});
}

// Two kernels with registers, and a flush between them.
TEST(CosimInASystem, TakesAsManyCyclesAsTheModelWithRegisters) {
  verif::expect_as_many_cycles({"l1d", "volta4", verif::in_source("verif/traces/accelsim"), 2});
}

// Crossbars move in every core cycle, so the system's do.
TEST(CosimInASystem, ATopologyTakesAsManyCyclesAsItsModel) {
  verif::expect_topology_takes_as_many_cycles("dc_l1",
                                              verif::system_of_four("crossbar80", "network_clock = 1400\n"),
                                              {verif::four_cores, {"-s", "topology.kind=baseline"}});
}

// Networks at half the core's clock; with boost NoC#1 at all of it.
TEST(CosimInASystem, ATopologyOfSlowerNetworksTakesAsManyCyclesAsItsModel) {
  verif::expect_topology_takes_as_many_cycles(
      "dc_l1", verif::system_of_four("crossbar80"),
      {verif::four_cores, {"-s", "topology.kind=baseline", "-s", "noc.clock_ratio=2"}});
  verif::expect_topology_takes_as_many_cycles("dc_l1", verif::system_of_four("crossbar80"),
                                              {verif::four_cores,
                                               {"-s", "topology.nodes=2", "-s", "topology.clusters=1", "-s",
                                                "noc.clock_ratio=2", "-s", "topology.boost=true"}});
}

TEST(CosimInASystem, ATopologyOfOtherLinesTakesAsManyCyclesAsItsModel) {
  verif::expect_topology_takes_as_many_cycles(
      "dc_l1", verif::system_of_four("crossbar80", "network_clock = 1400\n"),
      {verif::four_cores, {"-s", "topology.kind=baseline", "-s", "geometry.line_bytes=256"}});
}

// Each begins with a reset and an empty L2.
TEST(CosimInASystem, TakesSeveralTracesOneAfterTheOther) {
  const std::string other = "builtin:triad?elements=2048";
  InSystem run{"l1d", "fermi_tsc", kernel, 2};
  run.more = {"--trace", other, kernel};
  const auto both = verif::json_of_call(run.arguments("cosim"));
  ASSERT_EQ(both["traces"].size(), 3u);
  EXPECT_EQ(both["traces"][0]["cycles"], both["traces"][2]["cycles"]);
  EXPECT_EQ(both["traces"][0]["counters"], both["traces"][2]["counters"]);
  const auto alone = verif::json_of_call(InSystem{"l1d", "fermi_tsc", other, 2}.arguments("explore"));
  verif::expect_same_figures(both["traces"][1], alone["runs"][0]);
}

TEST(CosimInASystem, FindsAFaultInTheVerilog) {
  const verif::TempFolder folder;
  ASSERT_EQ(verif::l1forge({"gen", "l1d", "-o", "mine"}, folder.path()).status, 0);
  const std::filesystem::path file = std::filesystem::path(folder.path()) / "mine/l1d.v";
  std::string text = gen::read_file(file);
  const std::string merges = "wire merge = no_hit & entry_match & can_merge;",
                    wrong = "wire merge = 1'd0 & entry_match;";
  ASSERT_NE(text.find(merges), text.npos);
  text.replace(text.find(merges), merges.size(), wrong);
  gen::write_file_atomically(file, text);
  const gen::Finished done = verif::l1forge(
      {"cosim", "l1d", "--system", "fermi_tsc", "--sms", "2", "--trace", kernel, "--verilog", file.string()},
      folder.path());
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, testing::ContainsRegex("MISMATCH in cycle [0-9]+ in SM [01]: "));
  EXPECT_THAT(done.output, HasSubstr(" --system fermi_tsc --sms 2"));
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(folder.path()) / "l1d_mismatch.vcd"));
}

TEST(CosimInASystem, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(refused({"l1d", "--system", "fermi"}), HasSubstr("fermi"));
  EXPECT_THAT(refused({"l1d", "--sms", "2"}), HasSubstr("--sms requires --system"));
  EXPECT_THAT(refused({"index_pli", "--system", "fermi_tsc"}),
              HasSubstr("is no cache, such as l1d, and no topology"));
  EXPECT_THAT(refused({"l1d", "--system", "fermi_tsc", "--memory-latency", "100"}),
              HasSubstr("--memory-latency: is not of a system"));
  EXPECT_THAT(refused({"l1d", "--system", "fermi_tsc", "-s", "geometry.line_bytes=512"}),
              HasSubstr("geometry.line_bytes = 512: must be a power of two from 32 to 256"));
  EXPECT_THAT(refused({"l1d", "--system", "fermi_tsc", "-s", "geometry.chunk_bytes=4"}),
              HasSubstr("geometry.chunk_bytes = 4: must be a power of two from 8 to 64"));
  EXPECT_THAT(refused({"l1d", "--system", "fermi_tsc", "-s", "memory.protocol=axi4"}),
              HasSubstr("is not what a system has below its L1s"));
  EXPECT_THAT(refused({"l1d_bucl", "--system", "fermi_bucl", "--sms", "2", "-s", "bypass.bucl.sms=2"}),
              HasSubstr("makes the caches of several SMs differ"));
  const auto of_four = [](std::vector<std::string> all) {
    all.insert(all.end(), verif::four_cores.begin(), verif::four_cores.end());
    return refused(all);
  };
  const verif::TempFolder folder;
  const std::string four = folder.write("four.toml", verif::system_of_four("crossbar80"));
  EXPECT_THAT(of_four({"dc_l1", "--system", four, "-s", "topology.kind=baseline"}),
              HasSubstr("system.network_clock = 700: the networks of dc_l1 move in one of 1 core cycles; use "
                        "1400, or noc.clock_ratio = 2\n"));
  EXPECT_THAT(of_four({"dc_l1", "--system", four, "-s", "topology.nodes=2", "-s", "topology.clusters=1", "-s",
                       "topology.boost=true"}),
              HasSubstr("leave it out, or set noc.clock_ratio to 2 or 4\n"));
  EXPECT_THAT(of_four({"dc_l1", "--system", "crossbar80", "-s", "topology.kind=baseline"}),
              HasSubstr("system.sms = 80: dc_l1 has 4 cores; make them equal"));
  EXPECT_THAT(refused({"l1d", "--system", "fermi_tsc", "--svg", "x.svg"}), HasSubstr("--svg"));
}
