// Homes and routes of shared L1s: the worked table, how far requests go over all cores, lock step at even and
// odd sizes, refusals, injected faults.
#include "golden/shared/route_select.h"

#include "gen/unit/unit.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::RouteSelect, golden::Way;
using rtl::Expr;
using verif::high, verif::low, verif::Nets, verif::other_tie;

struct Example {
  int core;
  std::uint64_t address;
  int bits, home, slice, to_home, to_slice;
  Way way;
};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("route_select", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// Seven cores and three slices in 4 x 3.
const std::vector<std::string> odd{
    "topology.cores=7",        "topology.slices=3", "mesh.width=4",
    "mesh.height=3",           "index.sets=16",     "mesh.memory_nodes=[11, 0, 6]",
    "geometry.address_bits=20"};

}  // namespace

TEST(RouteSelect, WorkedExamplesOfTheSpec) {
  const Example examples[] = {{9, 0x1c000, 28, 0, 0, 3, 4, Way::home},
                              {5, 0x1c380, 28, 0, 3, 1, 1, Way::home},
                              {17, 0x12345680, 5, 5, 6, 5, 2, Way::direct},
                              {27, 0xa5f00, 5, 5, 7, 9, 3, Way::direct}};
  const RouteSelect route({});
  for (const Example& e : examples) {
    EXPECT_EQ(route.core_bits(e.address), e.bits) << e.address;
    EXPECT_EQ(route.home(e.address), e.home) << e.address;
    EXPECT_EQ(route.slice(e.address), e.slice) << e.address;
    EXPECT_EQ(route.hops_to_home(e.core, e.address), e.to_home) << e.address;
    EXPECT_EQ(route.hops_to_slice(e.core, e.address), e.to_slice) << e.address;
    EXPECT_EQ(route.way(e.core, e.address, true, true, false), e.way) << e.address;
  }
}

// Each core with each value of the core bits and each slice, where the home is another core.
TEST(RouteSelect, HopsOverAllRequesters) {
  const RouteSelect route({});
  int cases = 0, direct = 0, ties = 0, to_homes = 0, with_min = 0;
  for (int core = 0; core < 28; ++core)
    for (std::uint64_t bits = 0; bits < 32; ++bits)
      for (std::uint64_t slice = 0; slice < 8; ++slice) {
        const std::uint64_t address = bits << 12 | slice << 8;
        if (route.home(address) == core) continue;
        const int to_home = route.hops_to_home(core, address), to_slice = route.hops_to_slice(core, address);
        ++cases;
        direct += route.way(core, address, true, true, false) == Way::direct;
        ties += to_home == to_slice;
        to_homes += to_home;
        with_min += std::min(to_home, to_slice);
      }
  EXPECT_EQ(cases, 6912);
  EXPECT_EQ(direct, 3234);
  EXPECT_EQ(ties, 912);
  EXPECT_NEAR(to_homes / 6912.0, 4.13, 0.005);
  EXPECT_NEAR(with_min / 6912.0, 2.95, 0.005);
}

// All lines are dealt to all cores: within one line of each other.
TEST(RouteSelect, TheWholeTagIsEven) {
  const RouteSelect route({.home = hw::HomeKind::tag_mod});
  std::vector<int> lines(28);
  for (std::uint64_t tag = 0; tag < 1000; ++tag) ++lines[static_cast<std::size_t>(route.home(tag << 12))];
  const auto [least, most] = std::ranges::minmax(lines);
  EXPECT_LE(most - least, 1);
}

TEST(RouteSelect, LockStep) {
  const std::int64_t cycles = 60'000;
  verif::expect_same("route_select", {}, cycles, verif::fresh_seed(1));
  std::vector<std::string> settings = odd;
  settings.push_back("shared.home=tag_mod");
  verif::expect_same("route_select", settings, cycles, verif::fresh_seed(2));
  verif::expect_same(
      "route_select",
      {"topology.cores=3", "topology.slices=1", "mesh.width=2", "mesh.height=2", "mesh.memory_nodes=[0]"},
      cycles, verif::fresh_seed(4));
  if (!verif::full_tier()) return;
  settings = odd;
  settings.push_back("shared.min_home_l2=false");
  verif::expect_same("route_select", settings, cycles, verif::fresh_seed(3));
}

TEST(RouteSelect, Refusals) {
  EXPECT_EQ(refusal({"topology.slices=7"}),
            "route_select -s topology.slices=7: mesh.memory_nodes = 8 (default): must have one node for each "
            "of the 7 slices; list as "
            "many nodes");
  EXPECT_EQ(refusal({"mesh.width=5"}),
            "route_select -s mesh.width=5: mesh.memory_nodes = 32 (default): must be below the 30 nodes of "
            "the mesh; name a node of the "
            "mesh");
  EXPECT_EQ(refusal({"topology.cores=29"}),
            "-s topology.cores=29: topology.cores = 29: and 8 slices do not fit into 36 nodes; make the mesh "
            "larger, or the numbers smaller");
  EXPECT_EQ(refusal({"topology.slices=2", "mesh.memory_nodes=[4, 4]"}),
            "-s mesh.memory_nodes=[4, 4]: mesh.memory_nodes = 4: stands twice in the list; give each slice a "
            "node of its own");
  EXPECT_EQ(
      refusal({"index.sets=4096", "geometry.address_bits=20"}),
      "-s geometry.address_bits=20: geometry.address_bits = 20: has not the 24 bits of a line's place, set "
      "and home; use 24");
}

TEST(RouteSelect, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"numbers_of_no_core_are_not_folded", "_home", "home", "number < 3'd7", high()},
      {"slice_of_other_bits", "_home", "slice", "",
       [](const Expr&, const Nets& net) { return net("address").slice(10, 9); }},
      {"private_lines_have_homes", "", "foreign", "request_shared", high()},
      {"the_own_home_is_foreign", "", "foreign", "home != core", high()},
      {"a_tie_goes_to_the_slice", "", "nearer", "hops_to_slice < hops_to_home",
       [](const Expr&, const Nets& net) { return net("hops_to_home") >= net("hops_to_slice"); }},
      {"written_lines_go_home", "", "direct", "request_written", low()},
      {"rows_do_not_count", "", "hops_to_home", "rows_to_home", low()},
      {"columns_of_slices_are_those_of_homes", "", "columns_to_slice", "slice_column",
       [](const Expr&, const Nets& net) { return net("home_column"); }},
      {"non_l1_requests_go_home", "", "past", "", low()}};
  verif::expect_all_found("route_select", odd, faults, {.cycles = 30'000});
}
