// Running other programs: their output, status and time limit, and what is said when they are not there.
#include "gen/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verif/environment.h"
#include "verif/temp_folder.h"

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string complaint(const gen::Command& command) {
  try {
    gen::run_checked(command);
  } catch (const gen::ToolError& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(Process, CapturesBothStreamsInOrder) {
  const auto done = gen::run({.argv = {"sh", "-c", "echo one; echo two >&2; echo three; exit 3"}});
  EXPECT_EQ(done.output, "one\ntwo\nthree\n");
  EXPECT_EQ(done.status, 3);
  EXPECT_FALSE(done.ok());
}

TEST(Process, PassesArgumentsEnvironmentAndFolder) {
  const verif::TempFolder folder;
  const auto done = gen::run({.argv = {"sh", "-c", "echo \"$1 $GREETING\"; pwd", "sh", "a b;$HOME"},
                              .environment = {{"GREETING", "hello"}},
                              .folder = folder.path()});
  EXPECT_EQ(done.output,
            "a b;$HOME hello\n" + std::filesystem::path(folder.path()).parent_path().string() + "\n");
}

TEST(Process, CapturesIntoAFile) {
  const verif::TempFolder folder;
  const auto done = gen::run({.argv = {"echo", "text"}, .output_file = folder.path("log")});
  EXPECT_TRUE(done.ok());
  EXPECT_EQ(done.output, "");
  EXPECT_EQ(folder.content("log"), "text\n");
}

TEST(Process, ReadsNothingFromOurStandardInput) { EXPECT_EQ(gen::run({.argv = {"cat"}}).output, ""); }

TEST(Process, KillsTheWholeGroupWhenTheTimeIsUp) {
  const auto done = gen::run({.argv = {"sh", "-c", "echo started; sleep 60 & sleep 60"}, .timeout = 200ms});
  EXPECT_TRUE(done.timed_out);
  EXPECT_FALSE(done.ok());
  EXPECT_EQ(done.output, "started\n");
  EXPECT_LT(done.seconds, 10);
}

TEST(Process, StatusOfAKilledProgram) {
  EXPECT_EQ(gen::run({.argv = {"sh", "-c", "kill -9 $$"}}).status, 128 + 9);
}

TEST(Process, NamesThePackageOfAMissingTool) {
  const verif::TempFolder folder;
  const verif::Environment path("PATH", folder.path("none"));
  EXPECT_EQ(complaint({.argv = {"sta"}}), "sta: not found on PATH; install it by: apt-get install opensta");
  EXPECT_EQ(complaint({.argv = {"yosys"}}), "yosys: not found on PATH; install it by: apt-get install yosys");
  EXPECT_EQ(complaint({.argv = {"vcd2fst"}}),
            "vcd2fst: not found on PATH; install it by: apt-get install gtkwave");
}

TEST(Process, SaysWhyAProgramCannotStart) {
  const verif::TempFolder folder;
  const std::string script = folder.write("tool", "text");
  EXPECT_EQ(complaint({.argv = {script}}), script + ": cannot be started: Permission denied");
  const std::string none = folder.path("none");
  EXPECT_THAT(complaint({.argv = {"true"}, .folder = none}),
              HasSubstr("cannot be started in " + none + ": No such file or directory"));
}

TEST(Process, QuotesTheEndOfAFailedRun) {
  EXPECT_EQ(complaint({.argv = {"sh", "-c", "echo 1; echo 2; echo; echo 3; echo 4; exit 7"}}),
            "sh: exit status 7: 2 | 3 | 4");
  EXPECT_EQ(complaint({.argv = {"false"}}), "false: exit status 1: (no output)");
  EXPECT_EQ(complaint({.argv = {"sleep", "60"}, .timeout = 50ms}),
            "sleep: no answer within 50 ms: (no output)");
}

TEST(Files, AreReplacedWholeAndLeaveNothingBehind) {
  const verif::TempFolder folder;
  folder.write("file", "old text");
  gen::write_file_atomically(folder.path("file"), "new");
  EXPECT_EQ(folder.content("file"), "new");
  EXPECT_THAT(folder.names(), testing::ElementsAre("file"));
}

TEST(Files, SayWhyTheyCannotBeWrittenOrRead) {
  const auto message = [](auto action) -> std::string {
    try {
      action();
    } catch (const gen::FileError& e) {
      return e.what();
    }
    return "no complaint";
  };
  const verif::TempFolder folder;
  std::filesystem::create_directory(folder.path("taken"));
  const std::string lost = folder.path("none/file"), taken = folder.path("taken");
  EXPECT_EQ(message([&] { gen::write_file_atomically(lost, "x"); }),
            "cannot write " + lost + ": No such file or directory");
  EXPECT_EQ(message([&] { gen::write_file_atomically(taken, "x"); }),
            "cannot write " + taken + ": Is a directory");
  EXPECT_EQ(message([&] { gen::read_file(lost); }), "cannot read " + lost + ": No such file or directory");
  EXPECT_EQ(message([&] { gen::read_file(taken); }), "cannot read " + taken + ": Is a directory");
  EXPECT_THAT(folder.names(), testing::ElementsAre("taken"));
}

TEST(Files, CacheFolderFollowsTheEnvironment) {
  const verif::TempFolder folder;
  {
    const verif::Environment cache("XDG_CACHE_HOME", folder.path("cache"));
    EXPECT_EQ(gen::cache_folder(), folder.path("cache/l1forge"));
  }
  const verif::Environment cache("XDG_CACHE_HOME", "");
  {
    const verif::Environment home("HOME", folder.path("home"));
    EXPECT_EQ(gen::cache_folder(), folder.path("home/.cache/l1forge"));
  }
  const verif::Environment home("HOME", "/dev/null");
  EXPECT_EQ(gen::cache_folder(), "");
}

TEST(Files, TempDirVanishes) {
  std::filesystem::path path;
  {
    const gen::TempDir folder("test");
    path = folder.path();
    gen::write_file_atomically(folder / "file", "x");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
