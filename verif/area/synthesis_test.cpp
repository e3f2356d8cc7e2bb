// Area and timing end to end: known small circuits, and what happens when a tool is
// missing.
#include "gen/area/synthesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gen/process.h"
#include "verif/environment.h"
#include "verif/temp_folder.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const gen::Liberty& osu018() {
  static const gen::Liberty liberty = gen::default_liberty();
  return liberty;
}

gen::AreaRequest request(const std::string& verilog, const std::string& top = "unit") {
  return {.name = top, .top = top, .sources = {{top + ".v", verilog}}};
}

std::string complaint(const gen::AreaRequest& bad) {
  try {
    gen::synthesize(bad, osu018());
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(Synthesis, OneNandIsOneGate) {
  const auto r = gen::synthesize(
      request("module unit(input a, input b, output y); assign y = ~(a & b); endmodule"), osu018());
  EXPECT_THAT(r.cells, ElementsAre(Pair("NAND2X1", 1)));
  EXPECT_EQ(r.area, 24);
  EXPECT_EQ(r.gate_equivalents, 1);
  EXPECT_EQ(r.flops, 0);
  EXPECT_EQ(r.path_end, "y");
  EXPECT_GT(r.path_ns, 0.02);
  EXPECT_LT(r.path_ns, 0.3);
  EXPECT_NEAR(r.max_mhz(), 1000 / r.path_ns, 1e-9);
}

// Two inverters in two instances: what is mapped first is not simplified with its neighbours, but one netlist
// is counted and timed.
TEST(Synthesis, PartsThatAreMappedFirstAreFlatInTheEnd) {
  auto pair = request(
      "module part(input a, output y); assign y = ~a; endmodule\n"
      "module unit(input clk, input a, output reg y);\n"
      "  wire b, c;\n  part first(.a(a), .y(b));\n  part second(.a(b), .y(c));\n"
      "  always @(posedge clk) y <= c;\nendmodule");
  pair.clocks = {"clk"};
  const auto flat = gen::synthesize(pair, osu018());
  pair.first = {"part"};
  const auto parts = gen::synthesize(pair, osu018());
  EXPECT_EQ(flat.cells.count("INVX1"), 0u);
  EXPECT_EQ(parts.cells.at("INVX1"), 2);
  EXPECT_EQ(parts.flops, 1);
  EXPECT_NEAR(parts.gate_equivalents - flat.gate_equivalents, 2 * 16.0 / 24, 1e-9);
  EXPECT_TRUE(parts.modules.empty());
  EXPECT_GT(parts.path_ns, flat.path_ns);
}

// A path between flops counts from the clock edge to the setup time; the reset's does not count at all.
TEST(Synthesis, TimesFlopsAndNotTheReset) {
  auto q = request(
      "module unit(input clk, input rst, input d, output reg y);\n"
      "  reg q;\n"
      "  wire slow = ^{rst, rst & d, rst | d};\n"
      "  always @(posedge clk) begin\n    q <= d;\n    y <= rst ? 1'b0 : ~q;\n  end\n"
      "endmodule");
  q.clocks = {"clk"};
  q.resets = {"rst"};
  q.clock_ns = 2;
  const auto r = gen::synthesize(q, osu018());
  EXPECT_EQ(r.flops, 2);
  EXPECT_EQ(r.path_start, "q");
  EXPECT_EQ(r.path_end, "y");
  EXPECT_NEAR(r.path_ns + r.slack_ns, 2, 1e-6);
}

TEST(Synthesis, WiresHaveNoGates) {
  const auto r = gen::synthesize(
      request("module unit(input [3:0] a, output [3:0] y); assign y = a; endmodule"), osu018());
  EXPECT_TRUE(r.cells.empty());
  EXPECT_EQ(r.area, 0);
}

TEST(Synthesis, ConstantHasNoPath) {
  const auto r =
      gen::synthesize(request("module unit(input a, output y); assign y = 1'b1; endmodule"), osu018());
  EXPECT_EQ(r.path_ns, 0);
  EXPECT_EQ(r.max_mhz(), 0);
}

TEST(Synthesis, LatchIsCounted) {
  const auto r = gen::synthesize(
      request("module unit(input e, input [2:0] d, output reg [2:0] y); always @* if (e) y = d; endmodule"),
      osu018());
  EXPECT_EQ(r.latches, 3);
}

TEST(Synthesis, BlackBoxesAreCountedAndNotMapped) {
  auto q = request(
      "module unit(input clk, input [3:0] a, output reg y);\n"
      "  wire [63:0] row;\n  sram_16x64 rows (.clk(clk), .address(a), .data(row));\n"
      "  always @(posedge clk) y <= ^row[3:0];\nendmodule\n"
      "module sram_16x64(input clk, input [3:0] address, output reg [63:0] data);\n"
      "  reg [63:0] rows [0:15];\n  always @(posedge clk) data <= rows[address];\nendmodule");
  q.clocks = {"clk"};
  q.black_boxes = {"sram_16x64"};
  const auto r = gen::synthesize(q, osu018());
  EXPECT_EQ(r.cells.at("sram_16x64"), 1);
  EXPECT_EQ(r.flops, 1);
  EXPECT_LT(r.gate_equivalents, 20);
}

TEST(Synthesis, MacrosOfVerilog) {
  auto q = request("module unit(input a, output y); assign y = `VALUE; endmodule");
  q.defines = {{"VALUE", "~a"}};
  EXPECT_EQ(gen::synthesize(q, osu018()).cells.count("INVX1"), 1u);
}

TEST(Synthesis, ManyAtOnceKeepTheirOrder) {
  std::vector<gen::AreaRequest> requests;
  for (int inputs = 2; inputs <= 6; ++inputs)
    requests.push_back(request("module unit(input [" + std::to_string(inputs - 1) +
                               ":0] a, output y); assign y = ^a; endmodule"));
  const auto results = gen::synthesize_all(requests, osu018());
  ASSERT_EQ(results.size(), 5u);
  for (size_t i = 1; i < results.size(); ++i) EXPECT_GT(results[i].area, results[i - 1].area);
}

TEST(Synthesis, OneFailureEndsAll) {
  const auto bad = request("module unit(input a, output y); nothing u(a, y); endmodule");
  EXPECT_THROW(gen::synthesize_all({bad, bad, bad}, osu018()), gen::ToolError);
}

TEST(Synthesis, QuotesWhatTheToolRefuses) {
  EXPECT_THAT(complaint(request("module unit(input a, output y); nothing u(a, y); endmodule")),
              HasSubstr("yosys: unit: ERROR: Module `\\nothing' referenced in module `\\unit'"));
  EXPECT_THAT(complaint(request("module other; endmodule")),
              HasSubstr("yosys: unit: ERROR: Module `unit' not found!"));
  EXPECT_THAT(complaint(request("module unit(input a, output y); assign y = ; endmodule")),
              HasSubstr("syntax error"));
  auto clockless = request("module unit(input a, output y); assign y = ~a; endmodule");
  clockless.clocks = {"clk"};
  EXPECT_THAT(complaint(clockless), HasSubstr("sta: unit: "));
}

TEST(Synthesis, NamesTheMissingTool) {
  const auto q = request("module unit(input a, output y); assign y = ~a; endmodule");
  osu018();
  const verif::TempFolder folder;
  const verif::Environment path("PATH", folder.path());
  EXPECT_EQ(complaint(q), "yosys: not found on PATH; install it by: apt-get install yosys");
  std::filesystem::create_symlink("/usr/bin/true", folder.path("yosys"));
  EXPECT_EQ(complaint(q), "sta: not found on PATH; install it by: apt-get install opensta");
}

// A tool that says nothing and succeeds has made no result.
TEST(Synthesis, SilentToolIsNoSuccess) {
  const auto q = request("module unit(input a, output y); assign y = ~a; endmodule");
  osu018();
  const verif::TempFolder folder;
  for (const char* tool : {"sta", "yosys"})
    std::filesystem::create_symlink("/usr/bin/true", folder.path(tool));
  const verif::Environment path("PATH", folder.path());
  EXPECT_THAT(complaint(q), HasSubstr("stat.txt: No such file or directory"));
}

}  // namespace
