// The Python package as a user builds it: `pip install .` into a fresh virtual environment, then the example,
// whose figures are those of `l1forge explore`.
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

using Variables = std::vector<std::pair<std::string, std::string>>;

// With the compiler cache of this build; a user's flags are those of a release.
const std::vector<std::string> as_here = {"-Ccmake.build-type=RelWithDebInfo",
                                          "-Ccmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1"};

TEST(PythonPackage, InstallsIntoAFreshEnvironment) {
  const verif::TempFolder folder;
  if (!gen::run({.argv = {"python3", "-m", "venv", folder.path("env")}}).ok())
    GTEST_SKIP() << "python3 makes no virtual environments: install python3-venv";
  const std::string pip = folder.path("env/bin/pip"), python = folder.path("env/bin/python");
  if (!gen::run({.argv = {pip, "download", "-q", "--no-deps", "-d", folder.path("probe"), "pybind11==3.1.0"}})
           .ok())
    GTEST_SKIP() << "pip fetches nothing: no network?";
  std::vector<std::string> install{pip, "install", "-q"};
  install.insert(install.end(), as_here.begin(), as_here.end());
  install.push_back(verif::in_source());
  const Variables variables{{"AC_TYPES_DIR", gen::paths::ac_types()},
                            {"CCACHE_BASEDIR", verif::in_source()},
                            {"CCACHE_NOHASHDIR", "1"},
                            {"CCACHE_SLOPPINESS", "pch_defines,time_macros"}};
  const gen::Finished installed = gen::run({.argv = install, .environment = variables});
  ASSERT_TRUE(installed.ok()) << installed.output;

  verif::Draw draw(5);
  std::string list;
  for (int n = 0; n < 1000; ++n)
    list +=
        fmt::format("{} {:x} {:x}\n", "LLLLLLSA"[draw.below(8)], 128 * draw.below(120), draw.between(1, 15));
  const std::string requests = folder.write("list", list);
  const gen::Finished done = gen::run({.argv = {python, verif::in_source("clients/examples/requests.py"),
                                                "l1d_dsc", requests, "geometry.ways=2"}});
  ASSERT_TRUE(done.ok()) << done.output;
  std::map<std::string, std::uint64_t> figures;
  std::istringstream lines(done.output);
  std::string name;
  for (std::uint64_t value; lines >> name >> value;) figures[name] = value;

  const gen::Finished explored =
      verif::l1forge({"explore", "l1d_dsc", "-s", "geometry.ways=2", "--requests", requests, "--json", "-"});
  ASSERT_TRUE(explored.ok()) << explored.output;
  const nlohmann::json run = nlohmann::json::parse(explored.output)["runs"][0];
  for (const auto& [counter, member] : golden::counter_names)
    EXPECT_EQ(figures.at(std::string(counter)), run[std::string(counter)]) << counter;
  EXPECT_EQ(figures.at("explored_hits"), run["hits"]);
  EXPECT_GT(figures.at("verilog_files"), 3u);
  const gen::Finished refused = gen::run({.argv = {python, verif::in_source("clients/examples/requests.py"),
                                                   "l1d", requests, "geometry.ways=0"}});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.output,
            "requests.py: -s geometry.ways=0: geometry.ways = 0: must be from 1 to 512; the nearest is 1\n");
}

}  // namespace
