// Copies of an L1 data cache's Verilog with one thing broken: the lock step must find every one, and must not
// accuse the sound unit.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/unit.h"
#include "verif/cli/run_l1forge.h"

namespace verif {

struct PlantedFault {
  std::string what, part, from, to;  // `part`: the end of the module's name
};

// The broken module in a file of its own name; empty when the text to break is not there.
inline std::string broken_copy(const PlantedFault& fault, const gen::Config& config,
                               const gen::TempDir& work) {
  for (const rtl::Module& m : rtl::modules_of(gen::elaborate(config).top)) {
    if (m.name() != config.top + fault.part) continue;
    std::string text = gen::verilog(m);
    const std::size_t at = text.find(fault.from, text.find(");"));
    if (at == std::string::npos) return "";
    const std::string file = (work / (m.name() + ".v")).string();
    gen::write_file_atomically(file, text.replace(at, fault.from.size(), fault.to));
    return file;
  }
  return "";
}

// `faults` begin with the sound unit.
inline void expect_all_found(std::span<const PlantedFault> faults, const std::string& preset,
                             const std::vector<std::string>& settings) {
  const gen::TempDir work("l1d_faults");
  const gen::Config config = gen::load_config(preset, settings);
  int found = 0, planted = 0;
  for (const PlantedFault& fault : faults) {
    const std::string file = broken_copy(fault, config, work);
    ASSERT_NE(file, "") << "no '" << fault.from << "' to break";
    std::vector<std::string> arguments{"cosim",  preset, "--random",  "100000",
                                       "--json", "-",    "--verilog", file};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"-s", s});
    const auto run = l1forge(arguments, work.path());
    const bool sound = fault.what == "sound";
    EXPECT_EQ(run.status, sound ? 0 : 1) << fault.what << "\n" << run.output;
    if (run.status == 1) {
      const auto report = nlohmann::json::parse(run.output);
      EXPECT_FALSE(report["mismatches"].empty()) << fault.what;
      fmt::print("{:<34} cycle {:>6}  {}\n", fault.what, report["mismatches"][0]["cycle"].get<int>(),
                 report["mismatches"][0]["port"].get<std::string>());
    }
    planted += !sound, found += run.status == 1;
  }
  fmt::print("{} faults planted, {} found\n", planted, found);
}

}  // namespace verif
