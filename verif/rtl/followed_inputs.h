// Input ports of which gates alone, no flip-flop, lead to an output.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/process.h"
#include "verif/temp_folder.h"

namespace verif {

inline std::vector<std::string> followed_inputs(const gen::Config& config, const std::string& output) {
  const TempFolder folder;
  std::string files;
  for (const auto& [name, text] : gen::generated_files(config)) {
    if (!name.ends_with(".v")) continue;
    gen::write_file_atomically(folder.path(name), text);
    files += " " + name;
  }
  const std::string flops = "-$dff,$dffe,$sdff,$sdffe,$sdffce,$mem,$mem_v2,$memrd,$memrd_v2";
  folder.write("run.ys", fmt::format("read_verilog{}\nhierarchy -top {}\nproc\nflatten\nopt_clean\n"
                                     "select -write cone.txt i:* o:{} %ci*:{} %i\n",
                                     files, config.top, output, flops));
  const auto done = gen::run({.argv = {"yosys", "-q", "run.ys"}, .folder = folder.path()});
  EXPECT_TRUE(done.ok()) << done.output;
  std::vector<std::string> inputs;
  std::istringstream lines(folder.content("cone.txt"));
  for (std::string line; std::getline(lines, line);)
    if (const auto slash = line.rfind('/'); slash != line.npos) inputs.push_back(line.substr(slash + 1));
  return inputs;
}

}  // namespace verif
