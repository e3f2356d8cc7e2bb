#include "gen/area/mapped_ram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "gen/tech/macro_verilog.h"

namespace gen {
namespace {

// The header of the wrapper, up to the end of its ports.
std::string_view header_of(std::string_view wrapper) {
  constexpr std::string_view end = "\n);\n";
  return wrapper.substr(0, wrapper.find(end) + end.size());
}

// `name` as a pin, and the signal that makes it mean what its role says.
struct Connection {
  std::string pin, signal;
};

Connection connected(std::string pin, std::string signal) {
  const bool low = pin.starts_with('!');
  if (low) pin.erase(0, 1);
  return {pin, low ? fmt::format("~({})", signal) : signal};
}

// Which row of macros an address selects, and the address within it.
struct Stack {
  int deep = 1, address_bits = 1, row_bits = 1, words_bits = 1;

  std::string within(const std::string& row) const {
    const int used = std::min(words_bits, row_bits);
    const std::string low = used == row_bits ? row : fmt::format("{}[{}:0]", row, used - 1);
    if (address_bits == used) return low;
    return fmt::format("{{{}'d0, {}}}", address_bits - used, low);
  }
  std::string selects(const std::string& row) const {
    return fmt::format("{}[{}:{}]", row, row_bits - 1, words_bits);
  }
};

Stack stack_of(const MappedArray& array) {
  Stack stack{
      .deep = array.deep,
      .address_bits = address_bits(array.macro->words),
      .row_bits = address_bits(array.one.rows),
      .words_bits = array.deep == 1
                        ? address_bits(array.macro->words)
                        : address_bits(static_cast<int>(std::bit_floor(unsigned(array.macro->words))))};
  const std::string address = pins_of(*array.macro).address;
  for (const MacroPin& pin : array.macro->facts.pins)
    if (pin.name == address || "!" + pin.name == address) stack.address_bits = pin.bits;
  return stack;
}

// The instance in column `c` of stack row `d`, a line a pin.
std::string instance(const MappedArray& array, const Stack& stack) {
  const Macro& macro = *array.macro;
  const MacroPins pins = pins_of(macro);
  const ArrayNeed need = need_of(array.one.module);
  const bool two = need.ports == RamPorts::one_r1w;
  const std::string slice = fmt::format("{0} * c +: {0}", macro.bits);
  const auto only = [&](const std::string& enable, const std::string& row) {
    return stack.deep == 1 ? enable : fmt::format("{} & ({} == d)", enable, stack.selects(row));
  };
  std::vector<Connection> list = {connected(pins.clock, "clk")};
  const auto add = [&](const std::string& pin, const std::string& signal) {
    if (!pin.empty()) list.push_back(connected(pin, signal));
  };
  if (two) {
    add(pins.read, only("read", "read_row"));
    add(pins.write, only("write", "write_row"));
    add(pins.address, stack.within("read_row"));
    add(pins.write_address, stack.within("write_row"));
  } else {
    add(pins.access, only("access", "row"));
    add(pins.write, pins.access.empty() ? only("access & write", "row") : "write");
    add(pins.read, pins.access.empty() ? only("access & ~write", "row") : "~write");
    add(pins.address, stack.within("row"));
  }
  add(pins.data_in, fmt::format("data_in[{}]", slice));
  if (macro.mask_bits > 0)
    add(pins.mask, need.byte_bits ? fmt::format("mask[{0} * c +: {0}]", macro.bits / macro.mask_bits)
                                  : fmt::format("{{{}{{1'b1}}}}", macro.bits / macro.mask_bits));
  add(pins.data_out, fmt::format("data_out[{} * (d * {} + c) +: {}]", macro.bits, array.across, macro.bits));
  if (macro.pins)
    for (const MacroPin& pin : macro.facts.pins) {
      if (!pin.is_input || std::ranges::find(list, pin.name, &Connection::pin) != list.end()) continue;
      const bool high = std::ranges::find(pins.high, pin.name) != pins.high.end();
      list.push_back({pin.name, fmt::format("{{{}{{1'b{}}}}}", pin.bits, high ? 1 : 0)});
    }
  std::string text;
  for (const Connection& c : list)
    text += fmt::format("{}        .{}({})", text.empty() ? "" : ",\n", c.pin, c.signal);
  return text;
}

std::string padded(const std::string& signal, int bits, int wide) {
  return bits == wide ? signal : fmt::format("{{{}'d0, {}}}", wide - bits, signal);
}

// A bit of the mask for each `mask_bits` bits of the row.
std::string mask_wire(const MappedArray& array, int wide) {
  const int each = array.macro->mask_bits, bits = wide / each,
            times = need_of(array.one.module).byte_bits / each;
  const int used = array.one.row_bits / each;
  std::string text =
      fmt::format("  reg [{}:0] mask;  // bits of the mask of all macros\n  integer b;\n", bits - 1);
  text += fmt::format(
      "\n  always @* begin\n    mask = {}'d0;\n    for (b = 0; b < {}; b = b + 1) begin\n"
      "      mask[b] = byte_enable[b / {}];\n    end\n  end\n",
      bits, used, times);
  return text;
}

std::string macro_body(const MappedArray& array) {
  const Stack stack = stack_of(array);
  const ArrayNeed need = need_of(array.one.module);
  const bool two = need.ports == RamPorts::one_r1w;
  const int wide = array.across * array.macro->bits;
  const std::string row = two ? "read_row" : "row", reads = two ? "read" : "access & ~write";
  std::string text = fmt::format("\n  wire [{}:0] data_in;  // the row as wide as its macros\n", wide - 1);
  text += fmt::format("  wire [{}:0] data_out;  // of all macros\n", array.deep * wide - 1);
  if (need.byte_bits) text += mask_wire(array, wide);
  text += fmt::format("\n  assign data_in = {};\n", padded("write_data", array.one.row_bits, wide));
  if (array.deep == 1) {
    text += fmt::format("  assign read_data = data_out[{}:0];\n", array.one.row_bits - 1);
    if (wide > array.one.row_bits)
      text += fmt::format(
          "\n  wire unused_data;  // of the macros' bits behind the row\n"
          "  assign unused_data = ^data_out[{}:{}];\n",
          wide - 1, array.one.row_bits);
  } else {
    const int select = stack.row_bits - stack.words_bits;
    text += fmt::format(
        "\n  // The macros that were read last drive the output.\n"
        "  reg [{}:0] read_q;\n  always @(posedge clk) begin\n    if ({}) begin\n      read_q <= {};\n"
        "    end\n  end\n  assign read_data = data_out[read_q * {} +: {}];\n",
        select - 1, reads, stack.selects(row), wide, array.one.row_bits);
  }
  text += fmt::format(
      "\n  genvar d, c;\n  generate\n    for (d = 0; d < {}; d = d + 1) begin : deep\n"
      "      for (c = 0; c < {}; c = c + 1) begin : across\n      {} {} (\n{}\n      );\n"
      "      end\n    end\n  endgenerate\n\n",
      array.deep, array.across, array.macro->cell, array.macro->cell + "_", instance(array, stack));
  return text;
}

// A row of latches that open in the second half of the cycle behind a write: its data and the choice of the
// row are registered, so that neither changes while a latch is open.
std::string latch_body(const MappedArray& array) {
  const bool two = need_of(array.one.module).ports == RamPorts::one_r1w;
  const int byte_bits = need_of(array.one.module).byte_bits;
  const int rows = array.one.rows, bits = array.one.row_bits, lanes = byte_bits ? bits / byte_bits : 1;
  const int lane_bits = bits / lanes;
  return fmt::format(
      "\n  reg [{last}:0] data_q;  // the row written last\n"
      "  reg [{opens}:0] open_q;  // latches that take it in the second half of the cycle\n"
      "  reg [{last}:0] read_data_q;  // the row read last\n"
      "  wire [{all}:0] rows;  // in latches, the first row lowest\n"
      "  integer i;\n\n"
      "  assign read_data = read_data_q;\n\n"
      "  always @(posedge clk) begin\n"
      "    if ({writes}) begin\n      data_q <= write_data;\n    end\n"
      "    for (i = 0; i < {count}; i = i + 1) begin\n"
      "      open_q[i] <= {writes} & ({write_row} == i / {lanes}){enable};\n    end\n"
      "    if ({reads}) begin\n      read_data_q <= rows[{read_row} * {bits} +: {bits}];\n    end\n  end\n\n"
      "  genvar r, l;\n  generate\n"
      "    for (r = 0; r < {rows}; r = r + 1) begin : row_latches\n"
      "      for (l = 0; l < {lanes}; l = l + 1) begin : lane\n"
      "        reg [{lane_last}:0] value;\n"
      "        always @* begin\n          if (open_q[r * {lanes} + l] & ~clk) begin\n"
      "            value = data_q[l * {lane} +: {lane}];\n          end\n        end\n"
      "        assign rows[(r * {lanes} + l) * {lane} +: {lane}] = value;\n"
      "      end\n    end\n  endgenerate\n\n",
      fmt::arg("last", bits - 1), fmt::arg("opens", rows * lanes - 1), fmt::arg("all", rows * bits - 1),
      fmt::arg("bits", bits), fmt::arg("writes", two ? "write" : "access & write"),
      fmt::arg("count", rows * lanes), fmt::arg("write_row", two ? "write_row" : "row"),
      fmt::arg("lanes", lanes),
      fmt::arg("enable", byte_bits ? fmt::format(" & byte_enable[i % {}]", lanes) : ""),
      fmt::arg("reads", two ? "read" : "access & ~write"), fmt::arg("read_row", two ? "read_row" : "row"),
      fmt::arg("rows", rows), fmt::arg("lane", lane_bits), fmt::arg("lane_last", lane_bits - 1));
}

}  // namespace

std::string mapped_wrapper(std::string_view wrapper, const MappedArray& array) {
  if (!array.macro && array.fallback != RamFallback::latches) return std::string(wrapper);
  return fmt::format("{}{}endmodule\n\n`default_nettype wire\n", header_of(wrapper),
                     array.macro ? macro_body(array) : latch_body(array));
}

}  // namespace gen
