// `l1forge gen A B -o DIR`: several units for one design, what they share once; --prefix; stubs that linters
// accept.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing::Contains, testing::HasSubstr, testing::Not, testing::StartsWith;

class GenUnits : public testing::Test {
 protected:
  void generate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "gen");
    const gen::Finished done = verif::l1forge(arguments, folder_.path());
    ASSERT_EQ(done.status, 0) << done.output;
  }
  std::string refusal(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "gen");
    const gen::Finished done = verif::l1forge(arguments, folder_.path());
    EXPECT_EQ(done.status, 2);
    return done.output;
  }
  std::vector<std::string> lines(const std::string& name) const {
    std::istringstream in(folder_.content(name));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  std::set<std::string> files(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path(folder)))
      names.insert(entry.path().filename());
    return names;
  }
  // What the tool says in the folder; "" when it finds nothing.
  std::string said(const std::string& folder, const std::vector<std::string>& argv) const {
    const gen::Finished done = gen::run({.argv = argv, .folder = folder_.path(folder)});
    return done.ok() ? done.output : "failed: " + done.output;
  }
  // A module `both` over the two units in `two`, all their ports brought out.
  void write_both() const {
    std::string ports, instances;
    for (const char* top : {"l1d", "l1d_sectored"}) {
      std::string pins;
      const auto manifest = ordered_json::parse(folder_.content(fmt::format("two/{}.json", top)));
      for (const auto& port : manifest["ports"]) {
        const std::string name = port["name"], direction = port["direction"];
        const std::string outer = fmt::format("{}_{}", top, name);
        const int width = port["width"];
        const std::string range = width == 1 ? "" : fmt::format("[{}:0] ", width - 1);
        ports += fmt::format("{}{} wire {}{}", ports.empty() ? "" : ",\n", direction, range, outer);
        pins += fmt::format("{}.{}({})", pins.empty() ? "" : ", ", name, outer);
      }
      instances += fmt::format("{0} {0}_unit ({1});\n", top, pins);
    }
    folder_.write("two/both.vl", fmt::format("module both ({});\n{}endmodule\n", ports, instances));
  }

  verif::TempFolder folder_;
};

TEST_F(GenUnits, StandInOneDesign) {
  generate({"l1d", "l1d_sectored", "-o", "two"});
  std::set<std::string> listed;
  for (const std::string& file : lines("two/units.vc"))
    EXPECT_TRUE(listed.insert(file).second) << file << " twice";
  for (const char* list : {"two/l1d.f", "two/l1d_sectored.f"})
    for (const std::string& file : lines(list)) EXPECT_TRUE(listed.contains(file)) << file;
  EXPECT_EQ(lines("two/l1d.f").size() + lines("two/l1d_sectored.f").size() - listed.size(), 4u);
  write_both();
  EXPECT_EQ(
      said("two", {"verilator", "--lint-only", "-Wall", "--top-module", "both", "-f", "units.vc", "both.vl"}),
      "");
  EXPECT_EQ(said("two", {"iverilog", "-g2005", "-Wall", "-s", "both", "-o", "/dev/null", "-f", "units.vc",
                         "both.vl"}),
            "");
}

TEST_F(GenUnits, CoresAndPackagesNameEachFileOnce) {
  generate({"l1d", "l1d_sectored", "--bender", "-o", "two"});
  const std::string shared = folder_.content("two/shared.core"), own = folder_.content("two/l1d.core");
  const std::string ram = "- sram_1rw.v\n";
  EXPECT_THAT(shared, HasSubstr(ram));
  EXPECT_THAT(own, Not(HasSubstr(ram)));
  EXPECT_THAT(own, HasSubstr("    depend:\n      - l1forge:shared:l1d_l1d_sectored:"));
  EXPECT_THAT(own, HasSubstr("- l1d_tags.v\n"));
  const std::string package = folder_.content("two/Bender.yml");
  EXPECT_EQ(package.find(ram), package.rfind(ram));
  EXPECT_THAT(package, HasSubstr("name: l1d_l1d_sectored\n"));
}

TEST_F(GenUnits, FuseSoCReadsThem) {
  if (!gen::run({.argv = {"sh", "-c", "command -v fusesoc"}}).ok())
    GTEST_SKIP() << "no fusesoc: pip install it";
  generate({"l1d", "l1d_sectored", "-o", "two"});
  write_both();
  folder_.write("two/both.core", R"(CAPI=2:
name: user:both:both:1.0
filesets:
  rtl:
    files: [both.vl]
    file_type: verilogSource-2005
    depend: ["l1forge:l1d:l1d", "l1forge:l1d_sectored:l1d_sectored"]
targets:
  lint:
    filesets: [rtl]
    toplevel: both
    default_tool: verilator
    tools: {verilator: {mode: lint-only, verilator_options: [-Wall]}}
)");
  EXPECT_THAT(said("two", {"fusesoc", "--cores-root", ".", "run", "--target", "lint", "user:both:both"}),
              Not(StartsWith("failed")));
}

TEST_F(GenUnits, OnesOwnFilesMakeWayForOthers) {
  generate({"index_pli", "index_bxi", "-o", "out"});
  const auto two = files("out");
  EXPECT_THAT(two, Contains("units.vc"));
  EXPECT_THAT(two, Not(Contains("shared.core"))) << "they have no module in common";
  generate({"index_pli", "index_bxi", "-o", "out"});
  EXPECT_EQ(files("out"), two);
  generate({"index_pli", "-o", "out"});
  EXPECT_EQ(files("out"),
            (std::set<std::string>{"index_pli.core", "index_pli.f", "index_pli.json", "index_pli.v"}));
}

TEST_F(GenUnits, SettingsAreOfAll) {
  generate({"index_pli", "index_bxi", "-s", "index.sets=64", "-o", "out"});
  EXPECT_THAT(files("out"), testing::IsSupersetOf({"index_pli_s64.v", "index_bxi_s64.v"}));
}

TEST_F(GenUnits, WhatCannotStandTogetherIsRefused) {
  EXPECT_EQ(refusal({"l1d", "l1d", "-o", "out"}),
            "l1forge: gen: two units are called l1d: give one a name in a TOML file\n");
  EXPECT_EQ(refusal({"l1d", "l1d_tsc"}), "l1forge: gen: needs -o DIR for several units\n");
  EXPECT_EQ(refusal({"l1d", "l1d_tsc", "--flow", "orfs", "-o", "out"}),
            "l1forge: --flow orfs: is of one design with one top: name one unit\n");
  EXPECT_FALSE(fs::exists(folder_.path("out")));
}

TEST_F(GenUnits, APrefixIsOfEveryPart) {
  generate({"l1d", "--prefix", "gpu_", "-o", "out"});
  for (const std::string& file : lines("out/l1d.f"))
    EXPECT_TRUE(file == "l1d.v" || file.starts_with("gpu_") || file.starts_with("sram_")) << file;
  EXPECT_EQ(said("out", {"verilator", "--lint-only", "-Wall", "-f", "l1d.f"}), "");
  generate({"out/l1d.json", "-o", "again"});
  EXPECT_EQ(files("again"), files("out"));
  for (const std::string& file : files("out"))
    EXPECT_EQ(folder_.content("again/" + file), folder_.content("out/" + file));
}

TEST_F(GenUnits, AFaultyPrefixIsRefused) {
  EXPECT_EQ(refusal({"l1d", "--prefix", "sram_", "-o", "out"}),
            "l1forge: --prefix: sram_: begins like the RAM wrappers, which stand for macros\n");
  for (const char* prefix : {"A_", "1_", "a__", "a b"})
    EXPECT_THAT(refusal({"l1d", "--prefix", prefix, "-o", "out"}), StartsWith("l1forge: --prefix: "));
}

TEST_F(GenUnits, StubsOfRamsAreSilent) {
  generate({"l1d", "--ram", "blackbox", "-o", "out"});
  EXPECT_EQ(said("out", {"verilator", "--lint-only", "-Wall", "-f", "l1d.f"}), "");
  EXPECT_EQ(said("out", {"iverilog", "-g2005", "-Wall", "-o", "/dev/null", "-f", "l1d.f"}), "");
  EXPECT_THAT(said("out", {"yosys", "-q", "-p", "read_verilog *.v; hierarchy -check -top l1d; proc; check"}),
              Not(StartsWith("failed")));
}

}  // namespace
