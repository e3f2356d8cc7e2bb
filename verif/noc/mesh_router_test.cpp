// The router of a mesh: its routes, the time to the next router, lock step at every position and odd sizes,
// refusals, injected faults.
#include "golden/noc/mesh_router.h"

#include "gen/unit/unit.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::low, verif::other;

struct Shape {
  int width, height, vcs, flits, stages, bytes, side;

  std::vector<std::string> settings() const {
    return {fmt::format("mesh.width={}", width),
            fmt::format("mesh.height={}", height),
            fmt::format("mesh.vcs={}", vcs),
            fmt::format("mesh.vc_flits={}", flits),
            fmt::format("mesh.link_stages={}", stages),
            fmt::format("crossbar.flit_bytes={}", bytes),
            fmt::format("crossbar.side_bits={}", side)};
  }
};

std::string refusal(const std::string& setting) {
  try {
    gen::elaborate(gen::load_config("mesh_router", {setting}));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// Every pair of nodes of 6 x 6, hop by hop: the columns' distance and then the rows', and no turn back.
TEST(MeshRouter, RoutesAlongTheRowFirst) {
  int hops_of_all = 0;
  for (int from = 0; from < 36; ++from)
    for (int to = 0; to < 36; ++to) {
      int column = from % 6, row = from / 6, hops = 0;
      bool in_column = false;
      for (;; ++hops) {
        const hw::MeshPort port = golden::mesh_route(6, column, row, to);
        if (port == hw::mesh_local) break;
        const bool turns = port == hw::mesh_east || port == hw::mesh_west;
        ASSERT_FALSE(turns && in_column);
        in_column = !turns;
        column += (port == hw::mesh_east) - (port == hw::mesh_west);
        row += (port == hw::mesh_south) - (port == hw::mesh_north);
        ASSERT_LE(hops, 10);
      }
      ASSERT_EQ(row * 6 + column, to);
      EXPECT_EQ(hops, std::abs(from % 6 - to % 6) + std::abs(from / 6 - to / 6));
      hops_of_all += hops;
    }
  EXPECT_EQ(hops_of_all, 36 * 140) << "3.89 on average";
}

// A flit that enters in cycle t enters the next router in t + 2 + 1.
TEST(MeshRouter, TimeToTheNextRouter) {
  using Router = golden::MeshRouter<hw::MeshRouterParams{}, int>;
  Router west, east;
  west.reset(2, 3), east.reset(3, 3);
  int cycle = 0, entered = -1, left = -1;
  for (; cycle < 10; ++cycle) {
    Router::Ports<Router::Flit> in{}, next{};
    if (cycle == 0) in[0] = {.vc = 1, .head = true, .tail = true, .destination = 3 * 6 + 3, .payload = 7};
    next[hw::mesh_west] = west.outputs().out[hw::mesh_east];
    if (next[hw::mesh_west]) entered = cycle;
    if (const auto f = east.outputs().out[hw::mesh_local]) {
      left = cycle;
      EXPECT_EQ(f->vc, 1);
      EXPECT_EQ(f->payload, 7);
    }
    Router::Ports<int> credit{};
    credit[hw::mesh_east] = east.outputs().credit[hw::mesh_west];
    west.edge(in, credit);
    east.edge(next, {});
  }
  EXPECT_EQ(entered, 3);
  EXPECT_EQ(left, 5);
}

TEST(MeshRouter, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 1'000'000 : 150'000;
  for (const Shape& s : {Shape{3, 3, 4, 4, 1, 4, 0}, Shape{5, 2, 2, 1, 0, 2, 5}})
    verif::expect_same("mesh_router", s.settings(), cycles, verif::fresh_seed(17));
  if (!verif::full_tier()) return;
  for (const Shape& s :
       {Shape{6, 6, 4, 4, 1, 32, 57}, Shape{16, 16, 8, 3, 3, 4, 0}, Shape{2, 7, 6, 5, 2, 8, 1}})
    verif::expect_same("mesh_router", s.settings(), cycles, verif::fresh_seed(18));
}

TEST(MeshRouter, Refusals) {
  EXPECT_EQ(
      refusal("mesh.vcs=3"),
      "-s mesh.vcs=3: mesh.vcs = 3: must be even: half of the VCs is for either class of messages; use 4");
  EXPECT_EQ(refusal("mesh.width=17"),
            "-s mesh.width=17: mesh.width = 17: must be from 2 to 16; the nearest is 16");
  EXPECT_EQ(refusal("mesh.link_stages=4"),
            "-s mesh.link_stages=4: mesh.link_stages = 4: must be from 0 to 3; the nearest is 3");
}

// The sound unit runs here, too.
TEST(MeshRouter, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"columns_first", "_route", "port", "column_of_below_3 == column", high()},
      {"north_is_south", "_route", "port", "to_row < row", inverted()},
      {"west_is_east", "_route", "port", "column_of_below_3 < column", inverted()},
      {"another_vc_is_offered", "vc_output_kept", "heads_of1_1", "", other("heads_of0_1")},
      {"heads_of_owned_vcs", "vc_output_kept", "vc_1_search.request", "~owned", high()},
      {"the_last_input_comes_last", "vc_output_kept", "from_own_1", "", other("head_inputs_q")},
      {"pointer_over_inputs_stays", "vc_output_kept", "head_inputs_q", "head_inputs_next", low()},
      {"pointer_over_vcs_stays", "vc_output_kept", "head_vcs_q", "head_vcs_next", low()},
      {"pointers_move_past_bodies", "vc_output_kept", "head_leaves", "opens_1", high()},
      {"a_link_keeps_its_flit", "link_s1_w23", "valids", "in_valid", low()},
      {"never_freed", "vc_output_kept", "owner1_q", "~last", high()}};
  verif::expect_all_found("mesh_router", Shape{3, 3, 2, 2, 1, 2, 0}.settings(), faults);
}
