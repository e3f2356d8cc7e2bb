// What ./forge says when a machine lacks something, played on a copy of it with other programs in PATH.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>

#include "gen/files.h"
#include "gen/paths.h"
#include "gen/process.h"

namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Forge : public testing::Test {
 protected:
  Forge() {
    fs::create_directories(tree_ / "bin");
    fs::copy_file(gen::paths::source() / "forge", tree_ / "forge");
    program("dpkg-query", "for name; do echo installed $name 1; done");
  }

  void program(const std::string& name, const std::string& script) {
    const auto path = tree_ / "bin" / name;
    gen::write_file_atomically(path, "#!/bin/sh\n" + script + "\n");
    fs::permissions(path, fs::perms::owner_all);
  }

  // Every failure is status 2 and one line.
  std::string refusal(std::vector<std::string> arguments,
                      std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), (tree_ / "forge").string());
    environment.insert({{"PATH", fmt::format("{}:{}", (tree_ / "bin").string(), getenv("PATH"))},
                        {"XDG_CACHE_HOME", cache().string()},
                        {"FORGE_ANY_VERSION", "1"},
                        {"AC_TYPES_DIR", ""}});
    const auto done = gen::run({.argv = arguments, .environment = {environment.begin(), environment.end()}});
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    return done.output;
  }

  // A clone with a program that says how it was called.
  void write_built() const {
    for (const char* folder : {"gen", "golden", "hw", "cosim", "cmake", "build/dev"})
      fs::create_directories(tree_ / folder);
    gen::write_file_atomically(tree_ / "CMakeLists.txt", "");
    gen::write_file_atomically(tree_ / "build/dev/l1forge", "#!/bin/sh\necho built: \"$@\"\n");
    fs::permissions(tree_ / "build/dev/l1forge", fs::perms::owner_all);
  }

  fs::path cache() const { return tree_ / "cache"; }
  bool cache_is_empty() const {
    return !fs::exists(cache() / "l1forge") || fs::is_empty(cache() / "l1forge");
  }

  gen::TempDir tree_{"forge-test"};
};

TEST_F(Forge, WithoutRootPrintsTheOneLineToRun) {
  program("dpkg-query", "echo installed verilator 5.032-1");
  program("id", "echo 1000");
  EXPECT_THAT(refusal({"list"}),
              AllOf(HasSubstr("run: sudo apt-get install -y --no-install-recommends g++ make cmake "),
                    HasSubstr(" yosys "), Not(HasSubstr(" verilator ")), HasSubstr(" zlib1g-dev\n")));
}

TEST_F(Forge, AsRootInstallsOrSaysWhyNot) {
  program("dpkg-query", "exit 1");
  program("id", "echo 0");
  program("apt-get", "echo E: Unable to fetch; exit 100");
  EXPECT_THAT(refusal({"list"}),
              ContainsRegex("could not install g\\+\\+ .*: no network, .*; log: .*/forge.log"));
}

TEST_F(Forge, RefusesAWheelWithAnotherHash) {
  program("python3",
          "while [ $# -gt 0 ]; do [ $1 = -d ] && echo junk >$2/hls4ml-1.3.0-py3-none-any.whl; shift; done");
  EXPECT_THAT(refusal({"list"}),
              ContainsRegex("has SHA-256 [0-9a-f]+ instead of 01bf1de2[0-9a-f]+: not used"));
  EXPECT_TRUE(cache_is_empty());
}

TEST_F(Forge, SaysThatTheNetworkIsMissing) {
  program("python3", "case $* in *download*) exit 1;; esac");
  EXPECT_THAT(refusal({"list"}), HasSubstr("could not fetch ac_types"));
  EXPECT_TRUE(cache_is_empty());
}

TEST_F(Forge, SaysThatPipIsMissing) {
  program("python3", "exit 1");
  EXPECT_THAT(refusal({"list"}), HasSubstr("install python3-pip"));
}

TEST_F(Forge, RefusesAFolderWithoutAcTypes) {
  EXPECT_THAT(refusal({"list"}, {{"AC_TYPES_DIR", "/nowhere"}}),
              EndsWith("AC_TYPES_DIR=/nowhere has no ac_int.h\n"));
  EXPECT_THAT(refusal({"-DAC_TYPES_DIR=/nowhere", "list"}),
              EndsWith("AC_TYPES_DIR=/nowhere has no ac_int.h\n"));
}

TEST_F(Forge, RefusesAnUnwritableBuildFolder) {
  gen::write_file_atomically(tree_ / "build", "in the way");
  EXPECT_THAT(refusal({"list"}), ContainsRegex("cannot write in .*/build"));
}

// The log and the cache may lie on two disks; a small one over each in turn.
TEST_F(Forge, SaysThatADiskIsFull) {
  program("python3", "case $* in *download*) exit 1;; esac");
  for (const fs::path& full : {tree_ / "build", cache()}) {
    fs::create_directories(full);
    const auto done = gen::run(
        {.argv = {"unshare", "-rm", "sh", "-c",
                  "mount -t tmpfs -o size=16k none \"$FULL\" || exit 99; mkdir -p \"$FULL/l1forge\"; "
                  "head -c 100000 /dev/zero > \"$FULL/fill\" 2>/dev/null; exec \"$0\" list",
                  (tree_ / "forge").string()},
         .environment = {{"PATH", fmt::format("{}:{}", (tree_ / "bin").string(), getenv("PATH"))},
                         {"XDG_CACHE_HOME", cache().string()},
                         {"FORGE_ANY_VERSION", "1"},
                         {"AC_TYPES_DIR", ""},
                         {"FULL", full.string()}}});
    if (done.status == 99 || done.output.starts_with("unshare"))
      GTEST_SKIP() << "no name space for a small disk";
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.output, HasSubstr("forge: no space to write in " + full.string())) << done.output;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  }
}

// Somebody else's clone, as one who may read it: what is built is run, unless a source has changed since.
TEST_F(Forge, RunsWhatIsBuiltWhereNothingCanBe) {
  write_built();
  const auto run = [&] {
    return gen::run({.argv = {"unshare", "-rm", "sh", "-c",
                              "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" || exit 99; "
                              "exec \"$0/forge\" list --json -",
                              tree_.path().string()},
                     .environment = {{"XDG_CACHE_HOME", ""}, {"HOME", "/proc/none"}}});
  };
  const auto built = run();
  if (built.status == 99 || built.output.starts_with("unshare")) GTEST_SKIP() << "no name space";
  EXPECT_EQ(built.output, "built: list --json -\n");
  const auto now = fs::last_write_time(tree_ / "build/dev/l1forge");
  gen::write_file_atomically(tree_ / "gen/main.cpp", "");
  fs::last_write_time(tree_ / "gen/main.cpp", now + std::chrono::seconds(1));
  const auto stale = run();
  EXPECT_EQ(stale.status, 2);
  EXPECT_THAT(stale.output, HasSubstr("forge: cannot write in "));
}

// While another forge holds the folder, a program that is up to date runs at once; a stale one waits and says
// so.
TEST_F(Forge, WaitsForAnotherOnlyWhereSomethingIsToBeBuilt) {
  write_built();
  gen::write_file_atomically(tree_ / "build/forge.lock", "");
  const auto run = [&] {
    return gen::run({.argv = {"flock", (tree_ / "build/forge.lock").string(), "timeout", "2",
                              (tree_ / "forge").string(), "list"},
                     .environment = {{"XDG_CACHE_HOME", cache().string()}}});
  };
  EXPECT_EQ(run().output, "built: list\n");
  const auto now = fs::last_write_time(tree_ / "build/dev/l1forge");
  fs::last_write_time(tree_ / "CMakeLists.txt", now + std::chrono::seconds(1));
  const auto waited = run();
  EXPECT_EQ(waited.status, 124) << "ended by timeout";
  EXPECT_EQ(waited.output, "forge: waiting for another forge in this folder\n");
}

// What draws is fetched for pages and pictures alone, and they are written without it.
TEST_F(Forge, FetchesTheLibraryOfChartsWhereSomethingIsDrawn) {
  write_built();
  gen::write_file_atomically(tree_ / "build/dev/l1forge",
                             "#!/bin/sh\necho built: \"$@\", ${VL_CONVERT_DIR-none}\n");
  fs::permissions(tree_ / "build/dev/l1forge", fs::perms::owner_all);
  gen::write_file_atomically(tree_ / "build/forge.lock", "");
  program("python3", "case $* in *download*) exit 1;; esac");
  const auto run = [&](std::vector<std::string> arguments) {
    std::vector<std::string> argv{"flock", (tree_ / "build/forge.lock").string(), (tree_ / "forge").string()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const std::string path = fmt::format("{}:{}", (tree_ / "bin").string(), getenv("PATH"));
    return gen::run({.argv = argv,
                     .environment = {{"XDG_CACHE_HOME", cache().string()},
                                     {"PATH", path},
                                     {"VL_CONVERT_DIR", ""}}})
        .output;
  };
  EXPECT_EQ(run({"list"}), "built: list,\n");
  EXPECT_THAT(
      run({"explore", "l1d", "--html", "a.html"}),
      ContainsRegex("^forge: could not fetch vl-convert [^\n]*\nbuilt: explore l1d --html a.html,\n$"));
  EXPECT_TRUE(cache_is_empty());
  const fs::path library = cache() / "l1forge/vl-convert-1.9.0.post1";
  fs::create_directories(library);
  for (const char* drawing : {"area x --svg=a.svg", "study a.toml", "site -o s", "datasheet l1d"}) {
    std::istringstream words(drawing);
    std::vector<std::string> arguments(std::istream_iterator<std::string>(words), {});
    EXPECT_EQ(run(arguments), fmt::format("built: {}, {}\n", drawing, library.string()));
  }
}

// nextpnr is fetched where a unit is placed, unless one is in PATH; without it the command says what is
// missing.
TEST_F(Forge, FetchesNextpnrWhereAUnitIsPlaced) {
  fs::create_directories(tree_ / "cmake");
  for (const char* script : {"cmake/nextpnr.sh", "cmake/other_linux.sh"})
    fs::copy_file(gen::paths::source() / script, tree_ / script);
  write_built();
  gen::write_file_atomically(tree_ / "build/dev/l1forge",
                             "#!/bin/sh\necho built: \"$@\", $(command -v nextpnr-ecp5 || echo none)\n");
  fs::permissions(tree_ / "build/dev/l1forge", fs::perms::owner_all);
  gen::write_file_atomically(tree_ / "build/forge.lock", "");
  const auto wheels = [&](const std::string& junk) {
    program("python3", fmt::format("while [ $# -gt 0 ]; do [ $1 = -d ] && {{ {}; }}; shift; done", junk));
  };
  const auto run = [&](const std::string& words) {
    const std::string path = fmt::format("{}:/usr/bin:/bin", (tree_ / "bin").string());
    return gen::run({.argv = {"flock", (tree_ / "build/forge.lock").string(), "sh", "-c",
                              "exec \"$0\" " + words, (tree_ / "forge").string()},
                     .environment = {{"XDG_CACHE_HOME", cache().string()}, {"PATH", path}}})
        .output;
  };
  if (gen::run({.argv = {"sh", "-c", "PATH=/usr/bin:/bin command -v nextpnr-ecp5"}}).ok())
    GTEST_SKIP() << "another nextpnr is on PATH";
  wheels("exit 1");
  EXPECT_EQ(run("area x --fpga ecp5"), "built: area x --fpga ecp5, none\n");
  EXPECT_EQ(run("list --place --fpga ecp5"), "built: list --place --fpga ecp5, none\n");
  EXPECT_THAT(run("area x --fpga=ecp5 --place"),
              ContainsRegex("^forge: could not fetch nextpnr-ecp5 [^\n]*\nbuilt: area x [^\n]*, none\n$"));
  wheels(
      "for f in ecp5-0.11.1.0.post826 ice40-0.11.1.0.post826; do "
      "echo junk >$2/yowasp_nextpnr_$f-py3-none-any.whl; done");
  EXPECT_THAT(run("area x --place --fpga ecp5"),
              ContainsRegex("has SHA-256 [0-9a-f]+ instead of 42c70c02[0-9a-f]+: not used\nbuilt: "));
  EXPECT_THAT(run("area x --place --fpga ice40"),
              ContainsRegex("has SHA-256 [0-9a-f]+ instead of d220c8d6[0-9a-f]+: not used\nbuilt: "));
  EXPECT_TRUE(cache_is_empty());

  const fs::path fetched = cache() / "l1forge/nextpnr-ecp5-0.11.1/bin";
  fs::create_directories(fetched);
  program("nextpnr-ecp5", "exit 0");
  fs::rename(tree_ / "bin/nextpnr-ecp5", fetched / "nextpnr-ecp5");
  EXPECT_THAT(run("area x --place --fpga ecp5"), EndsWith(", " + (fetched / "nextpnr-ecp5").string() + "\n"));
  program("nextpnr-ecp5", "exit 0");
  EXPECT_THAT(run("area x --place --fpga ecp5"),
              EndsWith(", " + (tree_ / "bin/nextpnr-ecp5").string() + "\n"));
}

// A test without its tool counts as passed.
TEST_F(Forge, NamesTestsWithoutTheirTools) {
  write_built();
  fs::create_directories(tree_ / "ac_types");
  gen::write_file_atomically(tree_ / "ac_types/ac_int.h", "");
  for (const char* name : {"cmake", "ninja", "python3"}) program(name, "exit 0");
  const auto tested = [&](const std::string& ctest) {
    program("ctest", ctest);
    return gen::run({.argv = {(tree_ / "forge").string(), "test"},
                     .environment = {{"PATH", fmt::format("{}:{}", (tree_ / "bin").string(), getenv("PATH"))},
                                     {"XDG_CACHE_HOME", cache().string()},
                                     {"FORGE_ANY_VERSION", "1"},
                                     {"AC_TYPES_DIR", (tree_ / "ac_types").string()}}});
  };
  const std::string skips = "echo 'Shell.Zsh: no zsh' >>$FORGE_SKIPPED";
  const std::string named = "forge: these tests did not run, since a tool is missing:\nShell.Zsh: no zsh\n";
  const auto passed = tested(skips), failed = tested(skips + "; exit 8"), whole = tested("exit 0");
  EXPECT_EQ(passed.status, 0) << passed.output;
  EXPECT_THAT(passed.output, EndsWith(named));
  EXPECT_EQ(failed.status, 1) << failed.output;
  EXPECT_THAT(failed.output, EndsWith(named));
  EXPECT_EQ(whole.status, 0) << whole.output;
  EXPECT_THAT(whole.output, Not(HasSubstr("did not run")));
  EXPECT_THAT(tested("echo 'Shell.Bash: a_test.cpp:3: why' >>$FORGE_FAILED; exit 8").output,
              EndsWith("forge: what failed:\nShell.Bash: a_test.cpp:3: why\n"));
}

TEST_F(Forge, RefusesAnotherLibraryOfCharts) {
  program("python3",
          "while [ $# -gt 0 ]; do [ $1 = -d ] && echo junk >$2/vl_convert_python-1.9.0.post1-cp37-abi3-"
          "manylinux_2_17_x86_64.manylinux2014_x86_64.whl; shift; done");
  EXPECT_THAT(refusal({"charts"}, {{"VL_CONVERT_DIR", ""}}),
              ContainsRegex("has SHA-256 [0-9a-f]+ instead of 3c1558fa[0-9a-f]+: not used"));
  EXPECT_TRUE(cache_is_empty());
}

TEST_F(Forge, RefusesBadUse) {
  EXPECT_THAT(refusal({}), HasSubstr("usage: ./forge demo | test [--full|--sanitize] |"));
  EXPECT_THAT(refusal({"test", "--quick"}), HasSubstr("test only --full or --sanitize"));
}

TEST(ForgeInPlace, StartsFromAnyFolderInUnderASecondWhenAllIsUpToDate) {
  const gen::TempDir foreign;
  const gen::Command list = {.argv = {gen::paths::source() / "forge", "list"}, .folder = foreign.path()};
  const auto first = gen::run(list);  // builds what is stale
  ASSERT_TRUE(first.ok()) << first.output;
  double best = 1e9;  // of three: the machine may be busy
  for (int i = 0; i < 3; ++i) best = std::min(best, gen::run(list).seconds);
  EXPECT_LT(best, 1.0);
}

}  // namespace
