// The baseline designs that stand beside the units compute what their names say: proven, and broken by a
// injected fault.
#include "gen/area/references.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verif/formal/prove.h"

namespace {

constexpr std::uint64_t taps0 = 0b10011, taps1 = 0b01110;

verif::Property linear(const std::string& reference, int latency) {
  const std::string delay =
      latency == 0 ? "  wire [6:0] d = want;\n" : "  reg [6:0] d;\n  always @(posedge clk) d <= want;\n";
  return {.top = "property",
          .verilog = {reference,
                      "module property(input clk, input [4:0] a, output bad);\n"
                      "  wire [1:0] set;\n  wire [2:0] tag;\n" +
                          fmt::format("  plain u ({}.block_address(a), .set_index(set), .tag(tag));\n",
                                      latency == 0 ? "" : ".clk(clk), ") +
                          "  wire [6:0] want = {a[4:2], 2'b00, ^(a & 5'b01110), ^(a & 5'b10011)};\n" + delay +
                          "  reg started;\n  initial started = 0;\n  always @(posedge clk) started <= 1;\n"
                          "  assign bad = started && {tag, 2'b00, set} != d;\nendmodule\n"},
          .flush_cycles = latency};
}

TEST(References, UnfactoredXorsAreTheTaps) {
  for (int latency : {0, 1}) {
    const gen::ReferenceShape shape{"plain", 5, 2, 3, latency};
    EXPECT_TRUE(verif::prove(linear(unfactored_reference(shape, {taps0, taps1}), latency)).proven())
        << latency;
    EXPECT_EQ(verif::prove(linear(unfactored_reference(shape, {taps0 & ~1u, taps1}), latency)).outcome,
              verif::Outcome::counterexample);
  }
}

TEST(References, EmptyListIsZero) {
  EXPECT_THAT(gen::unfactored_reference({"plain", 5, 1, 4, 0}, {0}),
              testing::HasSubstr("assign index[0] = 1'b0;"));
}

TEST(References, ModuloIsWrittenAsSuch) {
  EXPECT_EQ(gen::modulo_reference({"plain", 25, 5, 21, 0}, 31),
            "module plain (\n"
            "  input  [24:0] block_address,\n"
            "  output [4:0] set_index,\n"
            "  output [20:0] tag\n"
            ");\n"
            "  wire [4:0] index;\n"
            "  assign index = block_address % 31;\n"
            "  assign set_index = index;\n"
            "  assign tag = block_address[24:4];\n"
            "endmodule\n");
}

}  // namespace
