// The files for OpenROAD-flow-scripts: their text, and that make and a timing analyser read them.
#include "gen/orfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/liberty/liberty.h"
#include "gen/process.h"
#include "verif/temp_folder.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

gen::OrfsDesign clocked() {
  return {.top = "unit", .files = {"a.v", "unit.v"}, .clocks = {"clk"}, .resets = {"rst"}, .clock_ns = 1.5};
}

TEST(Orfs, MacroListSaysWhenItIsEmpty) {
  EXPECT_EQ(gen::orfs_files({.top = "unit", .files = {"unit.v"}})["macros.txt"],
            "# No RAM macro: the unit is made of gates and flops only.\n");
  auto design = clocked();
  design.macros = {"sram_a", "sram_b"};
  auto files = gen::orfs_files(design);
  EXPECT_THAT(files["macros.txt"], HasSubstr("behavioural body, which becomes flops"));
  EXPECT_THAT(files["macros.txt"], HasSubstr("\nsram_a\nsram_b\n"));
  EXPECT_THAT(files["config.mk"], Not(HasSubstr("ADDITIONAL")));
  design.black_boxes = true;
  files = gen::orfs_files(design);
  EXPECT_EQ(files["macros.txt"],
            "# Modules that RAM macros of these names are to provide, one a line.\nsram_a\nsram_b\n");
  EXPECT_THAT(files["config.mk"], HasSubstr("export ADDITIONAL_LEFS ="));
  EXPECT_THAT(gen::orfs_files(clocked())["config.mk"], Not(HasSubstr("ADDITIONAL")));
}

// The keys as make sees them when the file is included from another folder.
TEST(Orfs, ConfigurationIsReadByMake) {
  const verif::TempFolder folder;
  const std::string config = folder.write("config.mk", gen::orfs_files(clocked())["config.mk"]);
  const std::string makefile = folder.write(
      "Makefile", "include " + config +
                      "\nall:\n\t@echo $(DESIGN_NAME) $(DESIGN_NICKNAME) $(PLATFORM) $(CORE_UTILIZATION) "
                      "$(TNS_END_PERCENT)\n\t@echo $(VERILOG_FILES) $(SDC_FILE)\n");
  const auto done = gen::run_checked({.argv = {"make", "-s", "-f", makefile}, .folder = "/"});
  EXPECT_EQ(done.output, "unit unit nangate45 55 100\n" + folder.path("a.v") + " " + folder.path("unit.v") +
                             " " + folder.path("constraint.sdc") + "\n");
}

// What OpenSTA says after reading the constraints of a unit.
std::string timed(const gen::OrfsDesign& design, const std::string& netlist) {
  const verif::TempFolder folder;
  folder.write("unit.v", netlist);
  folder.write("constraint.sdc", gen::orfs_files(design)["constraint.sdc"]);
  folder.write("run.tcl",
               "read_liberty " + gen::default_liberty().file.string() +
                   "\nread_verilog unit.v\nlink_design unit\nread_sdc constraint.sdc\nreport_checks\n");
  return gen::run_checked(
             {.argv = {"sta", "-no_init", "-no_splash", "-exit", "run.tcl"}, .folder = folder.path()})
      .output;
}

TEST(Orfs, ConstraintsOfAClockedUnit) {
  const std::string report =
      timed(clocked(),
            "module unit(clk, rst, d, q); input clk, rst, d; output q; wire n;\n"
            "  NAND2X1 g (.A(d), .B(rst), .Y(n));\n  DFFPOSX1 f (.CLK(clk), .D(n), .Q(q));\n"
            "endmodule\n");
  EXPECT_THAT(report, HasSubstr("Startpoint: d (input port clocked by clk)"));
  EXPECT_THAT(report, ContainsRegex("0\\.30 +0\\.30 [v^] input external delay"));
  EXPECT_THAT(report, HasSubstr("slack (MET)"));
  EXPECT_THAT(report, Not(HasSubstr("Warning")));
  EXPECT_THAT(report, Not(HasSubstr("Error")));
}

TEST(Orfs, TheClockOfTwiceTheRateHasHalfThePeriod) {
  auto design = clocked();
  design.clocks = {"clk", "clk_noc1"};
  EXPECT_THAT(gen::orfs_files(design)["constraint.sdc"],
              HasSubstr("create_clock -name clk -period $clk_period [get_ports clk]\n"
                        "create_clock -name clk_noc1 -period [expr {$clk_period / 2.0}] [get_ports clk_noc1]\n"));
  const std::string report =
      timed(design,
            "module unit(clk, clk_noc1, rst, d, q); input clk, clk_noc1, rst, d; output q; wire m, n;\n"
            "  NAND2X1 g (.A(d), .B(rst), .Y(m));\n  DFFPOSX1 a (.CLK(clk), .D(m), .Q(n));\n"
            "  DFFPOSX1 b (.CLK(clk_noc1), .D(n), .Q(q));\nendmodule\n");
  EXPECT_THAT(report, Not(HasSubstr("Error")));
}

TEST(Orfs, ConstraintsOfAUnitWithoutAClock) {
  const std::string report =
      timed({.top = "unit", .files = {"unit.v"}, .clock_ns = 1},
            "module unit(d, q); input d; output q; INVX1 g (.A(d), .Y(q)); endmodule\n");
  EXPECT_THAT(report, HasSubstr("Endpoint: q (output port clocked by virtual_clock)"));
  EXPECT_THAT(report, HasSubstr("slack (MET)"));
  EXPECT_THAT(report, Not(HasSubstr("Warning")));
  EXPECT_THAT(report, Not(HasSubstr("Error")));
}

}  // namespace
