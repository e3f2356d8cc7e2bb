// The lock step of split tags can fail: copies of their Verilog with one thing broken, every one of which
// must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using verif::high, verif::low, verif::stuck;

const std::vector<std::string> settings{"geometry.capacity_bytes=2048",
                                        "geometry.line_bytes=64",
                                        "geometry.chunk_bytes=16",
                                        "tags.split.groups=2",
                                        "tags.split.private_tag_bits=4",
                                        "tags.store_scope=mask",
                                        "mode.kind=dueling",
                                        "mode.threshold=8",
                                        "mshr.entries=4",
                                        "mshr.merges=3",
                                        "mshr.miss_queue=3",
                                        "core.id_bits=5",
                                        "counters.enable=true"};

const verif::Fault faults[] = {
    // Where chunks go.
    {"pending_group_retagged", "_tags_places_group", "foreign", "|slot_busy", low()},
    {"held_slot_is_a_victim", "_tags_places_group", "spare", "slot_busy", low()},
    {"search_starts_a_slot_late", "_tags_places", "from_start", "slot[2:0] >= start", verif::other_tie()},
    {"opened_group_ascending", "_tags_places_group", "opens", "", low()},
    {"plan_from_this_cycle", "", "plan_holds", "planned_q", high()},
    // Tags.
    {"retagged_group_stays_valid", "_tags", "displaced", "retagged_slots", low()},
    {"tag_read_too_early", "_tags", "bypass_slot_q", "allocate", low()},
    {"tag_compared_too_early", "_tags", "fresh", "", low()},
    {"use_bits_never_wrap", "_tags", "used_after", "&marked", low()},
    {"pending_slots_not_touched", "_tags", "marked", "pending_slots", low()},
    {"victim_without_a_step", "_tags", "takes_victim", "", low()},
    {"store_poisons_the_mask_only", "_tags", "cleared_chunks", "entry_match", low()},
    // Slots that wait.
    {"fill_frees_a_waited_entry", "_mshr_entries", "spent_q", "~waited", high()},
    {"load_without_pending_chunks_sleeps", "_mshr_entries", "at_once", "", low()},
    {"answered_load_waits_on", "_mshr_targets", "wanted_q", "let_go_q", low()},
    {"joining_load_is_not_the_last", "_mshr_targets", "joined_last_q", "added", low()},
    {"load_joins_before_its_row_is_read", "_mshr_targets", "joins_next", "", low()},
    {"fill_releases_nothing", "_tags", "row_busy", "fill_released", low()},
    // Data and modes.
    {"bank_read_and_written", "", "hit_blocked", "", low()},
    {"payload_enters_twice", "", "payload_enters", "compare_free", high()},
    {"load_steps_over_a_payload", "_miss_queue", "payload_read_row_q", "writes", high()},
    {"coarse_stores_widen_the_answer", "", "effective", "probe_coarse_q", low()},
    {"fine_samplers_follow", "", "enter_effective", "~fine_set", high()},
    {"counters_not_halved", "_mode_selector", "fine_traffic_q", "shift", low()},
    {"mode_changes_a_cycle_early", "_mode_selector", "step_q", "STEP_FIRST", stuck(0x16)},
};

}  // namespace

TEST(L1dTscFaults, EveryBrokenCopyIsFound) {
  verif::expect_all_found("l1d_tsc", settings, faults, {.cycles = 200'000});
}
