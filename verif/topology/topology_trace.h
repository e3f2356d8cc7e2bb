// A topology runs a kernel: its Verilog in lock step, and golden alone.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace verif {

inline const std::vector<std::string> sixteen_cores{"topology.cores=16", "topology.nodes=8",
                                                    "topology.slices=8", "topology.clusters=4"};

// On a mesh of 4 x 4.
inline const std::vector<std::string> twelve_cores{"topology.cores=12", "topology.slices=4", "mesh.width=4",
                                                   "mesh.height=4", "mesh.memory_nodes=[5, 6, 9, 10]"};

// Both say the same of it, cycles included.
inline void expect_same_run(const std::string& preset, const std::vector<std::string>& settings) {
  const std::string trace = verif::in_source("verif/traces/streamcluster_two_launches.rec.xz");
  const TempFolder folder;
  const auto figures = [&](std::vector<std::string> command) {
    const std::string report = folder.path(command[0] + ".json");
    for (const std::string& s : settings) command.insert(command.end(), {"-s", s});
    command.insert(command.end(), {"--trace", trace, "--json", report});
    const auto run = l1forge(command);
    EXPECT_EQ(run.status, 0) << run.output;
    fmt::print("{}", run.output);
    return nlohmann::json::parse(gen::read_file(report));
  };
  const auto verilog = figures({"cosim", preset})["traces"][0];
  const auto golden = figures({"explore", preset, "--timed"})["runs"][0];
  EXPECT_GT(golden["cycles"], 10'000);
  for (const char* name : {"cycles", "core_cycles", "mean_replicas"})
    EXPECT_EQ(verilog[name], golden[name]) << name;
}

}  // namespace verif
