// The proof engine on toy units: what holds is proven, what does not gives the inputs, and no answer is no
// proof.
#include "verif/formal/prove.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/environment.h"
#include "verif/formal/abc_report.h"
#include "verif/temp_folder.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using verif::Outcome;
using verif::ProofResult;
using verif::Property;

ProofResult check(const std::string& verilog, int flush_cycles = -1) {
  return verif::prove({.top = "m", .verilog = {verilog}, .flush_cycles = flush_cycles});
}

std::string complaint(const Property& property) {
  try {
    verif::prove(property);
  } catch (const gen::ToolError& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(Prove, CombinationalIdentity) {
  EXPECT_TRUE(
      check(
          "module m(input [7:0] a, input [7:0] b, output bad); assign bad = (a ^ b) != ((a | b) & ~(a & b)); "
          "endmodule")
          .proven());
}

TEST(Prove, CombinationalFaultNamesTheInputs) {
  const ProofResult r =
      check("module m(input [7:0] a, input b, output bad); assign bad = a == 8'hc5 && b; endmodule");
  EXPECT_EQ(r.outcome, Outcome::counterexample);
  EXPECT_EQ(r.message, "cycle 0: a=c5 b=1");
}

// Two sums of 24 bits in another order: plain SAT gives up, sweeping does not.
TEST(Prove, LongSumsOfXors) {
  std::string forward = "a[0]", backward = "a[39]", tree = "(a[0] ^ a[39])";
  for (int i = 1; i < 40; ++i) {
    forward += " ^ a[" + std::to_string(i) + "]";
    backward += " ^ a[" + std::to_string(39 - i) + "]";
  }
  const auto text = [](const std::string& left, const std::string& right) {
    return "module m(input [39:0] a, output bad); assign bad = (" + left + ") != (" + right + "); endmodule";
  };
  EXPECT_TRUE(check(text(forward, backward)).proven());
  EXPECT_EQ(check(text(forward, backward + " ^ (a[3] & a[4])")).outcome, Outcome::counterexample);
}

TEST(Prove, ConstantOutputs) {
  EXPECT_TRUE(check("module m(input a, output bad); assign bad = a & ~a; endmodule").proven());
  EXPECT_EQ(check("module m(input a, output bad); assign bad = 1'b1; endmodule").outcome,
            Outcome::counterexample);
}

std::string counter(int forbidden) {
  return "module m(input clk, input go, output bad);\n"
         "  reg [3:0] q;\n  initial q = 0;\n"
         "  always @(posedge clk) if (go) q <= q == 9 ? 4'd0 : q + 4'd1;\n"
         "  assign bad = q == " +
         std::to_string(forbidden) + ";\nendmodule\n";
}

TEST(Prove, StatesThatAreNeverReached) {
  const ProofResult r = check(counter(11));
  EXPECT_TRUE(r.proven());
  EXPECT_EQ(r.engine, "PDR");
}

TEST(Prove, StatesThatAreReachedLate) {
  const ProofResult r = check(counter(3));
  EXPECT_EQ(r.outcome, Outcome::counterexample);
  EXPECT_EQ(r.message, "cycle 0: clk=0 go=1; cycle 1: clk=0 go=1; cycle 2: clk=0 go=1; cycle 3: clk=0 go=0");
}

// A register without a start value can be anything at the start.
TEST(Prove, UninitialisedStateIsFree) {
  EXPECT_EQ(check("module m(input clk, input a, output bad); reg q; always @(posedge clk) q <= q & a; assign "
                  "bad = q; "
                  "endmodule")
                .outcome,
            Outcome::counterexample);
}

std::string pipeline(const std::string& last_stage) {
  return "module m(input clk, input [3:0] a, output bad);\n"
         "  reg [3:0] s1, s2, d1, d2;\n  reg [1:0] cycle;\n  initial cycle = 0;\n"
         "  always @(posedge clk) begin\n"
         "    s1 <= a + 4'd1;\n    s2 <= " +
         last_stage +
         ";\n    d1 <= a;\n    d2 <= d1;\n"
         "    if (cycle != 2) cycle <= cycle + 2'd1;\n  end\n"
         "  assign bad = cycle == 2 && s2 != d2 + 4'd3;\nendmodule\n";
}

TEST(Prove, PipelinesForgetTheirStart) {
  EXPECT_TRUE(check(pipeline("s1 + 4'd2"), 2).proven());
  EXPECT_TRUE(check(pipeline("s1 + 4'd2")).proven());
}

TEST(Prove, PipelineFaultsAreRunsFromTheStart) {
  for (const char* stage : {"s1 + 4'd1", "a + 4'd3", "s2"}) {
    const ProofResult r = check(pipeline(stage), 2);
    EXPECT_EQ(r.outcome, Outcome::counterexample) << stage;
    EXPECT_THAT(r.message, HasSubstr("cycle 2:")) << stage;
  }
}

// Claiming that a counter forgets its start must not make a false proof, nor a false counterexample.
TEST(Prove, WrongFlushClaimGivesNoAnswer) {
  EXPECT_EQ(check(counter(11), 1).outcome, Outcome::inconclusive);
  EXPECT_EQ(check(counter(9), 1).outcome, Outcome::inconclusive);
  EXPECT_EQ(check(counter(2), 1).outcome, Outcome::counterexample);
}

TEST(Prove, TimeUpIsNoProof) {
  const ProofResult r =
      verif::prove({.top = "m",
                    .verilog = {"module m(input [31:0] a, input [31:0] b, input [31:0] c, output bad);\n"
                                "  wire [31:0] left = a * b, right = b * c;\n"
                                "  assign bad = left * c != a * right;\nendmodule\n"},
                    .timeout = std::chrono::seconds(1)});
  EXPECT_EQ(r.outcome, Outcome::inconclusive);
  EXPECT_FALSE(r.proven());
}

TEST(Prove, RefusesWhatIsNoProperty) {
  const std::string two =
      "module m(input a, output bad, output other); assign bad = a; assign other = a; endmodule";
  const std::string wide = "module m(input a, output [1:0] bad); assign bad = {a, a}; endmodule";
  const std::string misnamed = "module m(input a, output good); assign good = a; endmodule";
  for (const std::string& text : {two, wide, misnamed})
    EXPECT_EQ(complaint({.top = "m", .verilog = {text}}), "m: must have bad as its only output, of one bit");
  EXPECT_THAT(complaint({.top = "m", .verilog = {"module m(output bad); wire w; assign bad = w; endmodule"}}),
              HasSubstr("Found 1 problems in 'check -assert'"));
  EXPECT_THAT(
      complaint(
          {.top = "m",
           .verilog =
               {"module m(input a, input b, output bad); assign bad = a & b; assign bad = ~a; endmodule"}}),
      HasSubstr("'check -assert'"));
  EXPECT_THAT(
      complaint({.top = "m", .verilog = {"module m(input a, output bad); assign bad = a & 1'bx; endmodule"}}),
      HasSubstr("'x' or 'z' bits"));
  EXPECT_THAT(complaint({.top = "m", .verilog = {"module n; endmodule"}}), HasSubstr("Module `m' not found"));
}

TEST(Prove, NamesTheMissingTool) {
  const verif::TempFolder folder;
  const verif::Environment path("PATH", folder.path("none"));
  EXPECT_EQ(complaint({.top = "m", .verilog = {""}}),
            "yosys-abc: not found on PATH; install it by: apt-get install yosys");
}

// A prover that says nothing, or dies, has proven nothing.
TEST(Prove, SilentOrDyingProverIsNoProof) {
  const verif::TempFolder folder;
  std::filesystem::create_symlink(gen::find_tool("yosys"), folder.path("yosys"));
  const std::string fake = folder.path("yosys-abc");
  const verif::Environment path("PATH", folder.path() + ":/usr/bin:/bin");
  for (const char* script : {"#!/bin/sh\nexit 0\n", "#!/bin/sh\necho 'Status = 1'\nexit 1\n",
                             "#!/bin/sh\necho 'Status = 1'\necho 'Status = 1'\n",
                             "#!/bin/sh\necho 'Status = 0'\n", "#!/bin/sh\necho 'Property proved.'\n"}) {
    folder.write("yosys-abc", script);
    std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
    EXPECT_EQ(check("module m(input a, output bad); assign bad = a & ~a; endmodule").outcome,
              Outcome::inconclusive)
        << script;
  }
}

TEST(AbcReport, Status) {
  EXPECT_EQ(verif::abc_status("Property proved.\nStatus = 1  Frames = 4   Cex is not defined.\n"), 1);
  EXPECT_EQ(verif::abc_status("Status = 0  Frames = -2   CEX: Po =   0\n"), 0);
  EXPECT_EQ(verif::abc_status("Status = -1  Frames = 3\n"), -1);
  EXPECT_EQ(verif::abc_status(""), std::nullopt);
  EXPECT_EQ(verif::abc_status("Status = 1x\n"), std::nullopt);
  EXPECT_EQ(verif::abc_status("Status = 7\n"), std::nullopt);
  EXPECT_EQ(verif::abc_status("Status = 1\nStatus = 0\n"), std::nullopt);
}

TEST(AbcReport, AigerHeader) {
  const auto shape = verif::aiger_shape("aig 34 2 4 1 28\n\x01\x02");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->inputs, 2);
  EXPECT_EQ(shape->latches, 4);
  EXPECT_EQ(shape->outputs, 1);
  EXPECT_FALSE(verif::aiger_shape("aag 1 1 0 1 0\n"));
  EXPECT_FALSE(verif::aiger_shape(""));
}

TEST(AbcReport, Counterexample) {
  const auto inputs =
      verif::map_inputs("input 0 0 a\ninput 1 1 a\ninput 2 4 a\ninput 3 0 b\ninit 4 0 q\noutput 0 0 bad\n");
  EXPECT_THAT(inputs, ElementsAre("a", "a[0]", "a[1]", "a[4]", "b", "b[0]"));
  EXPECT_EQ(
      verif::cex_text(
          "# FALSIFYING OUTPUTS: bad\nq@0=1\na[0]@0=1\na[1]@0=1\na[4]@0=1\nb@0=0\na[0]@1=0\nb@1=1\n# DONE\n",
          inputs),
      "cycle 0: a=13 b=0; cycle 1: a=0 b=1");
  EXPECT_EQ(verif::cex_text("# DONE\n", inputs), "any input");
}

}  // namespace
