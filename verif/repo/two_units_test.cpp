// Units of this generator beside each other in one design: their modules do not meet, what they share is the
// same text, and a name that a part has is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "gen/files.h"
#include "gen/generate.h"
#include "gen/ports.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "verif/temp_folder.h"

namespace {

using Settings = std::vector<std::string>;

std::string error_of(const std::string& preset, const Settings& settings) {
  try {
    gen::elaborate(gen::load_config(preset, settings));
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

// Files of several units in one folder, and a module over all of them.
class Design {
 public:
  void add(const std::string& preset, const Settings& settings = {}) {
    const gen::Config config = gen::load_config(preset, settings);
    for (const auto& [name, text] : gen::generated_files(config)) {
      if (!name.ends_with(".v")) continue;
      const auto [entry, fresh] = files_.emplace(name, text);
      EXPECT_EQ(entry->second, text) << name << " of " << config.top;
      shared_ += !fresh;
      EXPECT_TRUE(fresh || !name.starts_with(config.top)) << name;
    }
    std::string pins;
    for (const gen::Port& port : gen::ports_of(gen::elaborate(config).top)) {
      const std::string range = port.width == 1 ? "" : fmt::format("[{}:0] ", port.width - 1);
      const std::string outer = fmt::format("{}_{}", config.top, port.name);
      ports_ += fmt::format("{}  {} wire {}{}", ports_.empty() ? "" : ",\n", port.direction, range, outer);
      pins += fmt::format("{}.{}({})", pins.empty() ? "" : ", ", port.name, outer);
    }
    instances_ += fmt::format("  {0} {0}_unit ({1});\n", config.top, pins);
  }

  // What the tool says of all files together; "" when it finds nothing.
  std::string said(std::vector<std::string> argv) const {
    const verif::TempFolder folder;
    argv.push_back("both.v");
    gen::write_file_atomically(folder.path("both.v"),
                               fmt::format("module both (\n{}\n);\n{}endmodule\n", ports_, instances_));
    for (const auto& [name, text] : files_) {
      gen::write_file_atomically(folder.path(name), text);
      argv.push_back(name);
    }
    const gen::Finished done = gen::run({.argv = argv, .folder = folder.path()});
    return done.ok() ? done.output : "failed: " + done.output;
  }

  int shared() const { return shared_; }

 private:
  gen::FileSet files_;
  std::string ports_, instances_;
  int shared_ = 0;
};

}  // namespace

TEST(TwoUnits, StandInOneDesign) {
  Design design;
  design.add("l1d");
  design.add("l1d_sectored");
  EXPECT_EQ(design.shared(), 4) << "two RAM wrappers, a search and an encoder of one shape";
  EXPECT_EQ(design.said({"verilator", "--lint-only", "-Wall", "--top-module", "both"}), "");
  EXPECT_EQ(design.said({"iverilog", "-g2005", "-Wall", "-s", "both", "-o", "/dev/null"}), "");
}

// One preset with other parameters and a name of its own, a topology of such caches, and a bare crossbar.
TEST(TwoUnits, PartsOfOneNameAreOneText) {
  const Settings small{"topology.cores=4",
                       "topology.nodes=2",
                       "topology.slices=2",
                       "topology.clusters=1",
                       "geometry.capacity_bytes=2048",
                       "mshr.entries=4"};
  Design design;
  design.add("l1d_tsc", {"name=first"});
  design.add("l1d_tsc", {"name=second", "tags.split.groups=2"});
  design.add("l1d", {"name=third", "memory.protocol=axi4"});
  design.add("axi4_bridge", {"axi4.requests=32"});
  design.add("dc_l1", small);
  design.add("vc_crossbar", {"crossbar.inputs=2"});
  EXPECT_GT(design.shared(), 5);
}

TEST(TwoUnits, ANameOfAPartIsRefused) {
  EXPECT_EQ(
      error_of("l1d", {"name=sram_1rw_32x256_no_change"}),
      "-s name=sram_1rw_32x256_no_change: name = \"sram_1rw_32x256_no_change\": is the name of a part of "
      "the unit; choose another");
  EXPECT_EQ(error_of("receiver", {"name=fifo_n16_w2"}),
            "-s name=fifo_n16_w2: name = \"fifo_n16_w2\": is the name of a part of the unit; choose another");
  EXPECT_EQ(
      error_of("l1d", {"name=sram"}),
      "-s name=sram: name = \"sram\": begins like the RAM wrappers, which stand for macros; choose another");
  EXPECT_EQ(error_of("l1d", {"name=l1d_tags"}), "") << "parts are then l1d_tags_tags and so on";
}
