// Lines of generated Verilog: the random runs of these units reach all but those of the list.
#include <gmock/gmock.h>

#include <filesystem>

#include "gen/files.h"
#include "verif/cli/verilog_coverage.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"

namespace {

using testing::HasSubstr;

// Those of docs/verification.md, in runs of default length. Counters make a model of many nets slow.
constexpr const char* units[] = {"adi_monitor",
                                 "allocator_islip",
                                 "arbiter_round_robin",
                                 "awl",
                                 "axi4_adapter",
                                 "axi4_bridge",
                                 "blpp",
                                 "bucl_threshold_unit",
                                 "core_selector",
                                 "crossing_fifo",
                                 "dc_l1_home",
                                 "dc_l1_node",
                                 "dyneb",
                                 "filter_dueling",
                                 "iacm_controller",
                                 "index_bxi",
                                 "index_cvi",
                                 "index_lin",
                                 "index_pli",
                                 "index_pri",
                                 "index_rxi",
                                 "l1_arbiter",
                                 "l1d",
                                 "l1d_adi",
                                 "l1d_bucl",
                                 "l1d_dsc",
                                 "l1d_gpu",
                                 "l1d_mrpb",
                                 "l1d_reuse_filter",
                                 "l1d_sectored",
                                 "l1d_tsc",
                                 "mesh_router",
                                 "mode_selector",
                                 "packetiser",
                                 "probe_handler",
                                 "probe_table",
                                 "protection_distance",
                                 "receiver",
                                 "route_select",
                                 "secded",
                                 "sharing_predictor",
                                 "switch",
                                 "tilelink_adapter",
                                 "vc_crossbar",
                                 "vortex_adapter",
                                 "warp_limit",
                                 "written_filter"};

TEST(VerilogCoverageFull, ReachesEachLine) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": an hour";
  const gen::TempDir work("coverage");
  std::filesystem::create_directory(work / "data");
  for (const char* unit : units) {
    const std::string file = work / "data" / (std::string(unit) + ".dat");
    const gen::Finished done = verif::l1forge({"cosim", unit, "--coverage", "--verilog-coverage", file});
    EXPECT_EQ(done.status, 0) << done.output;
  }
  const gen::Finished done = verif::merged_coverage({work / "data", "--toggles"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr(std::to_string(std::size(units)) + " units"));
}

}  // namespace
