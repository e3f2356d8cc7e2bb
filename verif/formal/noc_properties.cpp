#include "verif/formal/noc_properties.h"

#include <fmt/format.h>

#include <functional>

namespace verif {
namespace {

std::string arbiter(int inputs, const std::string& unit) {
  return fmt::format(
      "  wire [{0}:0] grant;\n"
      "  {1} unit (.clk(clk), .rst(rst), .request(request), .advance(advance), .grant(grant));\n",
      inputs - 1, unit);
}

std::string ports(int inputs) {
  return fmt::format("(input clk, input rst, input [{}:0] request, input advance, output bad);\n",
                     inputs - 1);
}

// A grant is alone when no two of its bits are 1; `clash` says which two may not meet.
std::string pairs(int bits, const std::function<bool(int, int)>& clash) {
  std::string text = "1'b0";
  for (int a = 0; a < bits; ++a)
    for (int b = a + 1; b < bits; ++b)
      if (clash(a, b)) text += fmt::format(" | (grant[{}] & grant[{}])", a, b);
  return text;
}

}  // namespace

Property one_grant(int inputs, const std::string& unit, const std::string& unit_verilog) {
  const std::string text = fmt::format(
      "module one_grant {}{}  assign bad = {} | (|(grant & ~request)) | ((|request) & "
      "~(|grant));\nendmodule\n",
      ports(inputs), arbiter(inputs, unit), pairs(inputs, [](int, int) { return true; }));
  return {.top = "one_grant", .verilog = {unit_verilog, text}};
}

Property bounded_wait(int inputs, int watched, const std::string& unit, const std::string& unit_verilog) {
  const std::string text = fmt::format(
      "module bounded_wait {0}{1}"
      "  reg [7:0] passed;\n"
      "  initial passed = 8'd0;\n"
      "  always @(posedge clk)\n"
      "    if (rst | ~request[{2}] | grant[{2}]) passed <= 8'd0;\n"
      "    else if (advance) passed <= passed + 8'd1;\n"
      "  assign bad = passed >= 8'd{3};\nendmodule\n",
      ports(inputs), arbiter(inputs, unit), watched, inputs);
  return {.top = "bounded_wait", .verilog = {unit_verilog, text}};
}

Property one_partner(int inputs, int outputs, const std::string& unit,
                     std::vector<std::string> unit_verilog) {
  const int bits = inputs * outputs;
  const auto clash = [&](int a, int b) { return a / outputs == b / outputs || a % outputs == b % outputs; };
  unit_verilog.push_back(
      fmt::format("module one_partner (input clk, input rst, input [{0}:0] request, output bad);\n"
                  "  wire [{0}:0] grant;\n"
                  "  {1} unit (.clk(clk), .rst(rst), .request(request), .grant(grant));\n"
                  "  assign bad = {2} | (|(grant & ~request)) | ((|request) & ~(|grant));\nendmodule\n",
                  bits - 1, unit, pairs(bits, clash)));
  return {.top = "one_partner", .verilog = std::move(unit_verilog)};
}

Property all_served(int inputs, int outputs, int watched, int cycles, const std::string& unit,
                    std::vector<std::string> unit_verilog) {
  unit_verilog.push_back(
      fmt::format("module all_served (input clk, input rst, input [{0}:0] asks, output bad);\n"
                  "  reg [{0}:0] stands;\n"
                  "  reg [7:0] waited;\n"
                  "  initial begin stands = 0; waited = 8'd0; end\n"
                  "  wire [{0}:0] request = stands | asks;\n"
                  "  wire [{0}:0] grant;\n"
                  "  {1} unit (.clk(clk), .rst(rst), .request(request), .grant(grant));\n"
                  "  always @(posedge clk) begin\n"
                  "    stands <= rst ? 0 : request & ~grant;\n"
                  "    if (rst | ~request[{2}] | grant[{2}]) waited <= 8'd0;\n"
                  "    else waited <= waited + 8'd1;\n"
                  "  end\n"
                  "  assign bad = waited >= 8'd{3};\nendmodule\n",
                  inputs * outputs - 1, unit, watched, cycles));
  return {.top = "all_served", .verilog = std::move(unit_verilog)};
}

}  // namespace verif
