// Lines of generated Verilog: the random runs of these units reach all but those of the list.
#include <gmock/gmock.h>

#include <filesystem>

#include "gen/files.h"
#include "verif/cli/verilog_coverage.h"
#include "verif/full_tier.h"
#include "verif/parameters/small_topologies.h"
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
                                 "coalescer",
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
                                 "l1_subsystem",
                                 "l1d",
                                 "l1d_adi",
                                 "l1d_banks",
                                 "l1d_bucl",
                                 "l1d_dsc",
                                 "l1d_gpu",
                                 "l1d_iacm",
                                 "l1d_mrpb",
                                 "l1d_reuse_filter",
                                 "l1d_sectored",
                                 "l1d_tsc",
                                 "l1d_tsc_plus",
                                 "mesh_router",
                                 "mode_selector",
                                 "packetiser",
                                 "probe_handler",
                                 "probe_table",
                                 "protection_distance",
                                 "receiver",
                                 "remote_node",
                                 "route_select",
                                 "secded",
                                 "sharing_predictor",
                                 "switch",
                                 "tilelink_adapter",
                                 "vc_crossbar",
                                 "vortex_adapter",
                                 "warp_limit",
                                 "written_filter"};

// Topologies, and the networks in them: all of their modules, few of each.
struct Small {
  const char* preset;
  verif::Flags flags;
};
const Small small[] = {{"butterfly", {"butterfly.radix=2"}},
                       {"dc_l1", verif::small_topology("clustered", true)},
                       {"remote_core", verif::small_remote()},
                       {"shared_l1", verif::small_dyneb()}};

// A command of a unit with these settings ends without an error.
void runs(std::vector<std::string> call, const verif::Flags& flags) {
  for (const std::string& flag : flags) call.insert(call.end(), {"-s", flag});
  const gen::Finished done = verif::l1forge(call);
  EXPECT_EQ(done.status, 0) << done.output;
}

void measure(const std::string& preset, const std::string& name, const std::string& data,
             const verif::Flags& flags) {
  runs({"cosim", preset, "--coverage", "--verilog-coverage", data + "/" + name + ".dat"}, flags);
}

TEST(VerilogCoverageFull, ReachesEachLine) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": two hours";
  const gen::TempDir work("coverage");
  std::filesystem::create_directory(work / "data");
  const std::string data = work / "data";
  for (const char* unit : units) measure(unit, unit, data, {});
  for (const Small& shape : small) {
    const std::string name = std::string("small_") + shape.preset;
    const verif::Flags flags = verif::with(shape.flags, {"name=" + name});
    runs({"gen", shape.preset, "-o", data + "/" + name}, flags);
    measure(shape.preset, name, data, flags);
  }
  const gen::Finished done = verif::merged_coverage({data, "--toggles"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr(std::to_string(std::size(units) + std::size(small)) + " units"));
}

}  // namespace
