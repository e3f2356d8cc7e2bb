// The lock step of the L1 data cache can fail: copies of its Verilog with one thing broken, every one of
// which must be found, while the sound unit is not accused.
#include "verif/l1d/planted_faults.h"

namespace {

const std::vector<std::string> settings{"geometry.capacity_bytes=1024",
                                        "geometry.line_bytes=32",
                                        "geometry.chunk_bytes=8",
                                        "geometry.ways=2",
                                        "tags.kind=sectored",
                                        "tags.store_scope=mask",
                                        "mshr.entries=4",
                                        "mshr.merges=3",
                                        "mshr.miss_queue=3",
                                        "core.id_bits=5",
                                        "counters.enable=true"};

const verif::PlantedFault faults[] = {
    {"sound", "", "endmodule", "endmodule"},
    // Answers.
    {"hit_beside_a_fill", "", "assign memory_response_ready = fill | grant_direct",
     "assign memory_response_ready = grant_direct"},
    {"banks_of_a_fill_read", "", "{2{probe_overlap}}", "{2{probe_overlap & 1'd0}}"},
    {"replay_beside_a_fill", "", "replay_ready & ~replay_blocked", "replay_ready & ~(replay_blocked & 1'd0)"},
    {"turn_stays", "", "grant_hit ? 2'd1 :", "grant_hit ? 2'd0 :"},
    {"tag_beside_the_ram_counts", "_tags", "bypass_equal_q <= enter_tag == probe_tag",
     "bypass_equal_q <= 1'd1"},
    {"answer_of_another_id", "", "replay_shown ? replay_id :", "replay_shown ? probe_id :"},
    {"answer_overwritten", "", "~answer_valid_q | core_response_ready", "1'd1 | core_response_ready"},
    {"direct_data_from_the_store", "", "answer_direct_q <= grant_direct", "answer_direct_q <= 1'd0"},
    // Probes.
    {"pending_chunks_fetched_again", "", "~(match_valid | entry_pending)",
     "~(match_valid | (entry_pending & 4'd0))"},
    {"merge_with_a_doomed_entry", "", "can_merge = ~entry_doomed", "can_merge = 1'd1"},
    {"queue_overrun_by_a_store", "", "other_fires = other & has_place", "other_fires = other"},
    {"store_does_not_doom", "", "doom = invalidate & entry_match", "doom = 1'd0 & entry_match"},
    {"flush_under_a_probe", "", "flush_ready = ~probe_valid_q", "flush_ready = 1'd1"},
    // MSHR file.
    {"fill_into_a_doomed_entry_lands", "_mshr", "shut = doomed_q | flushed_q", "shut = flushed_q"},
    {"fill_into_a_flushed_entry_lands", "_mshr", "shut = doomed_q | flushed_q", "shut = doomed_q"},
    {"flushed_entry_matches", "_mshr", "in_use_now[e] & ~flushed_q[e]", "in_use_now[e]"},
    {"one_merge_too_few", "_mshr", "!= 2'd3", "!= 2'd2"},
    {"ring_does_not_wrap", "_mshr", "(replay_head == 2'd2) ? 2'd0", "(replay_head == 2'd3) ? 2'd0"},
    {"fill_does_not_wake", "_mshr", "awake_q | (filled & ~(", "awake_q | (4'd0 & ~("},
    {"fill_wakes_the_entry_in_the_stage", "_mshr", "{4{~leaves}}", "{4{1'd0}}"},
    {"parked_stays_awake", "_mshr", "leaves = parked | (", "leaves = (parked & 1'd0) | ("},
    {"freed_entry_in_use", "_mshr", "in_use_now = in_use_q & ~gone", "in_use_now = in_use_q"},
    {"freed_entry_matches", "_mshr", "any_match = match_any_q & ~(freed_q &",
     "any_match = match_any_q & ~(1'd0 &"},
    {"answered_one_waits", "_mshr", "answered_q & last_entry_bits_q[rest]", "1'd0 & last_entry_bits_q[rest]"},
    {"joined_entry_freed", "_mshr", "last_waiter & ~added", "last_waiter"},
    {"pointer_stays", "_mshr", "places_behind_q <= next_places[3:1]", "places_behind_q <= places_behind_q"},
    // Tag store.
    {"invalid_way_last", "_tags", "none_invalid ? victim :", "(none_invalid | 1'd1) ? victim :"},
    {"age_not_written", "_tags", "load ? aged :", "(load & 1'd0) ? aged :"},
    {"busy_way_not_vacated", "_tags", "+: 2] & ~vacate_way_q", "+: 2]"},
    {"late_row_read_early", "_tags",
     "late_entered ? late_valid_q :", "(late_entered & 1'd0) ? late_valid_q :"},
    {"late_fill_not_read", "_tags", "(fill_bits_q & {8{fill_q &", "(fill_bits_q & {8{1'd0 &"},
    {"store_under_a_fill", "_tags", "~(cleared & {8{clears}})", "~(cleared & ~fill_bits & {8{clears}})"},
    // Miss queue and data store.
    {"queue_one_place_short", "_miss_queue", "count_q != 2'd3", "count_q != 2'd2"},
    {"queue_wraps_early", "_miss_queue", "(write_row_q == 2'd2)", "(write_row_q == 2'd1)"},
    {"byte_enables_of_loads", "_miss_queue", "& {32{writes}}", "& {32{writes | 1'd1}}"},
    {"line_of_another_way", "_data_store", "|(read_way & 2'd2)", "|(read_way & 2'd1)"},
};

}  // namespace

TEST(L1dFaults, EveryBrokenCopyIsFound) { verif::expect_all_found(faults, "l1d", settings); }
