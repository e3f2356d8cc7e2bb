// What is refused of split tags and of the modes of access, by its exact message.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/unit/unit.h"

namespace {

std::string refusal(const std::string& preset, const std::vector<std::string>& flags) {
  try {
    gen::elaborate(gen::load_config(preset, flags));
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(SplitKeys, Shapes) {
  EXPECT_EQ(refusal("l1d_tsc", {"tags.split.groups=17"}),
            "-s tags.split.groups=17: tags.split.groups = 17: must be from 1 to 16; the nearest is 16");
  EXPECT_EQ(
      refusal("l1d_tsc", {"tags.split.chunks_per_group=65"}),
      "-s tags.split.chunks_per_group=65: tags.split.chunks_per_group = 65: must be 0, or from 1 to 64; use "
      "0, the chunks of a line");
  EXPECT_EQ(refusal("l1d_tsc", {"tags.split.groups=3", "tags.split.chunks_per_group=1"}),
            "-s tags.split.groups=3: tags.split.groups = 3: makes 3 slots of a set with 1 chunks a group; "
            "they must "
            "be at least 4, the chunks of a line, and at most 64; change tags.split.groups or "
            "tags.split.chunks_per_group");
  EXPECT_EQ(refusal("l1d_tsc", {"tags.split.private_tag_bits=21"}),
            "-s tags.split.private_tag_bits=21: tags.split.private_tag_bits = 21: must be from 0 to 20, the "
            "bits of "
            "a tag; use 8");
  EXPECT_EQ(
      refusal("l1d_tsc", {"geometry.capacity_bytes=12288"}),
      "-s geometry.capacity_bytes=12288: geometry.capacity_bytes = 12288: must be sets of 16 slots of 32 "
      "bytes, their number a power of two from 2 on; use 8192, for 16 sets");
  EXPECT_EQ(refusal("l1d_tsc", {"tags.split.private_tag_bits=20", "geometry.ways=3"}), "");
}

TEST(SplitKeys, ReplacementIsNru) {
  EXPECT_EQ(refusal("l1d_tsc", {"tags.replacement=nru"}), "");
  EXPECT_EQ(refusal("l1d_tsc", {"tags.replacement=lru"}),
            "-s tags.replacement=lru: tags.replacement = lru: is not for split tags, which replace by NRU; "
            "leave it "
            "out, or use nru");
  EXPECT_EQ(refusal("l1d_tsc", {"tags.replacement=srrip"}),
            "-s tags.replacement=srrip: tags.replacement = srrip: is not for split tags, which replace by "
            "NRU; leave it out, or use nru");
}

TEST(SplitKeys, Modes) {
  EXPECT_EQ(
      refusal("l1d", {"mode.kind=coarse"}),
      "-s mode.kind=coarse: mode.kind = coarse: needs a cache whose accesses can be fine or coarse; use "
      "tags.kind = \"split\", or mode.kind = \"fine\"");
  EXPECT_EQ(refusal("l1d_tsc", {"mode.kind=dueling", "geometry.capacity_bytes=2048"}),
            "-s mode.kind=dueling: mode.kind = dueling: needs 8 sets or more, a power of two, and there are "
            "4; use a "
            "larger cache, fewer slots a set, or mode.kind = \"fine\"");
  EXPECT_EQ(refusal("l1d_tsc_plus", {"mode.threshold=13107"}),
            "-s mode.threshold=13107: mode.threshold = 13107: must be from 1 to 13106, so that a traffic "
            "counter of "
            "16 bits holds 4 chunks and a request for each miss; use 1024, the paper's");
  EXPECT_EQ(refusal("l1d_tsc_plus", {"mode.fine_sets=[0, 32]"}),
            "-s mode.fine_sets=[0, 32]: mode.fine_sets = 32: is no set: they are 0 to 31; name sets of the "
            "cache, or "
            "leave the list empty");
  EXPECT_EQ(
      refusal("l1d_tsc_plus", {"mode.fine_sets=[1, 4]"}),
      "-s mode.fine_sets=[1, 4]: mode.fine_sets = 4: is a coarse sampler too; those are 4, 13, 22, 31; give "
      "each mode sets of its own, or leave both lists empty");
  EXPECT_EQ(
      refusal("mode_selector", {"mode.coarse_sets=7"}),
      "-s mode.coarse_sets=7: mode.coarse_sets = 7: must be a list of at most 16 integers from 0 to 65535; "
      "write it like [0, 9]");
}

TEST(SplitKeys, NamesOfChangedModules) {
  EXPECT_EQ(gen::load_config("l1d_tsc", {"tags.split.private_tag_bits=5", "tags.split.victim=group"}).top,
            "l1d_tsc_private5_group");
  EXPECT_EQ(gen::load_config("l1d_tsc", {"tags.replacement=nru", "geometry.ways=2"}).top, "l1d_tsc");
}
