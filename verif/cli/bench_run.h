// Benches of `gen --bench` run under iverilog: what they print.
#pragma once
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/testbench.h"
#include "gen/unit/unit.h"
#include "verif/mutate/injected_faults.h"

namespace verif {

// Of its unit built from these modules.
inline std::string run_bench(const gen::Config& config, const std::map<std::string, std::string>& modules,
                             int requests) {
  const gen::TempDir work("testbench");
  const std::string bench = config.top + "_bench";
  std::vector<std::string> compile{
      "iverilog", "-g2005", "-Wall", "-s",
      bench,      "-o",     "sim",   "-P" + bench + ".REQUESTS=" + std::to_string(requests),
      "bench.vt"};
  gen::write_file_atomically(work / "bench.vt", gen::testbench(config, gen::elaborate(config)));
  for (const auto& [name, text] : modules) {
    gen::write_file_atomically(work / (name + ".v"), text);
    compile.push_back(name + ".v");
  }
  const gen::Finished compiled = gen::run({.argv = compile, .folder = work.path()});
  EXPECT_EQ(compiled.output, "") << config.top;
  return gen::run({.argv = {"vvp", "-n", "sim"}, .folder = work.path()}).output;
}

inline std::string run_bench(const std::string& preset, const std::vector<std::string>& settings,
                             int requests = 300) {
  const gen::Config config = gen::load_config(preset, settings);
  return run_bench(config, texts_of(gen::elaborate(config).top), requests);
}

}  // namespace verif
