// Topologies whose L1s have protected RAMs: lock step while bits flip in each of them, at small sizes;
// injected faults; what is refused.
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit.h"
#include "hw/rtl/module_data.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags, verif::low;

Flags protect(const Flags& flags, const std::string& data, const std::string& tags, const std::string& mshr) {
  return verif::with(flags, {"ecc.data=" + data, "ecc.tags=" + tags, "ecc.mshr=" + mshr});
}

const Flags clustered =
    verif::with(protect(verif::small_topology("clustered"), "secded", "parity", "secded"), {"name=nodes"});

std::string refusal(const std::string& preset, const Flags& flags) {
  return verif::thrown([&] { gen::elaborate(gen::load_config(preset, flags)); });
}

}  // namespace

TEST(TopologyEcc, NodesInLockStepUnderUpsets) {
  verif::expect_same("dc_l1", clustered, 100'000, verif::fresh_seed(54));
}

// The controllers count requests, among them second fetches. Resets of upsets end most periods before their
// loads do, so that EXEC has few of these.
TEST(TopologyEcc, ControllersInLockStepUnderUpsets) {
  verif::expect_same("shared_l1",
                     protect(verif::with(verif::small_dyneb(),
                                         {"shared.own_store_guard=false", "dyneb.execute_accesses=24"}),
                             "parity", "parity", "none"),
                     verif::full_tier() ? 600'000 : 120'000, verif::fresh_seed(54));
}

TEST(TopologyEcc, CoresThatSearchEachOtherInLockStepUnderUpsets) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_same("remote_core", protect(verif::small_remote(), "parity", "secded", "secded"), 60'000,
                     verif::fresh_seed(54));
}

TEST(TopologyEcc, NodeAloneInLockStepUnderUpsets) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_same(
      "dc_l1_node",
      protect({"node.queue=2", "mshr.entries=4", "geometry.capacity_bytes=2048"}, "secded", "secded", "none"),
      60'000, verif::fresh_seed(54));
}

TEST(TopologyEcc, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_read_given", "_cache_node_cache", "withdrawn", "found_wrong", low()},
      {"wrong_tags_stay", "_cache_node_cache_tags", "emptied_ways", "tag_wrong", low()},
      {"wrong_request_leaves", "_cache_node_cache_miss_queue", "pop", "request_wrong", low()},
      {"not_reported", "_cache_node_cache", "ecc_refetched", "tags_wrong", low()}};
  verif::expect_all_found("dc_l1", clustered, faults, {.coverage = false});
}

TEST(TopologyEcc, RefusesByName) {
  EXPECT_EQ(
      refusal("shared_l1", {"shared.organisation=dyneb", "ecc.data=parity"}),
      "-s ecc.data=parity: ecc.data = parity: fetches a load's line once more, behind younger stores that "
      "have passed the L1; use shared.own_store_guard = false, or ecc.data = \"none\"");
  EXPECT_EQ(refusal("shared_l1", {"shared.organisation=dyneb", "ecc.tags=secded"}), "nothing thrown");
  EXPECT_EQ(refusal("remote_core", {"ecc.data=parity", "ecc.tags=secded"}), "nothing thrown");
}

// Each L1 has outputs of its own, and without the keys none.
TEST(TopologyEcc, OutputsOfEachL1) {
  const auto outputs = [](const std::string& preset, const Flags& flags) {
    const gen::Unit unit = gen::elaborate(gen::load_config(preset, flags));
    int count = 0;
    for (const rtl::Signal& port : unit.top.data().signals)
      count += port.role == rtl::Role::output && port.name.find("_ecc_") != std::string::npos;
    return count;
  };
  EXPECT_EQ(outputs("dc_l1", clustered), 2 * 4);
  EXPECT_EQ(outputs("dc_l1", verif::small_topology("clustered")), 0);
  EXPECT_EQ(outputs("shared_l1", protect(verif::small_shared(), "parity", "none", "none")), 6 * 4);
  EXPECT_EQ(outputs("remote_core", protect(verif::small_remote(), "none", "none", "parity")), 5 * 4);
}
