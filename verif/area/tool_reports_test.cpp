// Reading what yosys and OpenSTA print, on text captured from both: samples/ holds a unit with a black box.
#include "gen/area/tool_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre;
using testing::Pair;

std::string sample(const std::string& name) {
  return gen::read_file(gen::paths::source() / "verif/area/samples" / name);
}

std::string without(std::string text, const std::string& part) {
  const size_t at = text.find(part);
  EXPECT_NE(at, text.npos);
  return text.erase(at, part.size());
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const gen::ToolError& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(ToolReports, ModulesOfAHierarchy) {
  const std::string both = sample("stat.txt") +
                           "\n=== other ===\n\n   Number of cells:                  1\n"
                           "     INVX1                           1\n\n=== design hierarchy ===\n";
  const auto modules = gen::stat_modules(both);
  ASSERT_EQ(modules.size(), 2u);
  EXPECT_EQ(modules[0].first, "box_user");
  EXPECT_EQ(gen::parse_stat_area(modules[0].second), gen::parse_stat_area(sample("stat.txt")));
  EXPECT_EQ(modules[1].first, "other");
  EXPECT_THAT(gen::parse_stat_cells(modules[1].second), ElementsAre(Pair("INVX1", 1)));
}

TEST(ToolReports, NetlistForOpenSta) {
  EXPECT_EQ(gen::readable_netlist(
                "  assign a = b;\n  NAND2X1 g (.A(\\a[0].b[1] ), .B(\\c[2] ));\n"
                "  assign { \\x.r[1] , \\x.r[0] , y, \\p[3] , q, r, s } = { _062_, 5'h0a, \\in[1]  };\n"
                "  assign { t, u } = 2'b10;\nendmodule\n"),
            "  assign a = b;\n  NAND2X1 g (.A(\\a(0).b[1] ), .B(\\c[2] ));\n"
            "  assign \\x.r[1]  = _062_;\n"
            "  assign \\x.r[0]  = 1'b0;\n"
            "  assign y = 1'b1;\n"
            "  assign \\p[3]  = 1'b0;\n"
            "  assign q = 1'b1;\n"
            "  assign r = 1'b0;\n"
            "  assign s = \\in[1] ;\n"
            "  assign t = 1'b1;\n"
            "  assign u = 1'b0;\nendmodule\n");
  EXPECT_EQ(complaint([] { gen::readable_netlist("  assign { a, b } = c;\n"); }),
            "yosys: cannot read '  assign { a, b } = c'");
}

TEST(ToolReports, AssignmentsOfPortsAreWrittenBitByBit) {
  const std::string ports = "  input [3:0] v;\n  output [1:0] \\m.q ;\n";
  EXPECT_EQ(gen::readable_netlist(ports + "  assign { \\m.q [1:0], w } = { v[2:1], 1'h1 };\n"),
            ports +
                "  assign \\m.q [1] = v[2];\n"
                "  assign \\m.q [0] = v[1];\n"
                "  assign w = 1'b1;\n");
  EXPECT_EQ(gen::readable_netlist(ports + "  assign \\m.q  = { v[3], \\a.b[7]  };\n"),
            ports + "  assign \\m.q [1] = v[3];\n  assign \\m.q [0] = \\a.b[7] ;\n");
  EXPECT_EQ(gen::readable_netlist(ports + "  assign \\m.q [0] = v[3];\n"),
            ports + "  assign \\m.q [0] = v[3];\n");
  EXPECT_EQ(complaint([&] { gen::readable_netlist(ports + "endmodule\n  assign { a, b } = v[3:1];\n"); }),
            "yosys: cannot read '  assign { a, b } = v[3:1]'");
}

TEST(ToolReports, CellsByType) {
  EXPECT_THAT(gen::parse_stat_cells(sample("stat.txt")),
              ElementsAre(Pair("AND2X2", 2), Pair("AOI21X1", 3), Pair("DFFPOSX1", 4), Pair("INVX1", 1),
                          Pair("NAND2X1", 4), Pair("NOR2X1", 3), Pair("NOR3X1", 2), Pair("OAI21X1", 4),
                          Pair("XNOR2X1", 2), Pair("XOR2X1", 5), Pair("sram_4", 1)));
}

TEST(ToolReports, ListMustSumToTheTotal) {
  EXPECT_EQ(complaint([] {
              gen::parse_stat_cells(without(sample("stat.txt"), "     XOR2X1                          5\n"));
            }),
            "yosys: 31 cells promised, 26 listed");
  EXPECT_EQ(complaint([] { gen::parse_stat_cells(""); }), "yosys: -1 cells promised, 0 listed");
  EXPECT_EQ(complaint([] { gen::parse_stat_cells(sample("stat.txt") + sample("stat.txt")); }),
            "yosys: the statistics are of several modules, not of one flattened unit");
}

TEST(ToolReports, Area) {
  EXPECT_EQ(gen::parse_stat_area(sample("stat.txt")), 1376);
  EXPECT_EQ(gen::parse_stat_area("   Number of cells:                  0\n"), 0);
}

TEST(ToolReports, DepthInGates) {
  EXPECT_EQ(gen::parse_ltp_depth(sample("depth.txt")), 8);
  EXPECT_EQ(gen::parse_ltp_depth("Executing LTP pass\n"), 0);
}

TEST(ToolReports, WorstPath) {
  const gen::TimingPath path = gen::parse_timing(sample("timing.txt"));
  EXPECT_TRUE(path.found);
  EXPECT_EQ(path.start, "a[1]");
  EXPECT_EQ(path.end, "q[3]");
  EXPECT_DOUBLE_EQ(path.slack_ns, 0.0366);
}

TEST(ToolReports, NegativeSlackAndNoPath) {
  std::string text = sample("timing.txt");
  const std::string met = "             0.0366   slack (MET)";
  text.replace(text.find(met), met.size(), "            -1.2500   slack (VIOLATED)");
  EXPECT_DOUBLE_EQ(gen::parse_timing(text).slack_ns, -1.25);
  EXPECT_FALSE(gen::parse_timing("No paths found.\n").found);
}

TEST(ToolReports, IncompleteTimingIsRefused) {
  EXPECT_EQ(complaint([] { gen::parse_timing(""); }), "sta: no 'Startpoint: ' in its report");
  EXPECT_EQ(complaint([] { gen::parse_timing(without(sample("timing.txt"), "slack (MET)")); }),
            "sta: no slack in its report");
}

TEST(ToolReports, ScriptsAreFilledInWhole) {
  EXPECT_EQ(gen::fill_in("a @X@ b@Y@@X@", {{"X", "1"}, {"Y", ""}}), "a 1 b1");
  EXPECT_THROW(gen::fill_in("@X@", {}), std::logic_error);
  EXPECT_THROW(gen::fill_in("X", {{"X", "1"}}), std::logic_error);
  EXPECT_THROW(gen::fill_in("@X", {{"X", "1"}}), std::logic_error);
}

}  // namespace
