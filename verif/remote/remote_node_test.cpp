// A core among cores that search each other's L1s: lock step at small shapes, refusals, injected faults.
#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags, verif::high, verif::inverted, verif::low;

const Flags small_node = verif::small_remote_node();

std::string refusal(const Flags& settings) {
  try {
    gen::elaborate(gen::load_config("remote_node", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(RemoteNode, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("remote_node", small_node, full ? 1'000'000 : 200'000, verif::fresh_seed(5));
  if (!full) return;
  const std::vector<Flags> choices{
      {"remote.coverage=1", "remote.probes=1", "remote.deflected=0"},
      {"remote.coverage=5", "remote.probes=4", "remote.outgoing=4", "remote.probability=1"},
      {"remote.coverage=5", "remote.probes=3", "remote.outgoing=3", "remote.probability=0"},
      {"remote.own_store_guard=false", "predictor.kind=always"},
      {"selector.kind=index", "mshr.entries=7", "topology.cores=7"},
      {"index.latency=2", "tags.replacement=nru", "mshr.merges=1"},
      {"counters.enable=true", "predictor.entries=1", "remote.wait_limit=1"},
      {"selector.stages=0", "table.stages=0"},
      {"table.stages=0", "remote.own_store_guard=false"},
      {"remote.forwarded=4", "remote.replies=4"}};
  for (const Flags& choice : choices)
    verif::expect_same("remote_node", verif::with(small_node, choice), 300'000, verif::fresh_seed(6));
}

// Snoops meet lines with wrong data, and answer that they are not there.
TEST(RemoteNode, LockStepUnderUpsets) {
  verif::expect_same("remote_node",
                     verif::with(small_node, {"ecc.data=parity", "ecc.tags=parity", "ecc.mshr=secded"}),
                     verif::full_tier() ? 1'000'000 : 100'000, verif::fresh_seed(54));
}

const std::vector<verif::Fault> of_protection{
    {"wrong_lines_are_handed_out", "_cache", "snoop_found_wrong", "", low()},
    {"a_snoop_is_never_checked", "_cache", "snoop_check_q", "grant_snoop", low()},
    {"wrong_reads_are_given", "_cache", "withdrawn", "found_wrong", low()}};

TEST(RemoteNode, UnprotectedSnoopsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_all_found("remote_node", verif::with(small_node, {"ecc.data=parity"}), of_protection,
                          {.cycles = 150'000});
}

TEST(RemoteNode, Refusals) {
  EXPECT_THAT(refusal({"remote.wait_limit=0"}), testing::HasSubstr("must be from 1 to 1023"));
  EXPECT_THAT(refusal({"mshr.entries=65"}), testing::HasSubstr("must be from 2 to 64"));
  EXPECT_THAT(refusal({"tags.kind=sectored"}), testing::HasSubstr("tags.kind"));
  EXPECT_THAT(refusal({"geometry.address_bits=20", "geometry.line_bytes=256"}),
              testing::HasSubstr("remote.filter_bits"));
}

// The sound unit runs here, too.
TEST(RemoteNode, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"stores_do_not_mark", "", "marks", "", low()},
      {"the_filter_is_not_observed", "", "written", "filter_written", low()},
      {"what_it_said_is_forgotten", "", "written", "written_q", low()},
      {"marks_of_this_cycle_are_not_seen", "", "written", "marked_now", low()},
      {"another_line_is_marked", "_taken", "line_q", "line", inverted()},
      {"answers_count_twice", "_taken", "none_open", "entered_q", high()},
      {"snoops_swap", "_snoops", "out_line", "first_q", inverted()},
      {"snoops_stay", "_snoops", "taken_q", "goes", low()},
      {"entries_with_late_replies_are_searched_for", "", "owed", "", low()},
      {"misses_are_taken_unknown", "", "takes", "asked_q", high()},
      {"misses_are_taken_over_one_that_waits", "", "takes", "~direct_q", high()},
      {"the_predictor_counts_all_misses", "", "predictor.miss", "~plain", high()},
      {"own_probes_are_searched_for", "", "returns", "", low()},
      {"all_probes_are_back", "", "returns", "probe_group[31:29] == 3'd2", high()},
      {"lines_that_come_twice_fill", "", "fill_valid", "fills_q", high()},
      {"replies_are_taken_at_once", "", "reply_ready", "looked_q", high()},
      {"replies_are_looked_up_twice", "", "looks_up", "~looked_q", high()},
      {"snoops_are_answered_to_the_core", "", "response_valid", "~answer_id[4]", high()},
      {"stores_do_not_wait_for_searches", "", "cache.searching", "", low()},
      {"stores_pass_a_miss_that_waits", "", "shows_other", "~direct_q", high()},
      {"late_searches_wait", "", "shows_late_ask", "", low()},
      {"own_probes_beside_others", "", "shows_own", "forwarded_valid", low()},
      {"flushed_with_searches", "", "flush_ready", "table_idle", high()},
      {"flushed_with_probes", "", "flush_ready", "handler_idle", high()},
      {"marks_outlive_a_flush", "", "clear_filter", "dirty_q", low()},
      {"candidates_are_lists", "_outgoing", "number", "search", low()},
      {"all_probes_lead", "_outgoing", "sent_leader", "~(|sent_q)", high()},
      {"slots_are_not_freed", "_outgoing", "free_slots_q", "sent_ready", low()}};
  verif::expect_all_found("remote_node", small_node, faults, {.cycles = 150'000});
}

// So many probes are taken to the L1 at once that a snoop waits for a slot.
TEST(RemoteNode, SnoopsWaitForASlot) {
  const std::vector<verif::Fault> faults{
      {"a_snoop_is_lost", "_snoops", "in_ready", "&taken_q", low()},
      {"a_waiting_snoop_is_overwritten", "_snoops", "line0_q", "~taken_q[0]", high()}};
  verif::expect_all_found("remote_node", verif::with(small_node, {"remote.forwarded=4", "remote.replies=4"}),
                          faults, {.cycles = 150'000});
}
