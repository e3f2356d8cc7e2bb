// Shared L1s over a mesh: who serves whom untimed, storage, refusals, injected faults and beside them lock
// step of a small one.
#include "gen/unit/unit.h"
#include "golden/topology/functional_topology.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::FunctionalTopology, golden::RequestKind, golden::Result, golden::Served;
using verif::high, verif::low, verif::other;

constexpr hw::TopologyParams shared_topology() {
  hw::TopologyParams p{.shape = {.kind = hw::TopologyKind::shared, .cores = 28, .slices = 8}};
  p.l1d.index.sets = hw::sets_of(p.l1d);
  return p;
}

golden::CoreRequest asks(int core, std::uint64_t address, RequestKind kind = RequestKind::load) {
  return {core, {.kind = kind, .mask = 1, .address = address}};
}

std::string refusal(const verif::Flags& settings) {
  try {
    gen::elaborate(gen::load_config("shared_l1", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// Core 0 loads 1C000, loads 1C080; 5 loads 1C000; 1 stores it; 5 loads it; 5 loads 5200.
TEST(SharedL1, UntimedSequenceOfTheSpec) {
  const std::vector<golden::CoreRequest> requests{asks(0, 0x1c000), asks(0, 0x1c080),
                                                  asks(5, 0x1c000), asks(1, 0x1c000, RequestKind::store),
                                                  asks(5, 0x1c000), asks(5, 0x5200)};
  std::vector<Served> by(requests.size());
  FunctionalTopology::make(shared_topology())->access(requests, by.data());
  const std::vector<Served> wanted{{0, 0, 0, Result::miss}, {0, 0, 0, Result::miss},
                                   {5, 0, -1, Result::hit}, {1, 0, 0, Result::store},
                                   {5, 0, 0, Result::miss}, {5, 5, 2, Result::miss}};
  EXPECT_EQ(by, wanted);
}

TEST(SharedL1, StorageOfItsQueues) {
  const gen::Unit unit = gen::elaborate(gen::load_config("shared_l1", {}));
  EXPECT_EQ(unit.facts["queue_storage_percent"], 18.75);
  EXPECT_EQ(unit.facts["slice_id_bits"], 22);
}

TEST(SharedL1, Refusals) {
  EXPECT_EQ(
      refusal({"bypass.kind=bucl"}),
      "-s bypass.kind=bucl: bypass.kind = bucl: one load's requests go to several caches here, none of which "
      "sees the first of each load; use mrpb, or topology.kind = \"baseline\" or \"private_nodes\"");
  EXPECT_EQ(refusal({"mesh.vcs=1"}), "-s mesh.vcs=1: mesh.vcs = 1: must be from 2 to 8; use 4");
  EXPECT_EQ(
      refusal({"mesh.vcs=3"}),
      "-s mesh.vcs=3: mesh.vcs = 3: must be even: half of the VCs is for either class of messages; use 4");
  EXPECT_EQ(
      refusal({"topology.slices=7"}),
      "shared_l1 -s topology.slices=7: mesh.memory_nodes = 8 (default): must have one node for each of the 7 "
      "slices; list as many nodes");
  EXPECT_EQ(
      refusal({"core.request_slice=true"}),
      "-s core.request_slice=true: core.request_slice = true: stands before a cache alone; here a request "
      "stands in a register while its route is found; leave it out");
}

// The sound unit runs here, too.
TEST(SharedL1, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"served_requests_are_the_core_s_own", "_core", "l1_request_word", "1'd1", low()},
      {"replies_to_others_go_to_the_core", "_core", "answer_served", "", low()},
      {"a_slice_s_acknowledgement_stays", "_core", "passed_on", "", low()},
      {"answers_change_while_they_wait", "_core", "response_waits_q", "", low()},
      {"stores_to_homes_name_another_core", "_core", "out0_word", "node", other("home_node")},
      {"flush_beside_requests_under_way", "_core", "flush_ready", "|open_q", low()},
      {"requests_enter_a_flush", "_core", "request_ready", "~flush_valid", high()},
      {"misses_never_wait_for_direct_requests", "_core", "direct_goes", "direct_goes_next_q", low()},
      {"local_fails_do_not_count", "_core", "local_failed", "", low()},
      {"classes_share_their_channels", "_port_in0_out0_in1_en", "to_router_vc", "1'd1", low()},
      {"networks_move_at_once", "", "network_enable", "", high()},
      {"one_core_is_enough_for_a_flush", "", "flush_all", "&caches_ready", high()}};
  verif::expect_all_found("shared_l1", verif::small_shared(), faults, {.cycles = 60'000});
}

// On butterflies, with crossbars to the slices.
TEST(SharedL1, EveryInjectedFaultOfButterfliesIsFound) {
  const std::vector<verif::Fault> faults{
      {"requests_go_to_another_slice", "_core", "slice_requests_destination", "", verif::inverted()},
      {"stores_to_homes_name_another_core", "_core", "out0_word", "node", other("home_node")},
      {"networks_move_at_once", "", "network_enable", "", high()},
      {"crossbars_move_at_once", "", "l2.enable", "", high()},
      {"a_butterfly_moves_at_once", "", "replies.enable", "", high()},
      // Of the requests; its name is made short.
      {"a_digit_is_wrong", "x4721838a_switch1_route", "port", "", verif::inverted()}};
  verif::expect_all_found("shared_l1", verif::small_butterfly(), faults, {.cycles = 60'000});
}

TEST(SharedL1, RefusalsOfButterflies) {
  EXPECT_EQ(
      refusal({"shared.fabric=butterfly", "shared.min_home_l2=true"}),
      "-s shared.min_home_l2=true: shared.min_home_l2 = true: counts hops, and in a butterfly all ways are "
      "of the same length; leave it out, or use shared.fabric = \"mesh\"");
  EXPECT_EQ(
      refusal({"shared.fabric=butterfly", "butterfly.radix=5"}),
      "shared_l1 -s butterfly.radix=5 -s shared.fabric=butterfly: topology.cores = 28 (default): and 8 "
      "slices are more than the 25 ports of the butterfly; make butterfly.radix or butterfly.stages larger, "
      "or the numbers smaller");
  EXPECT_EQ(refusal({"shared.fabric=butterfly", "mesh.width=2"}), "") << "is ignored";
}
