// The lock step of the reuse-count filter can fail: copies of its Verilog with one thing broken, every one of
// which must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::low, verif::only_with, verif::other, verif::stuck;

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

const verif::Fault faults[] = {
    // Which loads get a line.
    {"threshold_one_higher", "_tags", "hot", "2'd1", stuck(2)},
    {"filter_always_on", "_tags", "filtered", "filter_enable", high()},
    {"pending_line_bypassed", "", "bypass", "~entry_match", high()},
    // Counts.
    {"count_wraps", "_tags", "raised_counts", "&reuse_counts[entry * 2 +: 2]", low()},
    {"new_entry_counts_two", "_tags", "rc_after", "2'd1", stuck(2)},
    {"loser_keeps_a_count", "_tags", "aged_counts", "2'd0", stuck(1)},
    {"zero_ages", "_tags", "aged_counts", "|reuse_counts[entry * 2 +: 2]", high()},
    {"free_way_ages_nobody", "_tags", "rc_after", "allocate", only_with("none_open")},
    {"counts_read_too_early", "_tags", "row_beside_q", "same_set", low()},
    // Entries.
    {"waiting_entry_replaced", "_tags", "settled", "busy_now[0]", low()},
    {"tie_goes_to_the_later_entry", "least_of_4_w2_one", "ahead", "own < counts[other * 2 +: 2]",
     verif::other_tie()},
    {"victim_before_an_unused_entry", "_tags", "new_entry", "&row_entries_q",
     [](const Expr&, const Nets& net) { return rtl::any(net("row_entries_q")); }},
    {"tag_read_too_early", "_tags", "bypass_q", "same_set", low()},
    {"entry_survives_a_flush", "_tags", "kept_entries", "flush", low()},
    // Links and lines.
    {"loser_keeps_its_link", "_tags", "unlinked", "allocate", low()},
    {"link_to_another_way", "_tags", "positions_after", "2'd2", stuck(1)},
    {"line_of_the_victim_not_offered", "_tags", "open_ways", "~has_entry", low()},
    {"line_outlives_its_entry", "_tags", "cleared", "takes", only_with("allocate")},
    {"store_leaves_the_line", "_tags", "cleared", "invalidate", low()},
    {"bypass_counts_no_eviction", "_tags", "evicted", "takes", only_with("allocate")},
    // The way of a bypass.
    {"bypass_under_an_id_of_a_fetch", "", "miss_queue.push_id", "other | bypass", other("other")},
    {"bypass_asks_for_the_line", "", "miss_queue.push_mask", "bypass", low()},
    {"bypass_overruns_the_queue", "", "bypass", "queue_not_full", high()},
    {"bypass_counts_the_line", "", "event_chunks_requested_q", "bypass", low()},
    {"bypass_is_no_load", "", "event_loads_q", "bypass", low()},
};

}  // namespace

TEST(L1dReuseFaults, EveryBrokenCopyIsFound) {
  // That the victim of the entries has the only line that may go is rare.
  verif::expect_all_found("l1d_reuse_filter", settings, faults, {.cycles = 500'000});
}
