// Storage of the L1 data cache: every array behind a wrapper, and the accounts of the papers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gen/config/config.h"
#include "gen/generate.h"
#include "gen/print_verilog.h"
#include "gen/unit/unit.h"

namespace {

using testing::HasSubstr;
using testing::Not;

gen::Unit unit(const std::string& preset, const std::vector<std::string>& settings = {}) {
  return gen::elaborate(gen::load_config(preset, settings));
}

std::int64_t published(const gen::Unit& u) {
  std::int64_t bits = 0;
  for (const auto& a : u.accounts) bits += a.published ? a.bits() : 0;
  return bits;
}

std::int64_t bits(const gen::Unit& u, const std::string& account) {
  for (const auto& a : u.accounts)
    if (a.name == account) return a.bits();
  return -1;
}

}  // namespace

// 128 lines of 20 tag, 1 valid and 2 replacement bits; 512 bits more for sectors.
TEST(L1dAccounts, PublishedFigures) {
  EXPECT_EQ(published(unit("l1d")), 2944);
  EXPECT_EQ(published(unit("l1d_sectored")), 2944 + 512);
  EXPECT_EQ(bits(unit("l1d_sectored"), "sectors"), 512);
  EXPECT_EQ(published(unit("l1d", {"tags.replacement=nru"})), 128 * 22);
  EXPECT_EQ(published(unit("l1d", {"tags.replacement=random"})), 128 * 21);
  EXPECT_EQ(published(unit("l1d", {"tags.replacement=srrip"})), 128 * 23);
  EXPECT_EQ(published(unit("l1d", {"tags.replacement=srrip", "geometry.ways=8"})), 128 * 24);
  EXPECT_EQ(published(unit("l1d", {"tags.replacement=srrip", "geometry.ways=1"})), 128 * 19);
  EXPECT_EQ(bits(unit("l1d", {"tags.replacement=random"}), "random replacement"), 16);
}

// The thesis counts the monitor's counters, tag cache and sel; wider tags and valid bits stand beside them.
TEST(L1dAccounts, AdaptiveIndex) {
  const gen::Unit adi = unit("l1d_adi");
  EXPECT_EQ(bits(adi, "victimization"), 150);
  EXPECT_EQ(bits(adi, "selection"), 546);
  EXPECT_EQ(bits(adi, "selected bits"), 25);
  EXPECT_EQ(bits(adi, "valid bits of the tag cache"), 16);
  EXPECT_EQ(bits(adi, "wider tags"), 128 * 5);
  EXPECT_EQ(published(adi), 2944 + 150 + 546 + 25);
  const gen::Unit reuse = unit("l1d_reuse_filter", {"index.kind=adi"});
  EXPECT_EQ(published(reuse), published(unit("l1d_reuse_filter")) + 150 + 546 + 25);
  EXPECT_EQ(bits(reuse, "wider tags"), 32 * 8 * 5);
  const gen::Unit iacm = unit("l1d_adi", {"adaptive.period=250", "adaptive.counter_bits=8"});
  EXPECT_EQ(bits(iacm, "victimization"), 120);
  EXPECT_EQ(bits(iacm, "selection") + bits(iacm, "selected bits"), 529);
  EXPECT_EQ(iacm.facts["adaptive"]["storage_in_flops"]["published_bits_of_16_caches"], 10'384);
}

// TSC paper, Table 3: 0.58 KB beyond the baseline, 0.44 KB with five private bits; what it does not count is
// apart, and so is the selector, of which a GPU has one.
TEST(L1dAccounts, SplitTags) {
  const gen::Unit split = unit("l1d_tsc"), plus = unit("l1d_tsc_plus");
  EXPECT_EQ(published(split), 7680);
  EXPECT_EQ(split.facts["published_bits_beyond_conventional_tags"], 4736);
  const gen::Unit five = unit("l1d_tsc", {"tags.split.private_tag_bits=5"});
  EXPECT_EQ(five.facts["published_bits_beyond_conventional_tags"], 3584);
  EXPECT_EQ(bits(split, "chunks on their way or waited for"), 512);
  EXPECT_EQ(bits(split, "issued masks"), 32 * 4);
  EXPECT_EQ(published(plus), 7680);
  EXPECT_EQ(bits(plus, "mode selection, once a GPU"), 4 * 16);
  EXPECT_EQ(bits(split, "mode selection, once a GPU"), -1);
  EXPECT_EQ(bits(unit("l1d_tsc_plus", {"mode.follow=true"}), "mode selection, once a GPU"), -1);
}

// As many bits over the sectored cache as the TSC paper says of DSC-2 and DSC-4, 0.45 and 1.33 KB; and over
// the baseline.
TEST(L1dAccounts, DecoupledTags) {
  struct Case {
    const char* tags_per_way;
    int bits, over_sectored, over_conventional;
  };
  for (const Case& c :
       {Case{"1", 3456, 0, 512}, Case{"2", 7168, 3712, 4224}, Case{"4", 14336, 10880, 11392}}) {
    const gen::Unit u = unit("l1d_dsc", {std::string("tags.decoupled.tags_per_way=") + c.tags_per_way});
    EXPECT_EQ(published(u), c.bits);
    EXPECT_EQ(u.facts["published_bits_beyond_sectored_tags"], c.over_sectored);
    EXPECT_EQ(u.facts["published_bits_beyond_conventional_tags"], c.over_conventional);
    EXPECT_EQ(bits(u, "positions on their way or waited for"), 512);
    EXPECT_EQ(bits(u, "issued masks"), 32 * 4);
  }
  const gen::Unit u = unit("l1d_dsc");
  std::map<std::string, std::int64_t> arrays;
  for (const auto& a : u.storage) arrays[a.name] += a.bits();
  EXPECT_EQ(arrays["tags.selectors"], 32 * 16);
  EXPECT_EQ(published(unit("l1d_dsc", {"index.kind=adi"})), 7168 + 150 + 546 + 25);
}

// Tags and data of the RAMs are those of the accounts.
TEST(L1dAccounts, ArraysHoldWhatTheAccountsSay) {
  for (const char* preset : {"l1d", "l1d_sectored"}) {
    const gen::Unit u = unit(preset);
    std::map<std::string, std::int64_t> by_part;
    for (const auto& a : u.storage) by_part[a.name.substr(0, a.name.find('.'))] += a.bits();
    EXPECT_EQ(by_part["tags"], 128 * 20) << preset;
    EXPECT_EQ(by_part["data_store"], bits(u, "data")) << preset;
    EXPECT_EQ(by_part["mshr"], bits(u, "waiting loads")) << preset;
  }
}

// No row of a cache is anywhere but behind a wrapper, and each wrapper is in the list.
TEST(L1dAccounts, EveryMemoryIsBehindAWrapper) {
  const gen::Unit u = unit("l1d");
  std::set<std::string> wrappers, listed;
  for (const auto& m : rtl::modules_of(u.top)) {
    if (gen::is_ram(m)) wrappers.insert(m.name());
    EXPECT_EQ(gen::is_ram(m), gen::verilog(m).find(" [0:") != std::string::npos) << m.name();
  }
  for (const auto& a : u.storage) listed.insert(a.module);
  EXPECT_EQ(wrappers, listed);
}

TEST(L1dAccounts, RamsAsBlackBoxes) {
  const auto files = gen::generated_files(gen::load_config("l1d"), {.orfs = true, .black_boxes = true});
  const std::string ram = unit("l1d").storage.at(0).module;
  EXPECT_THAT(files.at(ram + ".v"), HasSubstr("(* blackbox *)\nmodule " + ram + " ("));
  EXPECT_THAT(files.at(ram + ".v"), Not(HasSubstr("always")));
  EXPECT_THAT(files.at("l1d.f"), HasSubstr(ram + ".v\n"));
  EXPECT_THAT(files.at("config.mk"), Not(HasSubstr("sram_")));
  EXPECT_THAT(files.at("config.mk"), HasSubstr("ADDITIONAL_LIBS"));
  EXPECT_THAT(files.at("macros.txt"), HasSubstr(ram + "\n"));
  EXPECT_THROW(gen::generated_files(gen::load_config("index_pli"), {.orfs = false, .black_boxes = true}),
               gen::ConfigError);
}
