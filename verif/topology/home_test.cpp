// Home selection: the worked examples of the spec, what the squeeze cuts, lock step.
#include "golden/topology/kinds.h"

#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets;

using Kind = hw::TopologyKind;
using Place = golden::Home::Place;

struct Example {
  hw::TopologyShape shape;
  int core;
  std::uint64_t address;
  int slice, home, node, output;
  std::uint64_t line;  // in the node's cache
};

constexpr hw::TopologyShape large{}, sixteen{Kind::clustered, 16, 8, 8, 4}, two{Kind::clustered, 16, 8, 8, 2},
    shared{Kind::shared_nodes, 80, 40, 32, 10};

}  // namespace

TEST(Home, WorkedExamplesOfTheSpec) {
  const Example examples[] = {
      {large, 13, 0x1f80, 31, 3, 7, 7, 0xf},      {large, 45, 0x10002300, 3, 0, 20, 3, 0x80016},
      {large, 79, 0x1880, 24, 3, 39, 0, 0x1},     {sixteen, 5, 0x700, 7, 1, 3, 3, 0x6},
      {two, 14, 0x10002380, 3, 1, 5, 1, 0x80013}, {shared, 14, 0x10002380, 3, 11, 11, 3, 0x200047},
  };
  for (const Example& e : examples) {
    const golden::Home home = golden::home_of(e.shape, true);
    const Place place = home.of(e.address);
    EXPECT_EQ(place.slice, e.slice) << e.address;
    EXPECT_EQ(place.home, e.home) << e.address;
    EXPECT_EQ(place.output, e.output) << e.address;
    EXPECT_EQ(place.cache_address / 128, e.line) << e.address;
    EXPECT_EQ(home.node(e.core, place.home), e.node) << e.address;
  }
}

TEST(Home, WhatIsCutGoesBack) {
  for (const hw::TopologyShape& shape :
       {large, sixteen, two, hw::TopologyShape{Kind::shared_nodes, 64, 32, 16, 1}}) {
    const golden::Home home = golden::home_of(shape, true);
    ASSERT_GT(home.field().bits, 0);
    for (std::uint64_t address = 0; address < 1 << 20; address += 128) {
      const Place place = home.of(address);
      EXPECT_EQ(home.field().put_in(place.cache_address, static_cast<std::uint64_t>(place.home)), address);
    }
  }
}

TEST(Home, NothingIsCutWhereTheHomeIsNoField) {
  EXPECT_EQ(golden::home_of(shared, true).field().bits, 0);
  EXPECT_EQ(golden::home_of(large, false).field().bits, 0);
  EXPECT_EQ(golden::home_of(hw::TopologyShape{Kind::cdxbar, 80, 40, 32, 10}, true).field().bits, 0);
  EXPECT_EQ(golden::home_of(hw::TopologyShape{Kind::private_nodes, 80, 40, 32, 10}, true).field().bits, 0);
  EXPECT_EQ(golden::home_of(hw::TopologyShape{Kind::clustered, 120, 60, 48, 10}, true).field().bits, 0);
}

TEST(Home, LockStep) {
  for (const auto& [kind, cores, nodes, slices, clusters] :
       {std::tuple{"clustered", 80, 40, 32, 10}, std::tuple{"clustered", 120, 60, 48, 10},
        std::tuple{"shared_nodes", 80, 40, 32, 10}, std::tuple{"shared_nodes", 64, 32, 16, 8},
        std::tuple{"private_nodes", 16, 8, 7, 8}, std::tuple{"baseline", 9, 9, 5, 9},
        std::tuple{"cdxbar", 16, 8, 8, 2}})
    verif::expect_same("dc_l1_home",
                       {fmt::format("topology.kind={}", kind), fmt::format("topology.cores={}", cores),
                        fmt::format("topology.nodes={}", nodes), fmt::format("topology.slices={}", slices),
                        fmt::format("topology.clusters={}", clusters)},
                       50'000, verif::fresh_seed(3));
}

TEST(Home, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"slice_of_other_bits", "", "slice", "",
       [](const Expr&, const Nets& net) { return net("address").slice(11, 7); }},
      {"home_of_other_bits", "", "home", "",
       [](const Expr&, const Nets& net) { return net("address").slice(11, 10); }},
      {"output_of_other_bits", "", "output_number", "",
       [](const Expr&, const Nets& net) { return net("address").slice(12, 10); }},
      {"another_bit_cut", "", "cache_address", "", [](const Expr&, const Nets& net) {
         return rtl::cat({net("address").slice(31, 14), net("address").slice(11, 0)});
       }}};
  verif::expect_all_found("dc_l1_home", {}, faults);
}
