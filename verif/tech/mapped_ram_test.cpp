// RAM wrappers on macros and in latches against the wrappers' own bodies, cycle by cycle, by Icarus: all
// inputs random, and the output compared in every cycle.
#include "gen/area/mapped_ram.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/tech/macro_verilog.h"
#include "hw/prim/sram.h"
#include "verif/icarus.h"
#include "verif/tree.h"

namespace {

gen::Technology small() { return gen::read_technology(verif::in_source("verif/area/samples/small.toml")); }

struct Shape {
  rtl::Module ram;
  int rows, bits;
};

// Every row is written first, since it is unknown until then.
std::string bench(const Shape& shape) {
  const std::string name = shape.ram.name();
  const bool two = gen::need_of(name).ports == gen::RamPorts::one_r1w, bytes = name.ends_with("_be");
  const int row_bits = gen::address_bits(shape.rows);
  const std::string shared =
      two ? ".read(a), .read_row(row), .write(write), .write_row(other), .write_data(data)"
          : fmt::format(".access(a), .write(write), .row(row), .write_data(data){}",
                        bytes ? ", .byte_enable(bytes)" : "");
  return fmt::format(
      "module bench;\n"
      "  reg clk, a, write;\n  reg [{0}:0] row, other;\n  reg [{1}:0] data;\n  reg [{2}:0] bytes;\n"
      "  wire [{1}:0] own_data, mapped_data;\n  integer i, faults, changes;\n  reg [{1}:0] last;\n"
      "  {3} own (.clk(clk), .read_data(own_data), {4});\n"
      "  mapped_{3} mapped (.clk(clk), .read_data(mapped_data), {4});\n"
      "  initial begin\n    faults = 0;\n    changes = 0;\n    clk = 0;\n"
      "    for (i = 0; i < 4000; i = i + 1) begin\n"
      "      a = i < {5} ? {6} : $random;\n      write = i < {5} ? 1 : $random;\n"
      "      row = i < {5} ? i : $unsigned($random) % {5};\n"
      "      other = i < {5} ? i : $unsigned($random) % {5};\n"
      "      data = {{{7}{{$random}}}};\n      bytes = i < {5} ? ~0 : $random;\n"
      "      #1 clk = 1;\n      #1 if (i > 2 * {5} && mapped_data !== own_data) faults = faults + 1;\n"
      "      if (own_data !== last) changes = changes + 1;\n      last = own_data;\n"
      "      clk = 0;\n      #1 if (i > 2 * {5} && mapped_data !== own_data) faults = faults + 1;\n"
      "    end\n    $display(\"%0d faults, %0d\", faults, changes > 800);\n    $finish;\n  end\nendmodule\n",
      row_bits - 1, shape.bits - 1, std::max(shape.bits / 8, 1) - 1, name, shared, shape.rows, two ? 0 : 1,
      shape.bits / 32 + 1);
}

// Beside the wrapper, the same with a mapped body, called mapped_ before its name.
std::map<std::string, std::string> modules(const Shape& shape, const gen::Technology& tech) {
  const std::string name = shape.ram.name(), own = gen::verilog(shape.ram);
  const auto array =
      gen::map_arrays({{.name = "a", .module = name, .rows = shape.rows, .row_bits = shape.bits}}, tech)
          .arrays.at(0);
  std::string mapped = gen::mapped_wrapper(own, array);
  mapped.replace(mapped.find("\nmodule ") + 8, 0, "mapped_");
  std::map<std::string, std::string> all = {{name, own}, {"mapped", mapped}};
  if (array.macro) all["macro"] = gen::macro_model(*array.macro);
  return all;
}

std::string run(const Shape& shape, const gen::Technology& tech) {
  return verif::simulated(modules(shape, tech), bench(shape));
}

// One macro, several side by side with unused bits, stacked by powers of two and not, and with unused rows.
TEST(MappedRam, MacrosOfOnePortKeepStep) {
  for (const auto& [rows, bits] : {std::pair{16, 8}, {12, 20}, {48, 12}, {64, 8}})
    EXPECT_EQ(run({hw::sram_1rw(rows, bits), rows, bits}, small()), "0 faults, 1\n") << rows << " x " << bits;
}

TEST(MappedRam, MasksKeepStep) {
  EXPECT_EQ(run({hw::sram_1rw_bytes(24, 16), 24, 16}, small()), "0 faults, 1\n");
  gen::Technology tech = small();
  tech.macros[0].mask_bits = 8;  // one bit of the mask
  tech.macros[0].pins.reset();
  EXPECT_EQ(run({hw::sram_1rw_bytes(24, 16), 24, 16}, tech), "0 faults, 1\n");
}

TEST(MappedRam, MacrosOfTwoPortsKeepStep) {
  for (const auto& [rows, bits] : {std::pair{8, 20}, {20, 33}})
    EXPECT_EQ(run({hw::sram_1r1w(rows, bits), rows, bits}, small()), "0 faults, 1\n")
        << rows << " x " << bits;
}

TEST(MappedRam, LatchesKeepStep) {
  gen::Technology tech = small();
  tech.macros.clear();
  tech.fallback = gen::RamFallback::latches;
  EXPECT_EQ(run({hw::sram_1rw(5, 12), 5, 12}, tech), "0 faults, 1\n");
  EXPECT_EQ(run({hw::sram_1rw_bytes(8, 16), 8, 16}, tech), "0 faults, 1\n");
  EXPECT_EQ(run({hw::sram_1r1w(6, 10), 6, 10}, tech), "0 faults, 1\n");
}

// A macro whose write pin has the wrong sense, and one that reads what is written: both are seen.
TEST(MappedRam, FaultsAreSeen) {
  const Shape shape{hw::sram_1rw(16, 8), 16, 8};
  for (const auto& [from, to] : {std::pair<std::string, std::string>{".WEN(~(write))", ".WEN(write)"},
                                 {".M({8{1'b1}})", ".M(8'h7f)"}}) {
    auto broken = modules(shape, small());
    std::string& text = broken["mapped"];
    ASSERT_NE(text.find(from), text.npos) << text;
    text.replace(text.find(from), from.size(), to);
    EXPECT_THAT(verif::simulated(broken, bench(shape)), testing::Not(testing::StartsWith("0 faults")));
  }
}

}  // namespace
