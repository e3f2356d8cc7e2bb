#include "gen/area/references.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace gen {
namespace {

// The module around statements that set `index`, with the output registers.
std::string module_text(const ReferenceShape& s, std::vector<std::string> statements, std::uint32_t order) {
  const bool clocked = s.latency > 0;
  std::string text = fmt::format("module {} (\n{}  input  [{}:0] block_address,\n", s.name,
                                 clocked ? "  input  clk,\n" : "", s.block_address_bits - 1);
  text +=
      fmt::format("  output [{}:0] set_index,\n  output [{}:0] tag\n);\n", s.index_bits - 1, s.tag_bits - 1);
  text += fmt::format("  wire [{}:0] index;\n", s.index_bits - 1);

  std::string index = "index", moves;
  std::string tag =
      fmt::format("block_address[{}:{}]", s.block_address_bits - 1, s.block_address_bits - s.tag_bits);
  for (int stage = 1; stage <= s.latency; ++stage) {
    text += fmt::format("  reg [{}:0] index{}_q;\n  reg [{}:0] tag{}_q;\n", s.index_bits - 1, stage,
                        s.tag_bits - 1, stage);
    moves += fmt::format("    index{0}_q <= {1};\n    tag{0}_q <= {2};\n", stage, index, tag);
    index = fmt::format("index{}_q", stage);
    tag = fmt::format("tag{}_q", stage);
  }
  if (clocked) statements.push_back(fmt::format("  always @(posedge clk) begin\n{}  end\n", moves));
  statements.push_back(fmt::format("  assign set_index = {};\n", index));
  statements.push_back(fmt::format("  assign tag = {};\n", tag));
  std::mt19937 draw(order);
  for (std::size_t i = order == 0 ? 0 : statements.size(); i > 1; --i)
    std::swap(statements[i - 1], statements[draw() % i]);
  for (const std::string& statement : statements) text += statement;
  return text + "endmodule\n";
}

}  // namespace

std::string modulo_reference(const ReferenceShape& shape, std::uint32_t modulus, std::uint32_t order) {
  return module_text(shape, {fmt::format("  assign index = block_address % {};\n", modulus)}, order);
}

std::string unfactored_reference(const ReferenceShape& shape, const std::vector<std::uint64_t>& taps,
                                 std::uint32_t order) {
  std::vector<std::string> statements;
  for (int i = 0; i < shape.index_bits; ++i) {
    std::string sum;
    for (int bit = 0; bit < shape.block_address_bits; ++bit)
      if (taps.at(static_cast<size_t>(i)) >> bit & 1)
        sum += fmt::format("{}block_address[{}]", sum.empty() ? "" : " ^ ", bit);
    if (sum.empty()) sum = "1'b0";
    statements.push_back(fmt::format("  assign index[{}] = {};\n", i, sum));
  }
  return module_text(shape, statements, order);
}

}  // namespace gen
