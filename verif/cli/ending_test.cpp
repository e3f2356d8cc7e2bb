// What Ctrl-C and its like leave behind: no file that is not complete, in conversions and in co-simulations.
#include <gmock/gmock.h>
#include <signal.h>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;

// Runs the command until something lies in its folder, and ends it by the signal: its status, and what is
// left.
std::pair<int, std::vector<std::string>> ended_by(const std::string& signal,
                                                  const std::vector<std::string>& arguments) {
  const gen::TempDir work("ending");
  // A shell's background programs would ignore SIGINT.
  const std::string script =
      "env --default-signal \"$@\" & p=$!\n"
      "until [ \"$(ls -A)\" ]; do sleep 0.02; done\n"
      "kill -" +
      signal + " $p; wait $p";
  std::vector<std::string> argv{"sh", "-c", script, "sh", verif::in_build("l1forge")};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const gen::Finished done =
      gen::run({.argv = argv, .folder = work.path(), .timeout = std::chrono::minutes(10)});
  EXPECT_FALSE(done.timed_out) << done.output;
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(work.path())) left.push_back(entry.path().filename());
  return {done.status, left};
}

TEST(Ending, ConversionsLeaveNothing) {
  for (const std::string name : {"all.rec.xz", "all.rec", "all.req", "all.txt.xz"}) {
    const auto [status, left] =
        ended_by(name == "all.req" ? "TERM" : "INT", {"trace", "builtin:gemm?ni=4096,nj=4096", "-o", name});
    EXPECT_EQ(status, 128 + (name == "all.req" ? SIGTERM : SIGINT)) << name;
    EXPECT_THAT(left, testing::IsEmpty()) << name;
  }
}

// The waveform is written by a program of its own.
TEST(Ending, CoSimulationsLeaveNoWaveform) {
  const auto [status, left] =
      ended_by("INT", {"cosim", "index_cvi", "--random", "1000000000000", "--vcd", "waves.vcd"});
  EXPECT_EQ(status, 128 + SIGINT);
  EXPECT_THAT(left, testing::IsEmpty());
}

}  // namespace
