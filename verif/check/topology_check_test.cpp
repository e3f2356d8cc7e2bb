// Topologies, nodes, banks and L1 subsystems that check their neighbours: in lock step under faults of
// slices, and injected faults.
#include <gmock/gmock.h>

#include "verif/check/fault_table.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags, verif::low;

Flags checked(const Flags& flags, const Flags& more = {}) {
  return verif::with(verif::with(flags, {"check.ports=true"}), more);
}

const Flags of_all{"a response of a slice to a request that was never made",
                   "a response of a slice that comes twice", "a response of a slice with another id",
                   "a response of a slice with another mask"};

void expect_noticed(const std::string& preset, const Flags& flags, const Flags& more = {}) {
  verif::expect_injected(verif::lock_step(preset, flags, 100'000, 1), preset, verif::with(of_all, more));
}

TEST(TopologyCheck, OfNodes) {
  expect_noticed("dc_l1", checked(verif::small_topology("clustered"), {"check.timeout=6000"}),
                 {"a response of a slice that does not come"});
}

// Three cores: the ids of slices can name a fourth.
TEST(TopologyCheck, OfL1sAtCores) {
  expect_noticed("dc_l1", checked(verif::small_topology("baseline"), {"topology.cores=3"}),
                 {"a response of a slice for a part that is not there"});
}

TEST(TopologyCheck, OfSharedL1s) {
  expect_noticed(
      "shared_l1", checked(verif::small_shared(), {"check.timeout=8000"}),
      {"a response of a slice for a part that is not there", "a response of a slice that does not come"});
}

TEST(TopologyCheck, OfSearchedL1s) {
  expect_noticed("remote_core", checked(verif::small_remote()),
                 {"a response of a slice for a part that is not there"});
}

const Flags small_dc_l1_node{"node.queue=2", "mshr.entries=4", "geometry.capacity_bytes=2048",
                             "core.id_bits=5", "check.timeout=6000"};

TEST(TopologyCheck, OfANodeAlone) {
  expect_noticed("dc_l1_node", checked(small_dc_l1_node), {"a response of a slice that does not come"});
}

TEST(TopologyCheck, OfASearchedL1Alone) {
  expect_noticed("remote_node", checked(verif::small_remote_node(), {"check.timeout=8000"}),
                 {"a response of a slice that does not come"});
}

const Flags small_banks{"geometry.capacity_bytes=4096",
                        "geometry.line_bytes=64",
                        "geometry.chunk_bytes=16",
                        "mshr.entries=16",
                        "mshr.merges=2",
                        "core.id_bits=4",
                        "check.timeout=6000"};

TEST(TopologyCheck, OfBanks) {
  expect_noticed("l1d_banks", checked(small_banks), {"a response of a slice that does not come"});
}

const Flags small_subsystem{"coalescer.lanes=4", "geometry.capacity_bytes=2048", "geometry.line_bytes=64",
                            "mshr.entries=4", "check.timeout=8000"};

TEST(TopologyCheck, OfAnL1Subsystem) {
  expect_noticed("l1_subsystem", checked(small_subsystem), {"a response of a slice that does not come"});
}

TEST(TopologyCheck, OfAnL1SubsystemOverAxi4) {
  verif::expect_injected(
      verif::lock_step("l1_subsystem", checked(small_subsystem, {"memory.protocol=axi4"}), 150'000, 1),
      "l1_subsystem",
      {"a B of an ID without a write", "a B that comes twice", "an R of an ID without a read",
       "one R too many of an ID", "rlast with another beat", "a B that does not come",
       "an R that does not come"});
}

const verif::Fault of_one_node[] = {
    {"fetches_are_never_sent", "_answer_check", "fetches_q", "sent", low()},
    {"any_response_was_asked", "_answer_check", "unasked", "", low()},
    {"any_mask_is_right", "_answer_check", "other_mask", "", low()},
    {"nobody_is_late", "_answer_check", "late", "", low()},
};

// Faults of slices end most flushes, and keep ports from being answered at once.
const verif::MutationRun longer{.cycles = 300'000};

// The check is that of an l1d, whose broken copies answer_check_test finds.
TEST(TopologyCheck, BrokenChecksOfNodesAloneAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_all_found("dc_l1_node", checked(small_dc_l1_node), of_one_node);
  verif::expect_all_found("remote_node", checked(verif::small_remote_node(), {"check.timeout=8000"}),
                          of_one_node);
  verif::expect_all_found("l1d_banks", checked(small_banks), of_one_node, longer);
  verif::expect_all_found("l1_subsystem", checked(small_subsystem), of_one_node);
}

const verif::Fault of_nodes[] = {
    {"cores_report_nothing", "_core", "protocol_codes", "", low()},
    {"nodes_report_nothing", "", "errors.codes", "node_codes", low()},
    {"masks_of_cores_differ", "_core", "responses.came_mask", "", verif::inverted()},
    {"stores_have_chunks", "_core", "responses_write", "", low()},
    {"fetches_are_never_sent", "_node_fills", "in_flight_q", "sent", low()},
    {"fills_end_nothing", "_node_fills", "in_flight_q", "came", low()},
    {"any_fill_was_asked", "_node_fills", "unasked", "", low()},
    {"any_mask_is_right", "_node_fills", "other_mask", "", low()},
    {"no_core_is_late", "_core_responses", "late", "", low()},
    {"no_error_is_kept", "error_collector", "broken_q", "~(|broken_q)", low()},
};

TEST(TopologyCheck, BrokenChecksOfNodesAreFound) {
  verif::expect_all_found("dc_l1", checked(verif::small_topology("clustered"), {"check.timeout=6000"}),
                          of_nodes);
}

const verif::Fault of_networks[] = {
    {"crossbars_report_nothing", "_noc2", "protocol_codes", "", low()},
    {"codes_of_networks_are_lost", "", "errors.codes", "noc2_codes", low()},
};

TEST(TopologyCheck, BrokenChecksOfNetworksAreFound) {
  verif::expect_all_found("dc_l1", checked(verif::small_topology("baseline"), {"topology.cores=3"}),
                          of_networks);
}

const verif::Fault of_shared[] = {
    {"cores_report_nothing", "_core", "protocol_codes", "", low()},
    {"fetches_are_never_sent", "_core", "fills.sent", "", low()},
    {"any_fill_was_asked", "_core_fills", "unasked", "", low()},
    {"any_response_was_asked", "_core_responses", "unasked", "", low()},
    {"networks_report_nothing", "", "errors.codes", "replies_codes", low()},
};

TEST(TopologyCheck, BrokenChecksOfSharedL1sAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_all_found("shared_l1", checked(verif::small_shared(), {"check.timeout=8000"}), of_shared,
                          longer);
}

const verif::Fault of_searched[] = {
    {"cores_report_nothing", "_core", "protocol_codes", "", low()},
    {"any_response_was_asked", "_answer_check", "unasked", "", low()},
    {"no_line_is_searched_for", "_search_check", "searches_q", "miss_valid", low()},
    {"no_line_ends_its_search", "_search_check", "searches_q", "line", low()},
};

TEST(TopologyCheck, BrokenChecksOfSearchedL1sAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_all_found("remote_core", checked(verif::small_remote()), of_searched);
}

}  // namespace
