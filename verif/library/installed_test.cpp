// The library as others use it: installed, moved, and built against outside the repository. The examples come
// to the figures of `l1forge explore` for the same requests.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gen/paths.h"
#include "verif/parameters/golden_parameters.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Figures = std::map<std::string, std::uint64_t>;

const std::string examples = verif::in_source("clients/examples");

gen::Finished run(const Arguments& argv) {
  const gen::Finished done = gen::run({.argv = argv});
  EXPECT_TRUE(done.ok()) << testing::PrintToString(argv) << "\n" << done.output;
  return done;
}

// What a program linked to a sanitized library needs.
std::string sanitized() {
  const std::string sanitizers = gen::paths::sanitizers();
  return sanitizers.empty() ? "" : "-fsanitize=" + sanitizers;
}

// "name value" lines.
Figures figures_of(const gen::Finished& done) {
  Figures figures;
  std::istringstream lines(done.output);
  std::string name;
  for (std::uint64_t value; lines >> name >> value;) figures[name] = value;
  return figures;
}

class Installed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new verif::TempFolder;
    run({"cmake", "--install", verif::in_build(), "--prefix", folder_->path("first")});
    fs::rename(folder_->path("first"), folder_->path("moved"));  // nothing in it says where it was
    verif::Draw draw(5);
    std::string list;
    for (int n = 0; n < 2000; ++n)
      list += fmt::format("{} {:x} {:x}\n", "LLLLLLSA"[draw.below(8)], 128 * draw.below(120),
                          draw.between(1, 15));
    folder_->write("list", list);
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string prefix() { return folder_->path("moved"); }
  static std::string list() { return folder_->path("list"); }

  // Debian's has a part for the machine.
  static std::string library_folder() {
    for (const auto& entry : fs::recursive_directory_iterator(prefix()))
      if (entry.path().filename() == "libl1forge_client.a") return entry.path().parent_path();
    ADD_FAILURE() << "no library";
    return "";
  }
  // Every counter of the run.
  static void expect_explored(const Figures& figures, Arguments unit) {
    unit.insert(unit.begin(), "explore");
    unit.insert(unit.end(), {"--requests", list(), "--json", "-"});
    const gen::Finished done = verif::l1forge(unit);
    ASSERT_TRUE(done.ok()) << done.output;
    const nlohmann::json run = nlohmann::json::parse(done.output)["runs"][0];
    EXPECT_GT(figures.at("hits"), 100u);
    EXPECT_GT(figures.at("cycles"), 2000u);
    for (const auto& [name, value] : figures)
      if (name != "cycles" && !name.starts_with("stall_")) {
        EXPECT_EQ(value, run[name]) << name;
      }
  }

  static verif::TempFolder* folder_;
};
verif::TempFolder* Installed::folder_ = nullptr;

TEST_F(Installed, ExamplesBuildWithCMakeAndComeToTheFiguresOfExplore) {
  fs::copy(examples, folder_->path("examples"));
  const std::string build = folder_->path("build"), flags = sanitized();
  run({"cmake", "-G", "Ninja", "-S", folder_->path("examples"), "-B", build,
       "-DCMAKE_PREFIX_PATH=" + prefix(), "-DCMAKE_C_FLAGS=-std=c99 -Wall -Wextra -Werror -pedantic " + flags,
       "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror " + flags});
  run({"cmake", "--build", build});
  expect_explored(figures_of(run({build + "/requests_c", "l1d_dsc", list(), "geometry.capacity_bytes=4096"})),
                  {"l1d_dsc", "-s", "geometry.capacity_bytes=4096"});
  expect_explored(figures_of(run({build + "/requests_cpp", list()})),
                  {"l1d_sectored", "-s", "geometry.ways=8", "-s", "index.kind=pli"});
  const gen::Finished refused = gen::run({.argv = {build + "/requests_c", "l1d", list(), "geometry.ways=0"}});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output,
            "requests_c: -s geometry.ways=0: geometry.ways = 0: must be from 1 to 512; the nearest is 1\n");
}

TEST_F(Installed, ExamplesBuildWithPkgConfig) {
  try {
    gen::find_tool("pkg-config");
  } catch (const gen::ToolError&) {
    GTEST_SKIP() << "no pkg-config";
  }
  const std::string lib = library_folder();
  const std::string program = folder_->path("by_pkg_config");
  run({"sh", "-c",
       fmt::format(
           "export PKG_CONFIG_PATH='{0}/pkgconfig' && cc {1} '{2}/requests.c' $(pkg-config --cflags --libs "
           "l1forge-client) -o '{3}'",
           lib, sanitized(), examples, program)});
  expect_explored(figures_of(run({program, "l1d", list()})), {"l1d"});
}

}  // namespace
