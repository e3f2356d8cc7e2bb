// A tag whose bits are ignored, in caches of topologies and of banks: two lines are then one, and the lock
// step finds that.
#include <gmock/gmock.h>

#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"

namespace {

struct Shape {
  const char* preset;
  std::vector<std::string> settings;
};
void PrintTo(const Shape& shape, std::ostream* to) { *to << shape.preset; }

class IgnoredTagBits : public testing::TestWithParam<Shape> {};

}  // namespace

TEST_P(IgnoredTagBits, AreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  const std::vector<verif::Fault> faults{{"tag_bit_4", "_index", "tag", "", verif::without_bit(4)},
                                         {"tag_bit_11", "_index", "tag", "", verif::without_bit(11)},
                                         {"tag_bit_17", "_index", "tag", "", verif::without_bit(17)}};
  verif::expect_all_found(GetParam().preset, GetParam().settings, faults, {.cycles = 300'000});
}

INSTANTIATE_TEST_SUITE_P(
    Caches, IgnoredTagBits,
    testing::Values(Shape{"dc_l1", verif::small_topology("clustered")},
                    Shape{"shared_l1", verif::small_shared()}, Shape{"remote_core", verif::small_remote()},
                    Shape{"l1d_banks", {"geometry.capacity_bytes=4096", "mshr.entries=16"}}),
    [](const auto& shape) { return std::string(shape.param.preset); });
