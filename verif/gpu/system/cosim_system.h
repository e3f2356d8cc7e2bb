// The Verilog of a cache at each SM of a system, against `explore` with the model there: the same cycles, and
// the same figures of the whole system.
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/system/system_config.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace verif {

inline std::vector<std::string> all_systems() {
  std::vector<std::string> names;
  for (const gen::SystemPreset& preset : gen::system_presets()) names.push_back(preset.name);
  return names;
}

struct InSystem {
  std::string cache, system, trace;
  int sms = 1;
  std::vector<std::string> more = {};  // arguments of both
  std::vector<std::string> arguments(const std::string& command) const {
    std::vector<std::string> all{command, cache,   "--system",          system,   "--trace",
                                 trace,   "--sms", std::to_string(sms), "--json", "-"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string name() const { return cache + " in " + system + ", " + std::to_string(sms) + ", " + trace; }
};

inline nlohmann::json json_of_call(const std::vector<std::string>& arguments) {
  const gen::Finished done = l1forge(arguments);
  EXPECT_EQ(done.status, 0) << done.output;
  return nlohmann::json::parse(done.output, nullptr, false);
}

// Of a run of the Verilog and one of the model.
inline void expect_same_figures(const nlohmann::json& verilog, const nlohmann::json& model) {
  EXPECT_GT(verilog["cycles"], 0);
  const auto in_both = [&](const std::string& name) {
    return model.contains(name) && verilog.contains(name);
  };
  for (const char* figure : {"cycles", "warp_instructions", "thread_instructions", "ipc", "issue_cycles",
                             "l2", "dram", "network", "instructions"})
    if (in_both(figure)) {
      EXPECT_EQ(verilog[figure], model[figure]) << figure;
    }
  for (const auto& [counter, count] : verilog["counters"].items())
    if (model.contains(counter)) {
      EXPECT_EQ(count, model[counter]) << counter;
    }
  const auto& models = model.contains("per_sm") ? model["per_sm"] : nlohmann::json::array({model});
  ASSERT_EQ(verilog["per_sm"].size(), models.size());
  for (std::size_t n = 0; n < models.size(); ++n) {
    EXPECT_EQ(verilog["per_sm"][n]["cycles_by_cause"], models[n]["cycles_by_cause"]) << n;
    EXPECT_EQ(verilog["per_sm"][n]["core_cycles"], models[n]["sm_cycles"]) << n;
  }
}

inline void expect_as_many_cycles(const InSystem& run) {
  SCOPED_TRACE(run.name());
  const auto verilog = json_of_call(run.arguments("cosim")), model = json_of_call(run.arguments("explore"));
  ASSERT_TRUE(verilog.is_object() && model.is_object());
  expect_same_figures(verilog["traces"][0], model["runs"][0]);
}

// A topology of four cores and two slices in a system of that size: the same cycles, instructions, causes,
// and requests below, on the Verilog and on the model.
inline const std::vector<std::string> four_cores{
    "-s", "topology.cores=4", "-s", "topology.slices=2", "-s", "geometry.capacity_bytes=4096"};
inline const std::vector<std::string> four_in_a_mesh{"-s", "mesh.width=3",           "-s", "mesh.height=2",
                                                     "-s", "mesh.memory_nodes=[4,2]"};

inline std::string system_of_four(const std::string& preset, const std::string& more = "") {
  return "[system]\npreset = \"" + preset + "\"\nsms = 4\nl2_slices = 2\ndram_channels = 2\n" + more;
}

inline void expect_topology_takes_as_many_cycles(const std::string& topology, const std::string& system,
                                                 std::vector<std::vector<std::string>> settings) {
  const TempFolder folder;
  const auto call = [&](const char* command) {
    std::vector<std::string> all{command,    topology,
                                 "--system", folder.write("four.toml", system),
                                 "--trace",  "builtin:gemm?ni=32,nj=32,nk=16",
                                 "--json",   "-"};
    for (const auto& some : settings) all.insert(all.end(), some.begin(), some.end());
    return json_of_call(all);
  };
  const auto verilog = call("cosim"), model = call("explore");
  ASSERT_TRUE(verilog.is_object() && model.is_object()) << topology;
  const auto &found = verilog["traces"][0], &expected = model["runs"][0];
  EXPECT_GT(found["cycles"], 1000) << topology;
  for (const char* figure : {"cycles", "warp_instructions", "thread_instructions", "ipc", "issue_cycles",
                             "cycles_by_cause", "l2", "dram", "slice_requests"})
    EXPECT_EQ(found[figure], expected[figure]) << topology << ", " << figure;
}

}  // namespace verif
