// What is refused of decoupled sectored tags, by its exact message.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/unit/unit.h"

namespace {

std::string refusal(const std::vector<std::string>& flags) {
  try {
    gen::elaborate(gen::load_config("l1d_dsc", flags));
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(DecoupledKeys, Shapes) {
  EXPECT_EQ(
      refusal({"tags.decoupled.tags_per_way=9"}),
      "-s tags.decoupled.tags_per_way=9: tags.decoupled.tags_per_way = 9: must be from 1 to 8; the nearest "
      "is 8");
  EXPECT_EQ(
      refusal({"tags.decoupled.tags_per_way=5", "geometry.ways=16"}),
      "-s tags.decoupled.tags_per_way=5: tags.decoupled.tags_per_way = 5: makes 80 tags of a set with 16 "
      "ways; they must be at most 64; use at most 4, or fewer geometry.ways");
  EXPECT_EQ(refusal({"tags.decoupled.tags_per_way=4", "geometry.ways=16", "geometry.capacity_bytes=4096"}),
            "");
}

TEST(DecoupledKeys, ReplacementIsLru) {
  EXPECT_EQ(refusal({"tags.replacement=lru"}), "");
  EXPECT_EQ(
      refusal({"tags.replacement=random"}),
      "-s tags.replacement=random: tags.replacement = random: is not what decoupled tags have: they are "
      "replaced by LRU; use lru, or leave it out");
  EXPECT_EQ(refusal({"tags.replacement=srrip"}),
            "-s tags.replacement=srrip: tags.replacement = srrip: is not what decoupled tags have: they are "
            "replaced by LRU; use lru, or leave it out");
}

TEST(DecoupledKeys, AccessesAreFine) {
  EXPECT_THAT(refusal({"mode.kind=coarse"}),
              testing::HasSubstr("needs a cache whose accesses can be fine or coarse"));
}

TEST(DecoupledKeys, NamesOfChangedModules) {
  EXPECT_EQ(gen::load_config("l1d_dsc", {"tags.decoupled.tags_per_way=4", "tags.decoupled.victim=tag"}).top,
            "l1d_dsc_lines4_victim_tag");
}
