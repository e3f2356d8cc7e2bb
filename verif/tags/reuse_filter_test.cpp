// The reuse-count filter as a configuration: what is refused and how, what its caches are called, what it
// stores; and the same of the dueling unit. How it behaves: verif/tags/reuse_filter_l1d_test.cpp.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/print_verilog.h"
#include "gen/unit/unit.h"
#include "verif/rtl/thrown.h"

namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusal(const std::string& toml) {
  return verif::thrown([&] { gen::elaborate(gen::parse_config(toml, "my.toml")); });
}

std::string of_filter(const std::string& lines) { return refusal("preset = \"l1d_reuse_filter\"\n" + lines); }

gen::Unit unit(const std::string& preset, const std::vector<std::string>& settings = {}) {
  return gen::elaborate(gen::load_config(preset, settings));
}

}  // namespace

TEST(ReuseFilter, ParametersThatAreRefused) {
  EXPECT_EQ(of_filter("[tags.reuse_filter]\nways = 33\n"),
            "my.toml:3:8: tags.reuse_filter.ways = 33: must be from 4 to 32; the nearest is 32");
  EXPECT_EQ(
      of_filter("geometry.ways = 16\n"),
      "my.toml: tags.reuse_filter.ways = 8 (default): is less than the 16 data ways of a set, and each line "
      "needs a tag; use 16 or more, or fewer geometry.ways");
  EXPECT_EQ(
      of_filter("[tags.reuse_filter]\nrc_bits = 2\nthreshold = 4\n"),
      "my.toml:4:13: tags.reuse_filter.threshold = 4: must be from 0 to 3, which 2 bits can count; use 2, "
      "the threshold of the paper, or more tags.reuse_filter.rc_bits");
  EXPECT_EQ(
      of_filter("tags.replacement = \"nru\"\n"),
      "my.toml:2:20: tags.replacement = nru: is not what a reuse filter's data ways have: they are replaced "
      "by LRU; use lru, or leave it out");
  EXPECT_THAT(
      of_filter("tags.replacement = \"srrip\"\n"),
      testing::StartsWith("my.toml:2:20: tags.replacement = srrip: is not what a reuse filter's data"));
  EXPECT_EQ(
      of_filter("tags.store_scope = \"mask\"\n"),
      "my.toml:2:20: tags.store_scope = mask: needs a validity bit a chunk, and reuse_filter tags have one "
      "a line; use line, or tags.kind = \"sectored\"");
  EXPECT_EQ(of_filter("tags.reuse_filter.dueling = true\n"),
            "my.toml:2:29: tags.reuse_filter.dueling = true: needs two caches, and Verilog is of one; set "
            "tags.reuse_filter.follow = true, and let preset filter_dueling decide beside the caches");
  EXPECT_EQ(
      refusal("preset = \"filter_dueling\"\ntags.reuse_filter.dueling_interval = 63\n"),
      "my.toml:2:38: tags.reuse_filter.dueling_interval = 63: must be from 64 to 65536; the nearest is 64");
  EXPECT_EQ(of_filter("[tags.reuse_filter]\ndueling = true\nfollow = true\n"), "nothing thrown");
}

TEST(ReuseFilter, Names) {
  EXPECT_EQ(gen::load_config("l1d", {"tags.kind=reuse_filter", "tags.reuse_filter.threshold=3"}).top,
            "l1d_reuse_filter_h3");
  EXPECT_EQ(
      gen::load_config("l1d_reuse_filter", {"tags.reuse_filter.ways=16", "tags.reuse_filter.follow=true"})
          .top,
      "l1d_reuse_filter_tags16_follow_filter");
  EXPECT_EQ(gen::load_config("l1d", {"tags.reuse_filter.ways=16"}).top, "l1d");
  EXPECT_EQ(gen::load_config("filter_dueling", {"tags.reuse_filter.dueling_interval=1000"}).top,
            "filter_dueling_c1000");
}

// A follower has its input, whether or not there is anything to switch; others have none.
TEST(ReuseFilter, FollowerHasAnInput) {
  const auto top = [](const std::vector<std::string>& settings) {
    return gen::verilog(unit("l1d_reuse_filter", settings).top);
  };
  EXPECT_THAT(top({}), Not(HasSubstr("filter_enable")));
  EXPECT_THAT(top({"tags.reuse_filter.follow=true"}), HasSubstr("input  wire          filter_enable"));
  EXPECT_THAT(top({"tags.reuse_filter.follow=true", "tags.reuse_filter.threshold=1"}),
              HasSubstr("input  wire          filter_enable"));
}

// 256 entries of 20 tag, 1 valid, 6 count and 2 + 1 position bits; 128 lines of 2 LRU bits and one more for
// their state; 32 counts of free lines.
TEST(ReuseFilter, PublishedFigures) {
  const gen::Unit filter = unit("l1d_reuse_filter");
  EXPECT_EQ(gen::published_bits(filter.accounts), 256 * 30 + 128 * 3 + 32 * 3);
  EXPECT_EQ(filter.facts["published_bits_beyond_conventional_tags"],
            gen::published_bits(filter.accounts) - gen::published_bits(unit("l1d").accounts));
  std::int64_t tags = 0;
  for (const gen::StorageArray& array : filter.storage)
    if (array.name.starts_with("tags.")) tags += array.bits();
  EXPECT_EQ(tags, 256 * (20 + 6 + 1 + 2));  // in RAMs; the valid bits are flops
}
