// A technology's TOML file: what is read from it, and one clear line for each value that cannot be used.
#include "gen/tech/technology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/files.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string samples = verif::in_source("verif/area/samples/");

// What is said of the sample with one text in the place of another.
std::string complaint(const std::string& from, const std::string& to) {
  const verif::TempFolder folder;
  std::string text = gen::read_file(samples + "small.toml");
  const auto at = text.find(from);
  if (at == text.npos) return "no " + from;
  text.replace(at, from.size(), to);
  gen::write_file_atomically(folder.path("t.toml"), text);
  std::filesystem::copy_file(samples + "small_macros.lib", folder.path("small_macros.lib"));
  try {
    gen::read_technology(folder.path("t.toml"));
  } catch (const std::exception& e) {
    const std::string said = e.what();
    const std::string place = folder.path("");
    return said.starts_with(place) ? said.substr(place.size()) : said;
  }
  return "no complaint";
}

TEST(Technology, IsReadWithItsMacros) {
  const gen::Technology tech = gen::read_technology(samples + "small.toml");
  EXPECT_EQ(tech.name, "small");
  EXPECT_EQ(tech.supply, 1.0);
  EXPECT_EQ(tech.clock_ns, 5.0);
  EXPECT_EQ(tech.fallback, gen::RamFallback::flops);
  EXPECT_THAT(tech.cells, ElementsAre(samples + "small_gates.lib", samples + "small_states.lib"));
  ASSERT_EQ(tech.macros.size(), 2u);
  const gen::Macro& one = tech.macros[0];
  EXPECT_EQ(one.facts.area, 1000);
  EXPECT_DOUBLE_EQ(one.facts.access_ns, 0.75);
  EXPECT_DOUBLE_EQ(one.facts.setup_ns, 0.3);
  EXPECT_EQ(one.mask_bits, 1);
  EXPECT_EQ(one.pins->access, "!CEN");
  EXPECT_EQ(one.facts.pins.size(), 8u);
  EXPECT_EQ(one.facts.pins[4].name, "A");
  EXPECT_EQ(one.facts.pins[4].bits, 4);
  EXPECT_TRUE(tech.macros[1].reads_old);
  EXPECT_EQ(tech.files().size(), 5u);
}

TEST(Technology, SaysWhatCannotBeUsed) {
  EXPECT_EQ(complaint("name = \"small\"", ""), "t.toml: needs name = \"...\", what the technology is called");
  EXPECT_EQ(complaint("name", "nam"), "t.toml:2:1: nam: no such key of a technology; did you mean name?");
  EXPECT_EQ(complaint("\"flops\"", "\"flip\""),
            "t.toml:5:12: fallback = \"flip\": must be one of \"flops\", \"latches\", \"refuse\"");
  EXPECT_EQ(complaint("supply = 1.0", "supply = -1"),
            "t.toml:3:10: supply = -1: must be a number above 0, at most 100");
  EXPECT_EQ(complaint("clock_ns = 5", "clock_ns = nan"),
            "t.toml:4:12: clock_ns = nan: must be a number above 0, at most 1e+06");
  EXPECT_EQ(complaint("files = [\"small_gates.lib\", \"small_states.lib\"]", "files = []"),
            "t.toml:8:9: cells.files = []: must be a list of strings");
  EXPECT_EQ(complaint("words = 16", "words = \"16\""),
            "t.toml:13:9: words = \"16\": must be a whole number from 2 to 1048576");
  EXPECT_EQ(complaint("words = 16", "words = 17"),
            "t.toml:13:9: words = 17: its memory has addresses of 4 bits");
  EXPECT_EQ(complaint("bits = 8", "bits = 9"), "t.toml:14:8: bits = 9: its memory has words of 8 bits");
  EXPECT_EQ(complaint("bits = 8\n", ""), "t.toml:10:1: [[macro]] needs bits");
  EXPECT_EQ(complaint("ports = \"1rw\"", "ports = \"2rw\""),
            "t.toml:15:9: ports = \"2rw\": must be one of \"1rw\", \"1r1w\"");
  EXPECT_THAT(complaint("bits = 8", "bits = 8\nsize_um = [10, 99]"),
              testing::StartsWith("t.toml:15:11: size_um = [ 10, 99 ]: its area is 1000 um2 in "));
  EXPECT_EQ(complaint("mask_bits = 1", "mask_bits = 3"),
            "t.toml:16:13: mask_bits = 3: must divide its 8 bits");
  EXPECT_EQ(complaint("pins.mask = \"M\"", "pins.mask = \"BM\""),
            "t.toml:22:13: pins.mask = \"BM\": small_ram_16x8 has no pin BM");
  EXPECT_EQ(complaint("pins.mask", "pins.masks"),
            "t.toml:22:6: pins.masks: no such key of a technology; did you mean pins.mask?");
  EXPECT_EQ(complaint("pins.clock = \"CLK\"\n", ""),
            "t.toml:10:1: [[macro]] needs pins.clock, as it has pins");
  EXPECT_EQ(complaint("pins.address = \"A\"", "pins.address = \"CEN\""),
            "t.toml:20:16: pins.address = \"CEN\": the pin has 1 bits, and 4 are needed");
  EXPECT_EQ(complaint("cell = \"small_ram_8x20\"", "cell = \"small_ram_16x8\""),
            "t.toml:29:8: bits = 20: its memory has words of 8 bits");
  EXPECT_THAT(complaint("cell = \"small_ram_16x8\"", "cell = \"small\""),
              HasSubstr("small_macros.lib has no such cell, but small_ram_16x8"));
  EXPECT_THAT(complaint("liberty = \"small_macros.lib\"", "liberty = \"none.lib\""),
              HasSubstr("none.lib: No such file or directory"));
  EXPECT_THAT(complaint("[[macro]]", "[macro]"), HasSubstr("t.toml:25:1: not valid TOML: "));
}

}  // namespace
