// Lines of generated Verilog: the random runs of these units reach all but those of the list.
#include <gmock/gmock.h>

#include <filesystem>

#include "gen/files.h"
#include "verif/cli/verilog_coverage.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"

namespace {

using testing::HasSubstr;

struct Measured {
  const char* unit;
  const char* cycles;  // null: as many as cosim runs
};

// Those of docs/verification.md. Counters make a model of many nets slow.
constexpr Measured runs[] = {{"adi_monitor", nullptr},
                             {"awl", nullptr},
                             {"axi4_adapter", nullptr},
                             {"axi4_bridge", "400000"},
                             {"blpp", nullptr},
                             {"bucl_threshold_unit", nullptr},
                             {"dc_l1_home", nullptr},
                             {"filter_dueling", nullptr},
                             {"iacm_controller", nullptr},
                             {"l1_arbiter", nullptr},
                             {"l1d", "400000"},
                             {"l1d_dsc", "300000"},
                             {"mode_selector", nullptr},
                             {"probe_table", "200000"},
                             {"protection_distance", nullptr},
                             {"route_select", nullptr},
                             {"sharing_predictor", nullptr},
                             {"tilelink_adapter", nullptr},
                             {"vortex_adapter", nullptr},
                             {"warp_limit", nullptr},
                             {"written_filter", nullptr}};

TEST(VerilogCoverageFull, ReachesEachLine) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": minutes";
  const gen::TempDir work("coverage");
  std::filesystem::create_directory(work / "data");
  for (const Measured& run : runs) {
    const std::string file = work / "data" / (std::string(run.unit) + ".dat");
    std::vector<std::string> call{"cosim", run.unit, "--verilog-coverage", file};
    if (run.cycles) call.insert(call.end(), {"--random", run.cycles});
    const gen::Finished done = verif::l1forge(call);
    ASSERT_EQ(done.status, 0) << done.output;
  }
  const gen::Finished done = verif::merged_coverage({work / "data", "--toggles"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr(std::to_string(std::size(runs)) + " units"));
}

}  // namespace
