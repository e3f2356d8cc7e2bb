// Requests of kind snoop, which read a line and change nothing, and stores that wait for searches: injected
// faults and beside them lock step, and what is refused.
#include "verif/l1d/snoops.h"

#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::low, verif::other;

rtl::Expr beside_aside(const rtl::Expr& sound, const verif::Nets& net) { return sound | net("aside_q"); }

std::string refusal(std::vector<std::string> settings) {
  settings.emplace_back("core.peeks=true");
  try {
    gen::elaborate(gen::load_config("l1d", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(Snoops, AreOfWholeLinesAndNoBypass) {
  EXPECT_THAT(refusal({"tags.kind=sectored"}), testing::HasSubstr("asks for whole lines"));
  EXPECT_THAT(refusal({"bypass.kind=mrpb"}), testing::HasSubstr("stands beside no bypass"));
  EXPECT_THAT(refusal({"core.pc_bits=5"}), testing::HasSubstr("must be 0 or from 8 to 32"));
  EXPECT_THAT(refusal({"mshr.entries=65"}), testing::HasSubstr("must be at most 64"));
}

TEST(Snoops, LockStep) { verif::expect_same("l1d", verif::small_with_snoops, 250'000, verif::fresh_seed(7)); }

// The sound unit runs here, too.
TEST(Snoops, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"snoops_find_nothing", "", "answer_mask_q", "found", low()},
      {"snoops_find_all", "", "answer_mask_q", "found", high()},
      {"snoops_stay", "", "fire", "grant_snoop", low()},
      {"snoops_touch", "", "load", "~probe_snoop_q", high()},
      {"snoops_count_as_hits", "", "grant_hit", "~snoops", high()},
      {"snoops_ask_beside_fills", "", "hit_asks", "~clear_ways", low()},
      {"snoops_read_nothing", "", "data_store.read", "snoops", low()},
      {"snoops_keep_their_turn", "", "granted", "grant_snoop", low()},
      {"stores_wait_for_nothing", "", "held", "", low()},
      {"stores_wait_for_other_entries", "", "held", "entry_match", high()},
      {"stores_wait_for_searches_of_others", "_mshr_lookup", "match_searched", "coming_q", high()},
      {"loads_wait_too", "", "held", "changes_line", high()},
      {"what_waits_is_overwritten", "", "data_ready", "not_full", high()},
      {"waiting_for_a_search_is_no_fail", "", "event_reservation_fail_line_q", "held", low()},
      {"snoops_wait_behind_fails", "", "probe_open", "fails", low()},
      {"all_pass_a_fail", "", "probe_open", "core_request_kind[2]", high()},
      {"stores_that_wait_are_not_passed", "", "fails", "other", low()},
      {"two_are_set_aside", "", "probe_open", "~aside_q", high()},
      {"the_one_set_aside_is_lost", "", "aside_q", "snoop_passes", low()},
      {"its_tag_is_the_next_ones", "", "coming_tag", "aside_q", low()},
      {"its_set_is_the_next_ones", "", "coming_set", "aside_q", low()},
      {"its_set_is_not_read", "", "tags.comes", "aside_q", low()},
      {"its_entry_is_the_snoops", "", "mshr.enter_tag", "", other("tag")},
      {"its_kind_is_the_next_ones", "", "probe_kind_q", "aside_q", low()},
      {"its_mask_is_the_next_ones", "", "probe_mask_q", "aside_q", low()},
      {"its_instruction_is_the_next_ones", "", "probe_pc_q", "aside_q", low()},
      {"it_comes_back_a_snoop", "", "probe_snoop_q", "~aside_q", high()},
      {"its_id_is_the_snoops", "", "old_id_q", "~aside_q", high()},
      {"what_it_writes_is_the_next_ones", "", "probe_data_q", "~aside_q", high()},
      {"a_failing_load_touches_its_way", "", "tags.load", "found", high()},
      {"flushed_beside_one_set_aside", "", "flush_ready", "", beside_aside},
      {"snoops_pass_a_flush", "", "core_request_ready", "~flush_valid", high()},
      {"fetches_carry_no_instruction", "", "miss_queue.push_pc", "", low()}};
  verif::expect_all_found("l1d", verif::small_with_snoops, faults, {.cycles = 150'000});
}
