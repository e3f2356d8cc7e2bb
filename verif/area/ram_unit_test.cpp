// Units with RAMs: black boxes in the area flow, paths from and to them, storage by array, parts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/area/report.h"
#include "gen/area/request.h"
#include "gen/manifest.h"

namespace {

using rtl::Module;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Module ram(int rows, int bits) {
  Module m(fmt::format("sram_1rw_{}x{}_no_change", rows, bits), "One port; a write leaves the output.");
  const auto enable = m.input("enable", 1, "the row is read or written");
  const auto write = m.input("write", 1, "it is written");
  const auto row = m.input("row", rtl::clog2(static_cast<std::uint64_t>(rows)), "which");
  const auto write_data = m.input("write_data", bits, "its new value");
  const auto read_data = m.output("read_data", bits, "its value, from the next cycle on");
  const auto read_q = m.data_reg("read_q", bits, "the last row read");
  const auto array = m.mem("rows", rows, bits, "the storage");
  m.assign(read_data, read_q);
  m.clocked("One access a cycle.", [&] {
    m.when(enable & write, [&] { m.store(array, row, write_data); });
    m.when(enable & ~write, [&] { m.set(read_q, m.load(array, row)); });
  });
  return m;
}

// A bank: the row number goes through an inverter to the RAM, and through a flop what comes out.
Module bank(const Module& cells) {
  Module m("half_bank", "A RAM and its output register.");
  const auto write = m.input("write", 1, "write, else read");
  const auto row = m.input("row", 4, "complement of the row");
  const auto data = m.input("data", 8, "to be written");
  const auto out = m.output("out", 8, "two cycles after the row");
  const auto read = m.wire("read", 8, "from the RAM");
  const auto out_q = m.data_reg("out_q", 8, "output register");
  m.instance(cells, "cells",
             {{"enable", rtl::lit(1, 1)},
              {"write", write},
              {"row", ~row},
              {"write_data", data},
              {"read_data", read}},
             "the storage");
  m.clocked("Registers.", [&] { m.set(out_q, ~read); });
  m.assign(out, out_q);
  return m;
}

Module unit() {
  Module m("ram_unit", "Two banks in a loop and one RAM beside them.");
  const auto write = m.input("write", 1, "write, else read");
  const auto row = m.input("row", 4, "which row");
  const auto data = m.input("data", 16, "to be written");
  const auto out = m.output("out", 16, "the row");
  const auto parity = m.output("parity", 1, "over the small RAM's row");
  const Module cells = ram(16, 8), half = bank(cells);
  m.repeat("half", 2, "a bank a half", [&](const rtl::Expr& i) {
    m.instance(half, "bank",
               {{"write", write}, {"row", row}, {"data", data.part(i, 8)}, {"out", out.part(i, 8)}},
               "a half");
  });
  const auto marks = m.wire("marks_row", 4, "row of the small RAM");
  m.instance(
      ram(16, 4), "marks",
      {{"enable", rtl::lit(1, 1)}, {"write", write}, {"row", row}, {"write_data", row}, {"read_data", marks}},
      "beside the banks");
  m.assign(parity, rtl::parity(marks));
  return m;
}

const gen::Liberty& osu018() {
  static const gen::Liberty liberty = gen::default_liberty();
  return liberty;
}

TEST(RamUnit, StorageIsListedByInstance) {
  std::vector<std::string> found;
  for (const auto& a : gen::storage_of(unit()))
    found.push_back(fmt::format("{} {} {}x{} {}", a.name, a.module, a.rows, a.row_bits, a.bits()));
  EXPECT_THAT(found, ElementsAre("half[0].bank.cells sram_1rw_16x8_no_change 16x8 128",
                                 "half[1].bank.cells sram_1rw_16x8_no_change 16x8 128",
                                 "marks sram_1rw_16x4_no_change 16x4 64"));
}

TEST(RamUnit, RamsAreNoGatesAndTheirPinsEndPaths) {
  gen::AreaRequest q = gen::area_request("ram_unit", unit(), 0);
  EXPECT_THAT(q.black_boxes, ElementsAre("sram_1rw_16x8_no_change", "sram_1rw_16x4_no_change"));
  EXPECT_THAT(q.clocks, ElementsAre("clk"));
  const auto r = gen::synthesize(q, osu018());
  EXPECT_EQ(r.cells.at("sram_1rw_16x8_no_change"), 2);
  EXPECT_EQ(r.flops, 16);
  EXPECT_LT(r.gate_equivalents, 130);
  EXPECT_THAT(r.path_start, HasSubstr("marks.read_data["));
  EXPECT_EQ(r.path_end, "parity");
  q.ram_ns = 0.75;
  EXPECT_NEAR(gen::synthesize(q, osu018()).path_ns, r.path_ns + 0.75, 0.001);
}

// The way into a RAM counts, and its clock is no path.
TEST(RamUnit, PathsIntoRamsCount) {
  Module m("writer", "Writes the parity of a word.");
  const auto word = m.input("word", 64, "the word");
  const auto row = m.input("row", 4, "where to");
  const auto read = m.output("read", 4, "a row");
  m.instance(ram(16, 4), "marks",
             {{"enable", rtl::lit(1, 1)},
              {"write", rtl::parity(word)},
              {"row", row},
              {"write_data", row},
              {"read_data", read}},
             "the storage");
  const auto r = gen::synthesize(gen::area_request("writer", m, 0), osu018());
  EXPECT_EQ(r.path_end, "marks.write");
  EXPECT_THAT(r.path_start, HasSubstr("word["));
  EXPECT_GT(r.path_ns, 0.5);
}

TEST(RamUnit, PartsAddUp) {
  EXPECT_THAT(gen::part_modules(unit(), 0), IsEmpty());
  EXPECT_THAT(gen::part_modules(unit(), 1), ElementsAre("half_bank"));
  gen::AreaRequest q = gen::area_request("ram_unit", unit(), 0);
  const double flat = gen::synthesize(q, osu018()).gate_equivalents;
  q.keep = gen::part_modules(unit(), 2);
  const auto kept = gen::synthesize(q, osu018());
  const auto parts = gen::parts_of(unit(), kept, osu018().nand2_area());
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].name, "half[0].bank");
  EXPECT_EQ(parts[1].name, "half[1].bank");
  EXPECT_EQ(parts[2].name, "");
  EXPECT_EQ(parts[0].flops, 8);
  EXPECT_EQ(parts[2].flops, 0);
  EXPECT_NEAR(2 * parts[0].gate_equivalents + parts[2].gate_equivalents, flat, 0.1 * flat);
}

gen::AreaReport report() {
  const gen::AreaResult flat{
      .area = 2400, .gate_equivalents = 100, .cells = {{"NAND2X1", 100}}, .path_ns = 2};
  gen::AreaReport r{.library = "osu018",
                    .published = {{"other", 200, 2.5}},
                    .parts = {{"half[0].bank", 75, 8}, {"", 25, 0}},
                    .storage = gen::storage_of(unit()),
                    .accounts = {{"tag array", 128, {{"tag", 20}, {"valid", 1}, {"replacement", 2}}, true}}};
  r.figures = {{.name = "ram_unit", .orders = {flat}}};
  return r;
}

TEST(RamUnit, ReportSaysWhereGatesAndBitsAre) {
  gen::AreaReport r = report();
  const std::string table = area_table(r);
  EXPECT_THAT(table, HasSubstr("  published: other  200.0  4800  2.50  400      -      -\n"));
  EXPECT_THAT(table, HasSubstr("Parts of ram_unit, synthesized apart from each other: 100.0 GE together\n"
                               "part            GE   share  flops\n"
                               "half[0].bank  75.0  75.0 %      8\n"
                               "(top)         25.0  25.0 %      0\n"));
  EXPECT_THAT(table, HasSubstr("Storage in RAMs: 320 bits, black boxes that count in no gates."));
  EXPECT_THAT(table,
              HasSubstr("half[*].bank.cells      2       16 x 8          256  sram_1rw_16x8_no_change\n"));
  EXPECT_THAT(table, HasSubstr("tag array  2944  0.359  128 x (20 tag + 1 valid + 2 replacement)\n"));
  r.macro_areas = {{"sram_1rw_16x8_no_change", 1000}};
  EXPECT_THAT(area_table(r), HasSubstr("macros: 2000 um^2\n"));
  const auto json = area_json(r);
  EXPECT_EQ(json["parts"][0].dump(), R"({"name":"half[0].bank","gate_equivalents":75.0,"flops":8})");
  EXPECT_EQ(json["storage_bits"], 320);
  EXPECT_EQ(json["storage"][1]["area_um2"], 1000);
  EXPECT_EQ(json["macro_area_um2"], 2000);
  EXPECT_EQ(json["published"][0]["longest_path_ns"], 2.5);
  EXPECT_EQ(json["accounts"][0]["bits"], 2944);
}

TEST(RamUnit, ManifestListsEveryArray) {
  const gen::Unit u{.top = unit(), .storage = gen::storage_of(unit()), .accounts = report().accounts};
  gen::Config config = gen::load_config("index_cvi");
  const auto json = manifest(config, u, {"ram_unit.v"});
  EXPECT_EQ(json["storage_bits"], 320);
  EXPECT_EQ(
      json["storage"][0].dump(),
      R"({"name":"half[0].bank.cells","module":"sram_1rw_16x8_no_change","rows":16,"row_bits":8,"bits":128})");
  EXPECT_EQ(json["published_bits"], 2944);
  EXPECT_EQ(json["accounts"][0]["fields"].dump(), R"({"tag":20,"valid":1,"replacement":2})");
}

}  // namespace
