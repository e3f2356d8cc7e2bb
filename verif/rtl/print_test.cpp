// Everything that the printer can print, in one module: exact text, and silence of three tools.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "hw/prim/sram.h"
#include "hw/rtl/enabled.h"
#include "hw/rtl/stream.h"

using rtl::lit;
using rtl::Module;

namespace {

// A one-entry buffer for a stream.
Module stream_register() {
  Module m("stream_register", "Holds one beat of a stream.");
  const std::vector<rtl::Field> fields{{"data", 8, "payload"}};
  const auto in = rtl::input_stream(m, "upstream", fields, "a beat is offered");
  const auto out = rtl::output_stream(m, "downstream", fields, "the held beat");
  const auto full = m.reg("full_q", 1, 0, "a beat is held");
  const auto data = m.data_reg("data_q", 8, "the held payload");
  m.assign(in.ready, ~full | out.ready);
  m.assign(out.valid, full);
  m.assign(out["data"], data);
  m.clocked("Take a beat, or lose it downstream.", [&] {
    m.when(in.transfer(), [&] {
       m.set(full, lit(1, 1));
       m.set(data, in["data"]);
     }).otherwise([&] { m.when(out.ready, [&] { m.set(full, lit(1, 0)); }); });
  });
  return m;
}

// Loops, memories, a case, a second clock, instances in a generate loop.
Module everything() {
  Module m("everything",
           "A module that uses each construct once, so that its text is long enough to need a second line.");
  const auto fast = m.clock("clk_fast", "rst_fast", 2, "twice the rate of clk");
  const auto lanes = m.input("lanes", 32, "four bytes");
  const auto select = m.input("select", 2, "which byte");
  const auto valid = m.input("lanes_valid", 4, "one bit a byte");
  const auto parities = m.output("parities", 4, "parity of each byte");
  const auto chosen = m.output("chosen", 8, "the selected byte");
  const auto code = m.output("code", 3, "what kind of selection");
  const auto history = m.output("history", 8, "a byte stored earlier");
  const auto count = m.output("count", 2, "edges of the fast clock");
  const auto held = m.output("held", 32, "bytes through the stream registers");
  const auto ready = m.output("ready", 4, "space in the stream registers");
  const auto held_valid = m.output("held_valid", 4, "bytes there");

  const auto rows = m.mem("rows", 4, 8, "bytes by their number");
  const auto count_q = m.reg("count_q", m.constant("FIRST_COUNT", 2, 3, "the top"), "starts at the top");
  m.assign(chosen, lanes.part(select, 8));
  m.assign(history, m.load(rows, select));
  m.assign(count, count_q);

  m.section("Parity of each byte, in a printed loop.");
  m.comb("Parities.", [&] {
    m.loop("lane", 4, [&](const rtl::Expr& lane) {
      m.set(parities.at(lane), rtl::parity(lanes.part(lane, 8)) & valid.at(lane));
    });
  });
  m.comb("Kind of selection.", [&] {
    m.set(code, lit(3, 0));
    m.pick(select, {{0, [&] { m.set(code, lit(3, 5)); }}, {2, [&] { m.set(code.slice(1, 0), select); }}},
           [&] { m.set(code, lit(3, 7)); });
  });
  m.clocked("Keep the selected byte.",
            [&] { m.when(rtl::any(valid), [&] { m.store(rows, select, lanes.slice(7, 0)); }); });
  m.clocked(fast, "Count the fast clock.", [&] { m.set(count_q, count_q + lit(2, 1)); });
  m.repeat("bank", 4, "A register for each byte.", [&](const rtl::Expr& bank) {
    m.instance(stream_register(), "buffer",
               {{"upstream_valid", valid.at(bank)},
                {"upstream_ready", ready.at(bank)},
                {"upstream_data", lanes.part(bank, 8)},
                {"downstream_valid", held_valid.at(bank)},
                {"downstream_ready", lit(1, 1)},
                {"downstream_data", held.part(bank, 8)}},
               "One byte.");
  });
  return m;
}

// Instances in nested generate loops, whose nets lie in vectors by steps and by a table.
Module grid() {
  Module m("grid", "Six stream registers in three columns.");
  const auto data = m.input("data", 56, "a byte for each place, and one beside");
  const auto valid = m.input("valid", 6, "one bit a byte");
  const auto held = m.output("held", 48, "bytes of the places");
  const auto held_valid = m.output("held_valid", 6, "bytes there");
  const auto ready = m.wire("ready", 6, "space in the registers");
  m.unused("unused_ready", ready, "all is taken");
  m.unused("unused_data", data.slice(31, 24), "the byte beside");
  const auto columns = m.table("COLUMN_OF_PLACE", 2, {2, 0, 1}, "columns from the left");
  m.repeat("rows", 2, "Two rows.", [&](const rtl::Expr& row) {
    m.repeat("places", 3, "Three columns in each.", [&](const rtl::Expr& place) {
      const std::vector<rtl::Step> at{{row, 3}, {place, 1}};
      m.instance(stream_register(), "buffer",
                 {{"upstream_valid", valid.stepped(at, 0, 1)},
                  {"upstream_ready", ready.stepped(at, 0, 1)},
                  {"upstream_data", data.stepped({{row, 4}, {place, 1}}, 0, 8)},
                  {"downstream_valid", held_valid.stepped(at, 0, 1)},
                  {"downstream_ready", lit(1, 1)},
                  {"downstream_data", held.stepped(at, 0, 8)}},
                 "One byte.");
    });
  });
  const auto first = m.output("first", 24, "bytes of row 0 by column");
  m.repeat("row_0", 3, "Row 0 in another order.",
           [&](const rtl::Expr& n) { m.assign(first.part(columns.part(n, 2), 8), data.part(n, 8)); });
  return m;
}

}  // namespace

// A part of a row is written in a loop, which tools know as a write by bytes.
TEST(Print, PartsOfARowAreWrittenInALoop) {
  const std::string text = gen::verilog(hw::sram_1rw_bytes(16, 32));
  EXPECT_THAT(text, testing::HasSubstr("if (byte_enable[b]) begin\n"
                                       "          rows[row][b * 8 +: 8] <= write_data[b * 8 +: 8];\n"));
}

TEST(Print, AStreamRegisterIsExactlyThis) {
  EXPECT_EQ(gen::verilog(stream_register()), R"(// stream_register: Holds one beat of a stream.
// Generated by L1Forge from verif/rtl/print_test.cpp. Do not edit; generate it again.
`default_nettype none

module stream_register (
  input  wire       clk,               // clock, rising edge
  input  wire       rst,               // synchronous reset, active high
  input  wire       upstream_valid,    // a beat is offered
  output wire       upstream_ready,    // taken at this edge if valid
  input  wire [7:0] upstream_data,     // payload
  output wire       downstream_valid,  // the held beat
  input  wire       downstream_ready,  // taken at this edge if valid
  output wire [7:0] downstream_data    // payload
);

  reg full_q;        // a beat is held
  reg [7:0] data_q;  // the held payload

  assign upstream_ready = ~full_q | downstream_ready;
  assign downstream_valid = full_q;
  assign downstream_data = data_q;

  // Take a beat, or lose it downstream.
  always @(posedge clk) begin
    if (rst) begin
      full_q <= 1'd0;
    end else if (upstream_valid & upstream_ready) begin
      full_q <= 1'd1;
      data_q <= upstream_data;
    end else if (downstream_ready) begin
      full_q <= 1'd0;
    end
  end

endmodule

`default_nettype wire
)");
}

TEST(Print, LoopsCasesAndClocksReadLikeThis) {
  const std::string text = gen::verilog(everything());
  for (const char* part :
       {"// everything: A module that uses each construct once, so that its text is long enough to need "
        "a\n// second line.\n",
        "  input  wire        clk_fast,     // twice the rate of clk\n",
        "  reg [7:0] rows [0:3];  // bytes by their number\n",
        "  assign chosen = lanes[{select, 3'd0} +: 8];\n",
        "    for (lane = 0; lane < 4; lane = lane + 1) begin\n      parities[lane] = (^lanes[lane * 8 +: 8]) "
        "& lanes_valid[lane];\n",
        "      2'd2: begin\n        code[1:0] = select;\n",
        "  always @(posedge clk_fast) begin\n    if (rst_fast) begin\n      count_q <= FIRST_COUNT;\n",
        "  localparam [1:0] FIRST_COUNT = 2'd3;  // the top\n",
        "    for (gi = 0; gi < 4; gi = gi + 1) begin : bank\n",
        "        .upstream_data(lanes[gi * 8 +: 8]),\n"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

TEST(Print, PartsOfOddNumbersAndWideResetsReadLikeThis) {
  Module m("odd_parts", "Vectors of five parts and of one.");
  const auto number = m.input("number", 3, "below five");
  const auto chosen = m.output("chosen", 4, "that part");
  const auto flag = m.output("flag", 1, "a vector of one part");
  const auto parts_q = m.wide_reg("parts_q", 80, {0x0123456789abcdef, 0x8765}, "five parts, reset at once");
  const auto four = m.let("four", parts_q.slice(19, 0), "of which these are seen");
  m.unused("unused_parts", parts_q.slice(79, 20), "and these are not");
  m.assign(chosen, four.part_below(number, 4));
  m.comb("One round.",
         [&] { m.loop("round", 1, [&](const rtl::Expr& r) { m.set(flag.at(r), lit(1, 1)); }); });
  m.clocked("Turn all over.", [&] { m.set(parts_q, ~parts_q); });
  const std::string text = gen::verilog(m);
  for (const char* part : {"  assign chosen = four[{number, 2'd0} +: 4];\n", "      flag = 1'd1;\n",
                           "      parts_q <= 80'h87650123456789abcdef;\n"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

// Each kind stands together, in order of its values; what is declared later stands later.
TEST(Print, ConstantsReadLikeThis) {
  Module m("walk", "Walks two steps.");
  const auto go = m.input("go", 1, "begin");
  const auto done = m.output("done", 1, "the last cycle of the second step");
  const auto second = m.constant("STEP_SECOND", 2, 2), rest = m.constant("STEP_REST", 2, 0, "waits for `go`");
  const auto last = m.constant("LAST_CYCLE", 20, 65535, "of a step of 65536 cycles");
  const auto first = m.constant("STEP_FIRST", 2, 1), one = m.constant("ONE", 1, 1);
  const auto step_q = m.reg("step_q", rest, "step"), cycle_q = m.reg("cycle_q", 20, 0, "cycle of the step");
  m.assign(done, (step_q == second) & (cycle_q == m.constant("LAST_CYCLE", 20, 65535)));
  m.clocked("Walk.", [&] {
    m.pick(step_q, {{rest, [&] { m.when(go == one, [&] { m.set(step_q, first); }); }}},
           [&] { m.set(step_q, mux(cycle_q == last, second, first)); });
    m.set(cycle_q, cycle_q + lit(20, 1));
  });
  const std::string text = gen::verilog(m);
  for (const char* part : {R"(
  localparam [1:0] STEP_REST = 2'd0;  // waits for `go`
  localparam [1:0] STEP_FIRST = 2'd1;
  localparam [1:0] STEP_SECOND = 2'd2;
  localparam [19:0] LAST_CYCLE = 20'd65535;  // of a step of 65536 cycles
  localparam ONE = 1'd1;

  reg [1:0] step_q;)",
                           R"(
  assign done = (step_q == STEP_SECOND) & (cycle_q == LAST_CYCLE);
)",
                           R"(
      step_q <= STEP_REST;
)",
                           R"(
        STEP_REST: begin
          if (go == ONE) begin
            step_q <= STEP_FIRST;
          end
        end
        default: begin
          step_q <= (cycle_q == LAST_CYCLE) ? STEP_SECOND : STEP_FIRST;
        end
)"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  const auto constants = [](const std::string& from) {
    const std::size_t start = from.find("  localparam");
    return from.substr(start, from.find("\n\n", start) - start);
  };
  EXPECT_EQ(constants(gen::verilog(rtl::enabled(m))), constants(text));
}

// A loop variable that a branch leaves alone would be a latch.
TEST(Print, ALoopInABranchHasItsVariableSetBefore) {
  Module m("in_branch", "A loop that does not run every time.");
  const auto when = m.input("when", 1, "it runs");
  const auto bits = m.output("bits", 4, "what it sets");
  m.comb("Sometimes.", [&] {
    m.set(bits, lit(4, 0));
    m.when(when, [&] { m.loop("each", 4, [&](const rtl::Expr& i) { m.set(bits.at(i), when); }); });
  });
  EXPECT_THAT(gen::verilog(m), testing::HasSubstr("  always @* begin\n    each = 0;\n    bits = 4'd0;\n"));
}

TEST(Print, TheSameModuleTwiceIsTheSameText) {
  EXPECT_EQ(gen::verilog(everything()), gen::verilog(everything()));
}

TEST(Print, AnotherOrderHasTheSameLinesOtherwise) {
  const std::string one = gen::verilog(everything(), 1), two = gen::verilog(everything(), 2);
  EXPECT_NE(one, two);
  EXPECT_EQ(one, gen::verilog(everything(), 1));
  const auto letters = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    std::ranges::sort(text);
    return text;
  };
  EXPECT_EQ(letters(one), letters(two));
}

TEST(Print, AnEnabledCopyMovesWithItsEnableAlone) {
  const std::string text = gen::verilog(rtl::enabled(stream_register()));
  for (const char* part :
       {"module stream_register_en (\n", "wire       enable",
        "    end else if (enable) begin\n      if (upstream_valid & upstream_ready) begin\n"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  const std::string copy = gen::verilog(rtl::enabled(everything()));
  EXPECT_THAT(copy, testing::HasSubstr("stream_register_en "));
  EXPECT_THAT(copy, testing::HasSubstr(".enable(enable)"));
}

TEST(Print, NestedLoopsStepsAndTablesReadLikeThis) {
  const std::string text = gen::verilog(grid());
  EXPECT_THAT(text,
              testing::HasSubstr(
                  "  localparam [5:0] COLUMN_OF_PLACE = {2'd1, 2'd0, 2'd2};  // columns from the left\n"));
  EXPECT_THAT(text, testing::HasSubstr(R"(
  // Two rows.
  genvar gi;
  genvar gj;
  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : rows

      // Three columns in each.
      for (gj = 0; gj < 3; gj = gj + 1) begin : places

        // One byte.
        stream_register buffer (
          .clk(clk),
          .rst(rst),
          .upstream_valid(valid[gi * 3 + gj]),
          .upstream_ready(ready[gi * 3 + gj]),
          .upstream_data(data[gi * 32 + gj * 8 +: 8]),
          .downstream_valid(held_valid[gi * 3 + gj]),
          .downstream_ready(1'd1),
          .downstream_data(held[gi * 24 + gj * 8 +: 8])
        );
      end
    end
  endgenerate
)"));
  EXPECT_THAT(text, testing::HasSubstr(
                        "      assign first[COLUMN_OF_PLACE[gi * 2 +: 2] * 8 +: 8] = data[gi * 8 +: 8];\n"));
}

struct Printed {
  const char* name;
  Module (*whole)();
  bool enabled;
};

class Tools : public testing::TestWithParam<Printed> {};

TEST_P(Tools, AreSilent) {
  const gen::TempDir work("print");
  const auto& [name, made, enabled] = GetParam();
  const Module whole = enabled ? rtl::enabled(made()) : made();
  const Module part = enabled ? rtl::enabled(stream_register()) : stream_register();
  const std::string top = (work / (whole.name() + ".v")).string(),
                    child = (work / (part.name() + ".v")).string();
  for (const std::uint32_t order : {0u, 1u}) {
    gen::write_file_atomically(top, gen::verilog(whole, order));
    gen::write_file_atomically(child, gen::verilog(part, order));
    const auto silent = [](std::vector<std::string> argv) {
      const gen::Finished done = gen::run({.argv = std::move(argv)});
      EXPECT_TRUE(done.ok());
      EXPECT_EQ(done.output, "");
    };
    silent({"verilator", "--lint-only", "-Wall", top, child});
    silent({"iverilog", "-g2005", "-Wall", "-o", "/dev/null", top, child});
    silent({"yosys", "-q", "-p",
            fmt::format("read_verilog {} {}; hierarchy -check -top {}; proc; check -assert", top, child,
                        whole.name())});
  }
}

INSTANTIATE_TEST_SUITE_P(Print, Tools,
                         testing::Values(Printed{"everything", everything, false},
                                         Printed{"everything_en", everything, true},
                                         Printed{"grid", grid, false}, Printed{"grid_en", grid, true}),
                         [](const auto& info) { return info.param.name; });
