#include "verif/formal/index_properties.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace verif {
namespace {

using hw::IndexKind;
using hw::IndexParams;

int log2(int power) { return std::countr_zero(static_cast<unsigned>(power)); }

struct Shape {
  explicit Shape(const IndexParams& p)
      : offset(log2(p.line_bytes)),
        block(p.address_bits - offset),
        set(log2(p.sets)),
        tag(reference_tag_bits(p)) {}
  int offset, block, set, tag;
};

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

std::uint32_t remainder(std::uint32_t dividend, std::uint32_t divisor) {
  while (std::bit_width(dividend) >= std::bit_width(divisor))
    dividend ^= divisor << (std::bit_width(dividend) - std::bit_width(divisor));
  return dividend;
}

bool is_irreducible(std::uint32_t poly) {
  for (std::uint32_t divisor = 2; 2 * std::bit_width(divisor) <= std::bit_width(poly) + 1; ++divisor)
    if (remainder(poly, divisor) == 0) return false;
  return true;
}

std::string serial_division(const IndexParams& p, const Shape& s) {
  const std::uint32_t low = reference_polynomial(p) & ~(1u << s.set);
  const std::string shifted =
      s.set == 1 ? "block_address[i]" : fmt::format("{{remainder[{}:0], block_address[i]}}", s.set - 2);
  return fmt::format(
      "  reg [{0}:0] remainder;\n"
      "  integer i;\n"
      "  always @* begin\n"
      "    remainder = {1}'d0;\n"
      "    for (i = {2}; i >= 0; i = i - 1)\n"
      "      remainder = {3} ^ ({1}'d{4} & {{{1}{{remainder[{0}]}}}});\n"
      "  end\n"
      "  assign set_index = remainder;\n",
      s.set - 1, s.set, s.block - 1, shifted, low);
}

// Byte-address bits of one index bit.
std::uint64_t address_mask(const IndexParams& p, const Shape& s, int bit) {
  const std::uint64_t own = std::uint64_t{1} << (s.offset + bit);
  switch (p.kind) {
    case IndexKind::cvi:
      return own;
    case IndexKind::bxi:
      return own | (s.offset + s.set + bit < p.address_bits ? own << s.set : 0);
    case IndexKind::rxi: {
      constexpr std::uint64_t one = 1;
      constexpr std::uint64_t equations[] = {one << 13 | one << 7, one << 14 | one << 8, one << 15 | one << 9,
                                             one << 17 | one << 10, one << 19 | one << 11};
      return equations[bit];
    }
    case IndexKind::lin:
      return p.taps.at(static_cast<size_t>(bit));
    default:
      throw std::logic_error("no mask of address bits for this unit");
  }
}

std::string parities(const IndexParams& p, const Shape& s) {
  std::string text =
      fmt::format("  wire [{}:0] address = {{block_address, {}'d0}};\n", p.address_bits - 1, s.offset);
  for (int bit = 0; bit < s.set; ++bit)
    text += fmt::format("  assign set_index[{}] = ^(address & {}'h{:x});\n", bit, p.address_bits,
                        address_mask(p, s, bit));
  return text;
}

// Registers that delay a value by the unit's latency; sets `name` to the last one.
std::string delay(std::string& name, int width, int latency) {
  std::string text;
  for (int stage = 1; stage <= latency; ++stage) {
    text += fmt::format("  reg [{0}:0] {1}_{2};\n  always @(posedge clk) {1}_{2} <= {3};\n", width - 1,
                        "delayed", stage, name);
    name = fmt::format("delayed_{}", stage);
  }
  return text;
}

// `started`: the unit's outputs belong to inputs that were given.
std::string start_up(int latency) {
  if (latency == 0) return "  wire started = 1'b1;\n";
  return fmt::format(
      "  reg [2:0] cycle;\n"
      "  initial cycle = 3'd0;\n"
      "  wire started = cycle == 3'd{0};\n"
      "  always @(posedge clk) if (!started) cycle <= cycle + 3'd1;\n",
      latency);
}

std::string instance(const IndexParams& p, const Shape& s, const std::string& unit, const std::string& input,
                     const std::string& suffix) {
  return fmt::format(
      "  wire [{}:0] set{};\n  wire [{}:0] tag{};\n"
      "  {} unit{} ({}.block_address({}), .set_index(set{}), .tag(tag{}));\n",
      s.set - 1, suffix, s.tag - 1, suffix, unit, suffix, p.latency > 0 ? ".clk(clk), " : "", input, suffix,
      suffix);
}

std::string clock_port(const IndexParams& p) { return p.latency > 0 ? "input clk, " : ""; }

Property property(const IndexParams& p, const std::string& top, std::vector<std::string> verilog) {
  return {.top = top, .verilog = std::move(verilog), .flush_cycles = p.latency > 0 ? p.latency : -1};
}

}  // namespace

int reference_tag_bits(const IndexParams& p) {
  const int block = p.address_bits - log2(p.line_bytes), set = log2(p.sets);
  if (p.kind != IndexKind::pri) return block - set;
  int prime = p.sets;
  while (!is_prime(prime)) --prime;
  return block - (std::bit_width(static_cast<unsigned>(prime)) - 1);
}

std::uint32_t reference_polynomial(const IndexParams& p) {
  if (p.poly != 0) return p.poly;
  if (p.sets == 2) return 3;  // x would do, but x + 1 is the spec's
  std::uint32_t poly = static_cast<std::uint32_t>(p.sets);
  while (!is_irreducible(poly)) ++poly;
  return poly;
}

std::string reference_module(const IndexParams& p, const std::string& name) {
  const Shape s(p);
  const std::string body = p.kind == IndexKind::pli ? serial_division(p, s) : parities(p, s);
  return fmt::format(
      "module {} (input [{}:0] block_address, output [{}:0] set_index, output [{}:0] tag);\n{}"
      "  assign tag = block_address >> {};\nendmodule\n",
      name, s.block - 1, s.set - 1, s.tag - 1, body, s.set);
}

Property equals_reference(const IndexParams& p, const std::string& unit, const std::string& unit_verilog) {
  const Shape s(p);
  std::string want = "{reference_set, reference_tag}";
  std::string text = fmt::format("module equals_reference ({}input [{}:0] block_address, output bad);\n",
                                 clock_port(p), s.block - 1);
  text += instance(p, s, unit, "block_address", "");
  text += fmt::format(
      "  wire [{}:0] reference_set;\n  wire [{}:0] reference_tag;\n"
      "  reference reference (.block_address(block_address), .set_index(reference_set), "
      ".tag(reference_tag));\n",
      s.set - 1, s.tag - 1);
  text += delay(want, s.set + s.tag, p.latency);
  text += start_up(p.latency);
  text += fmt::format("  assign bad = started && {{set, tag}} != {};\nendmodule\n", want);
  return property(p, "equals_reference", {unit_verilog, reference_module(p, "reference"), text});
}

Property names_one_block(const IndexParams& p, const std::string& unit, const std::string& unit_verilog) {
  const Shape s(p);
  std::string differ = "differ";
  std::string text = fmt::format("module names_one_block ({}input [{}:0] a, input [{}:0] b, output bad);\n",
                                 clock_port(p), s.block - 1, s.block - 1);
  text += instance(p, s, unit, "a", "_a") + instance(p, s, unit, "b", "_b");
  text += "  wire differ = a != b;\n";
  text += delay(differ, 1, p.latency);
  text += start_up(p.latency);
  text +=
      fmt::format("  assign bad = started && {} && set_a == set_b && tag_a == tag_b;\nendmodule\n", differ);
  return property(p, "names_one_block", {unit_verilog, text});
}

}  // namespace verif
