// RAM wrappers on FPGAs: which RAM each family's flow infers for each shape.
#include "gen/area/fpga.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/prim/sram.h"

namespace {

// One of each kind behind ports.
gen::Unit rams() {
  rtl::Module m("rams", "RAMs behind ports.");
  const auto a = m.input("a", 1, "access or read");
  const auto write = m.input("write", 1, "a write");
  const auto row = m.input("row", 9, "which row");
  const auto data = m.input("data", 32, "to write");
  const auto bytes = m.input("bytes", 4, "which bytes");
  const auto one = m.output("one", 32, "a row");
  const auto masked = m.output("masked", 32, "a row");
  const auto tags = m.output("tags", 20, "a row");
  const auto deep = m.output("deep", 18, "a row");
  m.instance(hw::sram_1rw(512, 32), "one_ram",
             {{"access", a}, {"write", write}, {"row", row}, {"write_data", data}, {"read_data", one}},
             "RAM");
  m.instance(hw::sram_1rw_bytes(512, 32), "masked_ram",
             {{"access", a},
              {"write", write},
              {"byte_enable", bytes},
              {"row", row},
              {"write_data", data},
              {"read_data", masked}},
             "RAM");
  const auto two = [&](const rtl::Module& ram, const std::string& name, int row_bits, int bits,
                       const rtl::Expr& out) {
    m.instance(ram, name,
               {{"read", a},
                {"read_row", row.slice(row_bits - 1, 0)},
                {"read_data", out},
                {"write", write},
                {"write_row", row.slice(row_bits - 1, 0)},
                {"write_data", data.slice(bits - 1, 0)}},
               "RAM");
  };
  two(hw::sram_1r1w(32, 20), "tag_ram", 5, 20, tags);
  two(hw::sram_1r1w(512, 18), "deep_ram", 9, 18, deep);
  return {.top = m, .storage = gen::storage_of(m)};
}

std::string kinds(const gen::FpgaResult& result) {
  std::string text;
  for (const gen::FpgaArray& array : result.arrays)
    text += fmt::format("{} {} {}; ", array.one.module, array.kind(),
                        array.cells.block_rams + array.cells.distributed_rams);
  return text;
}

TEST(Fpga, InfersRamsByShape) {
  const gen::Unit unit = rams();
  const auto xilinx = gen::fpga(unit, "xilinx7");
  EXPECT_EQ(kinds(xilinx),
            "sram_1rw_512x32_no_change block 1; sram_1rw_512x32_no_change_be block 1; "
            "sram_1r1w_32x20_read_old distributed 4; sram_1r1w_512x18_read_old block 1; ");
  EXPECT_EQ(kinds(gen::fpga(unit, "ecp5")),
            "sram_1rw_512x32_no_change block 1; sram_1rw_512x32_no_change_be block 1; "
            "sram_1r1w_32x20_read_old distributed 10; sram_1r1w_512x18_read_old block 1; ");
  EXPECT_EQ(kinds(gen::fpga(unit, "ice40")),
            "sram_1rw_512x32_no_change block 4; sram_1rw_512x32_no_change_be block 4; "
            "sram_1r1w_32x20_read_old block 2; sram_1r1w_512x18_read_old block 3; ");
  EXPECT_EQ(xilinx.logic.luts, 0);
}

// A module that is there three times counts three times.
TEST(Fpga, CountsEachInstance) {
  rtl::Module part("part", "A register.");
  const auto kept = part.reg("kept_q", 8, 0, "what came in");
  const auto in = part.input("in", 8, "in");
  part.clocked("Keep it.", [&] { part.set(kept, in); });
  part.assign(part.output("out", 8, "out"), kept);
  rtl::Module top("three", "Three registers.");
  const auto data = top.input("data", 24, "in");
  std::vector<rtl::Expr> out;
  for (int n = 2; n >= 0; --n) {
    const auto wire = top.wire(fmt::format("out{}", n), 8, "out of one");
    top.instance(part, fmt::format("part{}", n), {{"in", data.slice(8 * n + 7, 8 * n)}, {"out", wire}},
                 "one");
    out.push_back(wire);
  }
  top.assign(top.output("all", 24, "out"), rtl::cat(out));
  const gen::Unit unit{.top = top};
  for (const std::string& family : gen::fpga_families())
    EXPECT_EQ(gen::fpga(unit, family).logic.flops, 24) << family;
}

TEST(Fpga, CountsCellsByKind) {
  const auto cells = gen::fpga_cells({{"LUT6", 3},
                                      {"MUXF7", 2},
                                      {"FDRE", 5},
                                      {"CARRY4", 7},
                                      {"RAMB36E1", 1},
                                      {"RAMB18E1", 2},
                                      {"RAM32M", 4},
                                      {"SB_DFFE", 1},
                                      {"SB_LUT4", 1},
                                      {"TRELLIS_DPR16X4", 1}});
  EXPECT_EQ(cells.luts, 4);
  EXPECT_EQ(cells.flops, 6);
  EXPECT_EQ(cells.carries, 7);
  EXPECT_EQ(cells.block_rams, 3);
  EXPECT_EQ(cells.distributed_rams, 5);
}

}  // namespace
