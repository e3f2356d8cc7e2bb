// Area of a topology's parts: each kind once, and what its queues add to a core among shared L1s.
#include "gen/area/topology_parts.h"

#include <gtest/gtest.h>

#include "gen/config/config.h"
#include "verif/parameters/small_topologies.h"

namespace {

std::vector<gen::TopologyPart> parts_of(const verif::Flags& flags) {
  const gen::Config config = gen::load_config("shared_l1", flags);
  return gen::topology_parts(config.get<hw::TopologyParams>(), config.top, gen::default_liberty());
}

}  // namespace

// A queue holds a request or a reply of a line of 512 bits at least; there are six.
TEST(TopologyParts, QueuesOfSharedL1s) {
  const auto two = parts_of(verif::small_shared()),
             four = parts_of(verif::with(verif::small_shared(), {"shared.queue_entries=4"}));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].name, "core");
  EXPECT_EQ(two[0].count, 6);
  EXPECT_EQ(two[1].name, "slice");
  EXPECT_EQ(two[1].count, 2);
  EXPECT_GT(four[0].one.flops, two[0].one.flops + 2 * 6 * 512);
  EXPECT_GT(four[0].one.gate_equivalents, two[0].one.gate_equivalents);
  EXPECT_EQ(four[1].one.flops, two[1].one.flops);
}

TEST(TopologyParts, Table) {
  gen::AreaResult one;
  one.gate_equivalents = 1000;
  one.flops = 20;
  one.path_ns = 2.5;
  one.path_start = "a_q[1]";
  one.path_end = "ready";
  const std::vector<gen::TopologyPart> parts{{.name = "core", .count = 6, .one = one}};
  EXPECT_EQ(gen::parts_table(parts),
            "\npart, of one                      flops           GE         ns\n"
            "6 core                               20         1000       2.50\n"
            "longest path of core: a_q[1] -> ready\n");
  EXPECT_EQ(gen::parts_json(parts)[0]["gate_equivalents"], 1000);
}
