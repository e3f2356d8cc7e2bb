// A terminal sees what a long step is at; a pipe sees nothing of it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "cosim/harness/time_left.h"
#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr, testing::Not;

// Standard output and standard error of a call, on a terminal of its own.
std::string on_a_terminal(const std::string& arguments) {
  const gen::Finished done =
      gen::run({.argv = {"script", "-qec", verif::in_build("l1forge") + " " + arguments, "/dev/null"}});
  EXPECT_TRUE(done.ok()) << done.output;
  return done.output;
}

std::string in_a_pipe(std::vector<std::string> arguments) {
  const gen::Finished done = verif::l1forge(std::move(arguments));
  EXPECT_TRUE(done.ok()) << done.output;
  return done.output;
}

}  // namespace

TEST(Progress, OfASynthesis) {
  const std::string shown = on_a_terminal("area index_cvi");
  EXPECT_THAT(shown, HasSubstr("area: 0 of 2 synthesized, index_cvi: yosys maps it to cells 0 s"));
  EXPECT_THAT(shown, HasSubstr("OpenSTA times its paths"));
  EXPECT_THAT(shown, HasSubstr("\r\033[K"));
  const std::string piped = in_a_pipe({"area", "index_cvi"});
  EXPECT_THAT(piped, Not(HasSubstr("synthesized")));
  EXPECT_THAT(piped, Not(HasSubstr("\r")));
}

TEST(Progress, TimeLeft) {
  EXPECT_EQ(verif::time_left(0.5, 0.5), "");
  EXPECT_EQ(verif::time_left(30, 0.001), "");
  EXPECT_EQ(verif::time_left(30, 0.25), ", 90 s left");
  EXPECT_EQ(verif::time_left(30, 0.05), ", 10 min left");
  EXPECT_THAT(on_a_terminal("cosim index_cvi --random 400000000"), HasSubstr(" s left"));
}

TEST(Progress, OfTheBuildOfACoSimulation) {
  const gen::TempDir first("progress"), second("progress");
  // No program of an earlier run has this text.
  const auto verilog = [](const gen::TempDir& folder) {
    in_a_pipe({"gen", "index_cvi", "-o", folder.path().string()});
    const std::string file = (folder / "index_cvi.v").string();
    gen::write_file_atomically(file, fmt::format("{}// {}\n", gen::read_file(file), std::random_device{}()));
    return file;
  };
  const std::string shown = on_a_terminal("cosim index_cvi --verilog " + verilog(first));
  EXPECT_THAT(shown, HasSubstr("index_cvi: Verilator 0 s"));
  EXPECT_THAT(shown, HasSubstr("index_cvi: compiling 1 file 0 s"));
  EXPECT_THAT(shown, HasSubstr("index_cvi: linking 0 s"));
  EXPECT_THAT(in_a_pipe({"cosim", "index_cvi", "--verilog", verilog(second)}), Not(HasSubstr("\r")));
}
