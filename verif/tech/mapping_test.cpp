// Arrays on macros: which macros, how many, the fallbacks, and the areas and paths that a hand can follow.
#include "gen/area/mapping.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/area/request.h"
#include "gen/config/error.h"
#include "hw/prim/sram.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;
using testing::Not;

gen::Technology small() { return gen::read_technology(verif::in_source("verif/area/samples/small.toml")); }

gen::StorageArray array(const std::string& module, int rows, int bits) {
  return {.name = "data", .module = module, .rows = rows, .row_bits = bits};
}

gen::MappedArray mapped(const gen::StorageArray& one, const gen::Technology& tech = small()) {
  return gen::map_arrays({one}, tech).arrays.at(0);
}

TEST(Mapping, WidensStacksAndCountsWhatIsUnused) {
  const auto wide = mapped(array("sram_1rw_12x20_no_change", 12, 20));
  ASSERT_TRUE(wide.macro);
  EXPECT_EQ(wide.macro->cell, "small_ram_16x8");
  EXPECT_EQ(wide.across, 3);
  EXPECT_EQ(wide.deep, 1);
  EXPECT_EQ(wide.macro_area(), 3000);
  EXPECT_DOUBLE_EQ(wide.used(), 240.0 / 384);
  const auto deep = mapped(array("sram_1rw_33x8_no_change_be", 33, 8));
  EXPECT_EQ(deep.across, 1);
  EXPECT_EQ(deep.deep, 3);
  const auto two = mapped(array("sram_1r1w_8x20_read_old", 8, 20));
  EXPECT_EQ(two.macro->cell, "small_ram_8x20");
  EXPECT_EQ(two.used(), 1);
}

TEST(Mapping, TakesTheLeastArea) {
  gen::Technology tech = small();
  gen::Macro wide = tech.macros[0];
  wide.cell = "wide";
  wide.bits = 32;
  wide.facts.area = 2999;
  tech.macros.push_back(wide);
  EXPECT_EQ(mapped(array("sram_1rw_16x24_no_change", 16, 24), tech).macro->cell, "wide");
  EXPECT_EQ(mapped(array("sram_1rw_16x16_no_change", 16, 16), tech).macro->cell, "small_ram_16x8");
  tech.macros[2].facts.area = 3000;  // a tie: the fewest macros
  EXPECT_EQ(mapped(array("sram_1rw_16x24_no_change", 16, 24), tech).macro->cell, "wide");
}

TEST(Mapping, FallsBackWhereNoMacroServes) {
  gen::Technology tech = small();
  tech.macros[1].reads_old = false;
  const auto tags = mapped(array("sram_1r1w_8x20_read_old", 8, 20), tech);
  EXPECT_FALSE(tags.macro);
  EXPECT_EQ(tags.fallback, gen::RamFallback::flops);
  tech.macros[0].mask_bits = 0;
  EXPECT_FALSE(mapped(array("sram_1rw_16x8_no_change_be", 16, 8), tech).macro);
  EXPECT_TRUE(mapped(array("sram_1rw_16x8_no_change", 16, 8), tech).macro);
  tech.macros.clear();
  tech.fallback = gen::RamFallback::outside;
  const auto mapping = gen::map_arrays(
      {array("sram_1rw_16x8_no_change", 16, 8), array("sram_1r1w_8x20_read_old", 8, 20)}, tech);
  EXPECT_EQ(mapping.bits_outside(gen::RamPorts::one_rw), 128);
  EXPECT_EQ(mapping.bits_outside(gen::RamPorts::one_r1w), 160);
  EXPECT_THAT(gen::mapping_table(mapping),
              HasSubstr("in no area: 128 bits of one port, 160 bits of a read and a write port\n"));
}

TEST(Mapping, RefusesWithTheNearestMacro) {
  gen::Technology tech = small();
  tech.path = "t.toml";
  tech.fallback = gen::RamFallback::refuse;
  tech.macros.pop_back();
  try {
    mapped(array("sram_1r1w_16x8_read_old", 16, 8), tech);
    FAIL() << "accepted";
  } catch (const gen::ConfigError& e) {
    EXPECT_STREQ(e.what(),
                 "t.toml: fallback = \"refuse\": no macro serves data, 16 rows of 8 bits, 1r1w; the nearest, "
                 "small_ram_16x8 (16 words of 8 bits, 1rw), has one port for both reads and writes");
  }
}

// By hand: three macros of 1,000 um^2; the path is the access of the macro and the driver behind it.
TEST(Mapping, AreaAndPathOfOneArray) {
  const gen::Technology tech = small();
  const gen::Liberty liberty = tech.liberty();
  const rtl::Module ram = hw::sram_1rw(12, 20);
  rtl::Module m("ram_user", "A RAM behind ports.");
  const auto access = m.input("access", 1, "reads or writes");
  const auto write = m.input("write", 1, "writes");
  const auto row = m.input("row", 4, "which row");
  const auto data = m.input("data", 20, "to write");
  const auto out = m.output("out", 20, "the row");
  m.instance(ram, "data_ram",
             {{"access", access}, {"write", write}, {"row", row}, {"write_data", data}, {"read_data", out}},
             "the storage");
  const auto mapping = gen::map_arrays(gen::storage_of(m), tech);
  EXPECT_EQ(mapping.macro_area(), 3000);
  gen::AreaRequest request = gen::area_request("ram_user", m, 0);
  gen::apply(mapping, request);
  EXPECT_THAT(request.black_boxes, testing::ElementsAre("small_ram_16x8"));
  const auto result = gen::synthesize(request, liberty);
  EXPECT_EQ(result.cells.at("small_ram_16x8"), 3);
  EXPECT_EQ(result.flops, 0);
  EXPECT_THAT(result.path_start, HasSubstr("data_ram.deep[0].across["));
  EXPECT_THAT(result.path_start, HasSubstr("small_ram_16x8_.Q["));
  EXPECT_GT(result.path_ns, 0.75);
  EXPECT_LT(result.path_ns, 0.80);
}

// The same array in flops and in latches: as many cells that store as it has bits, and the registers.
TEST(Mapping, FlopsAndLatchesOfOneArray) {
  gen::Technology tech = small();
  const gen::Liberty liberty = tech.liberty();
  tech.macros.clear();
  const rtl::Module ram = hw::sram_1r1w(4, 3);
  rtl::Module m("ram_user", "A RAM behind ports.");
  const auto read = m.input("read", 1, "reads");
  const auto read_row = m.input("read_row", 2, "which row");
  const auto out = m.output("out", 3, "the row");
  const auto write = m.input("write", 1, "writes");
  const auto write_row = m.input("write_row", 2, "which row");
  const auto data = m.input("data", 3, "to write");
  m.instance(ram, "tags",
             {{"read", read},
              {"read_row", read_row},
              {"read_data", out},
              {"write", write},
              {"write_row", write_row},
              {"write_data", data}},
             "the storage");
  const auto run = [&](gen::RamFallback fallback) {
    tech.fallback = fallback;
    gen::AreaRequest request = gen::area_request("ram_user", m, 0);
    gen::apply(gen::map_arrays(gen::storage_of(m), tech), request);
    EXPECT_TRUE(request.black_boxes.empty());
    return gen::synthesize(request, liberty);
  };
  const auto flops = run(gen::RamFallback::flops);
  EXPECT_EQ(flops.flops, 4 * 3 + 3);
  EXPECT_EQ(flops.latches, 0);
  const auto latches = run(gen::RamFallback::latches);
  EXPECT_EQ(latches.latches, 4 * 3);
  EXPECT_EQ(latches.flops, 3 + 3 + 4);  // the row read, the row written, which latches open
  EXPECT_GT(latches.path_ns, 0);
}

}  // namespace
