#include "verif/formal/crossing_properties.h"

#include <fmt/format.h>

#include <stdexcept>

namespace verif {
namespace {

// {0}: bits of a number of words, {1} and {2}: when the sides have an edge, {3}: entries, {4}: what is wrong,
// {5}: the unit.
constexpr const char* harness = R"(
module crossing_property (input clk, input send, input take, input mark, output bad);
  reg slow;
  initial slow = 1'b0;
  always @(posedge clk) slow <= ~slow;
  reg started;
  initial started = 1'b0;
  always @(posedge clk) if (slow) started <= 1'b1;
  wire in_ready, out_valid, out_data;
  wire enters = started & {1} & send & in_ready, leaves = started & {2} & take & out_valid;
  reg [{0}:0] held, ahead;
  reg marked, gone;
  reg [2:0] stuck;
  initial held = 0;
  initial ahead = 0;
  initial marked = 0;
  initial gone = 0;
  initial stuck = 0;
  wire marks = mark & ~marked;
  wire turn = marked & ~gone & ahead == 0;
  always @(posedge clk) begin
    held <= held + enters - leaves;
    if (enters & marks) marked <= 1'b1;
    if (leaves & turn) gone <= 1'b1;
    if (~marked) ahead <= held - leaves;
    else if (leaves & ahead != 0) ahead <= ahead - 1'b1;
    if (~started | ((held == 0 | out_valid) & (held == {3} | in_ready))) stuck <= 3'd0;
    else if (stuck != 3'd7) stuck <= stuck + 3'd1;
  end
  assign bad = started & ({4});
  {5} unit (.clk(slow), .rst(~started), .clk_noc1(clk), .in_valid(started & send), .in_ready(in_ready),
    .in_data(marks), .out_valid(out_valid), .out_ready(take), .out_data(out_data));
endmodule
)";

std::string on_one_clock(std::string verilog) {
  const std::string from = "always @(posedge clk) begin", to = "always @(posedge clk_noc1) if (clk) begin";
  std::size_t blocks = 0;
  for (std::size_t at = 0; (at = verilog.find(from, at)) != std::string::npos; at += to.size(), ++blocks)
    verilog.replace(at, from.size(), to);
  if (blocks == 0) throw std::runtime_error("a FIFO between clocks without a block on clk");
  return verilog;
}

}  // namespace

Property crossing_property(CrossingClaim claim, int entries, bool to_fast, const std::string& unit,
                           std::string unit_verilog) {
  int bits = 1;
  while (1 << bits <= entries) ++bits;
  const std::string bad = claim == CrossingClaim::order     ? "out_valid & (held == 0 | out_data != turn)"
                          : claim == CrossingClaim::bounded ? fmt::format("held > {}", entries)
                                                            : "stuck > 3'd4";
  const std::string slow = "slow", always = "1'b1";
  return {.top = "crossing_property",
          .verilog = {on_one_clock(std::move(unit_verilog)),
                      fmt::format(fmt::runtime(harness), bits - 1, to_fast ? slow : always,
                                  to_fast ? always : slow, entries, bad, unit)}};
}

}  // namespace verif
