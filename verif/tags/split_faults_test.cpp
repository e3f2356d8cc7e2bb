// The lock step of split tags can fail: copies of their Verilog with one thing broken, every one of which
// must be found, while the sound unit is not accused.
#include "verif/l1d/planted_faults.h"

namespace {

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

const verif::PlantedFault faults[] = {
    {"sound", "", "endmodule", "endmodule"},
    // Where chunks go.
    {"pending_group_retagged", "_tags_places_group", "filled & ~(same_tag | (|slot_busy))",
     "filled & ~same_tag"},
    {"held_slot_is_a_victim", "_tags_places_group", "~(slot_busy | slot_kept)", "~slot_kept"},
    {"search_starts_a_slot_late", "_tags_places", ">= start", "> start"},
    {"opened_group_ascending", "_tags_places_group", "wire [3:0] opens = ", "wire [3:0] opens = 4'd0 & "},
    {"plan_from_this_cycle", "", "planned_q & enough", "enough"},
    // Tags.
    {"retagged_group_stays_valid", "_tags", "displaced = new_slots | retagged_slots",
     "displaced = new_slots"},
    {"tag_read_too_early", "_tags", "bypass_slot_q <= new_slots & {8{allocate",
     "bypass_slot_q <= new_slots & {8{1'd0 & allocate"},
    {"tag_compared_too_early", "_tags", "fresh = new_slots & ", "fresh = 8'd0 & new_slots & "},
    {"use_bits_never_wrap", "_tags", "{8{&marked}}", "{8{1'd0}}"},
    {"pending_slots_not_touched", "_tags", "kept | pending_slots", "kept"},
    {"victim_without_a_step", "_tags", "takes_victim = allocate & ", "takes_victim = 1'd0 & "},
    {"store_dooms_the_mask_only", "_tags", "probe_mask | {4{entry_match}}", "probe_mask"},
    // Slots that wait.
    {"fill_frees_a_waited_entry", "_mshr", "complete & ~waited", "complete"},
    {"load_without_pending_chunks_sleeps", "_mshr", "at_once = joins & ", "at_once = 1'd0 & "},
    {"answered_load_counts_on", "_mshr", "last_entry_bits_q[waits_of] & answered_q", "1'd0"},
    {"fill_releases_nothing", "_tags", "(fill_released & {8{fill_set == probe_set}})", "8'd0"},
    // Data and modes.
    {"bank_read_and_written", "", "hit_blocked = |", "hit_blocked = 1'd0 & |"},
    {"payload_overtaken", "", "(~compare_writes | payload_goes)", "1'd1"},
    {"payload_goes_twice", "", "compare_valid_q & ~ahead_q", "compare_valid_q"},
    {"coarse_stores_widen_the_answer", "", "probe_mask_q | {4{probe_coarse_q}}", "probe_mask_q"},
    {"fine_samplers_follow", "", "mode_coarse & ~fine_set", "mode_coarse"},
    {"counters_not_halved", "_mode_selector", "shift ? fine_traffic[16:1]", "1'd0 ? fine_traffic[16:1]"},
    {"mode_changes_a_cycle_early", "_mode_selector", "step_q <= 5'h17", "step_q <= 5'h16"},
};

}  // namespace

TEST(L1dTscFaults, EveryBrokenCopyIsFound) { verif::expect_all_found(faults, "l1d_tsc", settings); }
