// The lock step of the reuse-count filter can fail: copies of its Verilog with one thing broken, every one of
// which must be found, while the sound unit is not accused.
#include "verif/l1d/planted_faults.h"

namespace {

const std::vector<std::string> settings{"geometry.capacity_bytes=1024",
                                        "geometry.line_bytes=32",
                                        "geometry.chunk_bytes=8",
                                        "geometry.ways=2",
                                        "tags.reuse_filter.ways=4",
                                        "tags.reuse_filter.rc_bits=2",
                                        "tags.reuse_filter.follow=true",
                                        "mshr.entries=4",
                                        "mshr.merges=3",
                                        "mshr.miss_queue=3",
                                        "core.id_bits=5",
                                        "counters.enable=true"};

const verif::PlantedFault faults[] = {
    {"sound", "", "endmodule", "endmodule"},
    // Which loads get a line.
    {"threshold_one_higher", "_tags", "+: 2] >= 2'd1", "+: 2] >= 2'd2"},
    {"filter_always_on", "_tags", "filtered = filter_enable & ", "filtered = "},
    {"pending_line_bypassed", "", "no_hit & ~entry_match & filtered & has_place",
     "no_hit & filtered & has_place"},
    // Counts.
    {"count_wraps", "_tags", "((&reuse_counts[entry * 2 +: 2]) ?", "(1'd0 ?"},
    {"new_entry_counts_two", "_tags", "(tag_written[entry] ? 2'd1", "(tag_written[entry] ? 2'd2"},
    {"loser_keeps_a_count", "_tags", "(loser[entry] ? 2'd0", "(loser[entry] ? 2'd1"},
    {"zero_ages", "_tags", "- {1'd0, |reuse_counts[entry * 2 +: 2]}", "- 2'd1"},
    {"free_way_ages_nobody", "_tags", "(allocate ? (loser", "((allocate & none_open) ? (loser"},
    {"counts_read_too_early", "_tags", "row_beside_q <= counted & same_set",
     "row_beside_q <= counted & same_set & 1'd0"},
    // Entries.
    {"waiting_entry_replaced", "_tags", "settled = ~((holder0 & {4{busy_now[0]}})",
     "settled = ~((holder0 & {4{busy_now[0] & 1'd0}})"},
    {"tie_goes_to_the_later_entry", "_tags", "entry_fewer1 = reuse_counts[3:2] < reuse",
     "entry_fewer1 = reuse_counts[3:2] <= reuse"},
    {"victim_before_an_unused_entry", "_tags", "(&row_entries_q) ? entry", "(|row_entries_q) ? entry"},
    {"tag_read_too_early", "_tags", "bypass_q <= tag_written & {4{same_set}}",
     "bypass_q <= tag_written & {4{same_set & 1'd0}}"},
    {"entry_survives_a_flush", "_tags", "entries_after & ~{4{flush}}", "entries_after & ~{4{flush & 1'd0}}"},
    // Links and lines.
    {"loser_keeps_its_link", "_tags", "unlinked = tag_written | (((holder0",
     "unlinked = tag_written | (4'd0 & ((holder0"},
    {"link_to_another_way", "_tags", "(|(new_way & 2'd2)) : positions", "(|(new_way & 2'd1)) : positions"},
    {"line_of_the_victim_not_offered", "_tags", "(taken_way & {2{~has_entry}})",
     "(taken_way & {2{~has_entry & 1'd0}})"},
    {"line_outlives_its_entry", "_tags", "(taken_way & {2{takes}})", "(taken_way & {2{takes & allocate}})"},
    {"store_leaves_the_line", "_tags", "{2{invalidate}}", "{2{invalidate & 1'd0}}"},
    {"bypass_counts_no_eviction", "_tags", "evicted = (takes & ", "evicted = (allocate & takes & "},
    // The way of a bypass.
    {"bypass_under_an_id_of_a_fetch", "", "{other | bypass, (other", "{other, (other"},
    {"bypass_asks_for_the_line", "", "(other | bypass) ? probe_mask_q", "other ? probe_mask_q"},
    {"bypass_overruns_the_queue", "", "~entry_match & filtered & has_place", "~entry_match & filtered"},
    {"bypass_counts_the_line", "", "bypass ? asked_number", "(bypass & 1'd0) ? asked_number"},
    {"bypass_is_no_load", "", "event_loads_q <= touch | bypass", "event_loads_q <= touch"},
};

}  // namespace

TEST(L1dReuseFaults, EveryBrokenCopyIsFound) {
  verif::expect_all_found(faults, "l1d_reuse_filter", settings);
}
