// Coverage of generated Verilog: the counts of a run, lines that no run reached, and a list of exclusions
// that is exact.
#include "verif/cli/verilog_coverage.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

using testing::HasSubstr, testing::Not;

// One point of Verilator's counts.
std::string point(const std::string& kind, int line, const std::string& what, int count) {
  return fmt::format("C '\1f\2unit.v\1l\2{}\1n\0023\1page\2v_{}/unit\1o\2{}\1h\2TOP.unit' {}\n", line, kind,
                     what, count);
}

class VerilogCoverage : public testing::Test {
 protected:
  VerilogCoverage() {
    for (const char* folder : {"data", "rtl"}) std::filesystem::create_directory(files_.path(folder));
    files_.write("rtl/unit.v",
                 "module unit (\n  input wire a\n);\n  if (a) begin\n  end else begin\n  end\nendmodule\n");
    data("one", 7, 0, 5, 0);
    exclude("");
  }

  // How often a unit's two branches were reached, and two bits changed.
  void data(const std::string& unit, int yes, int no, int low, int high) {
    files_.write("data/" + unit + ".dat",
                 "# SystemC::Coverage-3\n" + point("branch", 4, "if", yes) + point("branch", 5, "else", no) +
                     point("toggle", 2, "a[0]", low) + point("toggle", 2, "a[1]", high));
  }
  void exclude(const std::string& lines) { files_.write("list.txt", "# a comment\n\n" + lines); }

  gen::Finished merged(bool toggles = false) {
    std::vector<std::string> arguments{files_.path("data"), "--verilog", files_.path("rtl"), "--exclusions",
                                       files_.path("list.txt")};
    if (toggles) arguments.emplace_back("--toggles");
    return verif::merged_coverage(arguments);
  }
  void fails(const std::string& message) {
    const gen::Finished done = merged();
    EXPECT_EQ(done.status, 1) << done.output;
    EXPECT_THAT(done.output, HasSubstr(message));
  }

  verif::TempFolder files_;
};

TEST_F(VerilogCoverage, NamesWhatNoRunReached) {
  fails("unit.v:5: never reached: end else begin\n");
  EXPECT_THAT(merged(true).output, HasSubstr("unit.v: never changed: a[1]\n"));
  EXPECT_THAT(merged().output, HasSubstr("1 units, 1 modules: 1 of 2 lines reached, 0 excluded, 1 left; "
                                         "1 of 2 net bits changed (50.0 %)"));
}

TEST_F(VerilogCoverage, MergesUnits) {
  data("two", 0, 1, 0, 3);
  const gen::Finished done = merged(true);
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("2 of 2 lines reached"));
  EXPECT_THAT(done.output, Not(HasSubstr("never")));
}

// Its files of the same name have other lines: they count apart, unless the text is the same.
TEST_F(VerilogCoverage, UnitsOfOtherShapesHaveTheirOwnVerilog) {
  std::filesystem::create_directory(files_.path("data/two"));
  files_.write("data/two/unit.v", files_.content("rtl/unit.v"));
  data("two", 0, 1, 0, 3);
  EXPECT_EQ(merged().status, 0) << merged().output;
  files_.write("data/two/unit.v",
               "module unit (\n  input wire [1:0] a\n);\n  if (a[0]) begin\n  end else begin\n");
  const gen::Finished done = merged();
  EXPECT_THAT(done.output, HasSubstr("2 units, 2 modules: 2 of 4 lines reached"));
  EXPECT_THAT(done.output, HasSubstr("two/unit.v:4: never reached: if (a[0]) begin\n"));
  exclude("unit.v @ end else begin @ a is never 0\nunit.v @ if (a[0]) begin @ a is never 1\n");
  EXPECT_THAT(merged().output, HasSubstr("list.txt:3: two/unit.v:5 is reached 1 times\n"));
}

TEST_F(VerilogCoverage, ExclusionsAreExact) {
  exclude("unit*.v @ end else begin @ a is never 0\n");
  EXPECT_EQ(merged().status, 0) << merged().output;
  EXPECT_THAT(merged().output, HasSubstr("1 excluded, 0 left"));
  data("two", 0, 4, 0, 0);
  fails("list.txt:3: unit.v:5 is reached 4 times\n");
  exclude("unit*.v @ end else if @ a is never 0\n");
  fails("list.txt:3: no line of unit*.v reads 'end else if'\n");
  exclude("unit*.v @ end else begin @\n");
  fails("list.txt:3: must be FILES @ LINE OF VERILOG @ REASON");
}

TEST_F(VerilogCoverage, NeedsCounts) {
  files_.write("data/none.dat", "# SystemC::Coverage-3\n");
  fails("none.dat: has no counts; write it with l1forge cosim --verilog-coverage");
}

TEST_F(VerilogCoverage, OfARun) {
  const std::string file = files_.path("data/one.dat");
  const gen::Finished run =
      verif::l1forge({"cosim", "arbiter_round_robin", "--random", "20000", "--verilog-coverage", file});
  ASSERT_EQ(run.status, 0) << run.output;
  const gen::Finished done =
      verif::merged_coverage({files_.path("data"), "--exclusions", files_.path("list.txt"), "--toggles"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("0 excluded, 0 left"));
  EXPECT_THAT(done.output, HasSubstr("arbiter_round_robin.v: never changed: "));
  EXPECT_THAT(verif::l1forge({"cosim", "arbiter_round_robin", "--verilog-coverage", "none/here"}).output,
              HasSubstr("cannot write none/here: none is not a folder"));
}

}  // namespace
