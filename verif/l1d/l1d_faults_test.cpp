// The lock step of the L1 data cache can fail: copies of its Verilog with one thing broken, every one of
// which must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::low, verif::other, verif::stuck;

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

const verif::Fault faults[] = {
    // Answers.
    {"hit_beside_a_fill", "", "memory_response_ready", "fill", low()},
    {"banks_of_a_fill_read", "", "clear_ways", "probe_overlap", low()},
    {"replay_beside_a_fill", "", "replay_asks", "replay_blocked", low()},
    {"turn_stays", "", "pointer_q", "GRANT_REPLAY", low()},
    {"tag_beside_the_ram_counts", "_tags", "bypass_equal_q", "", high()},
    {"answer_of_another_id", "", "answer_id_q", "replay_id", other("probe_id")},
    {"answer_overwritten", "", "answer_free", "~answer_valid_q", high()},
    {"direct_data_from_the_store", "", "answer_direct_q", "", low()},
    // Probes.
    {"pending_chunks_fetched_again", "", "missed", "entry_pending", low()},
    {"merge_with_a_poisoned_entry", "", "can_merge", "~entry_poisoned", high()},
    {"payload_enters_twice", "", "payload_enters", "probe_free", high()},
    {"load_steps_over_a_payload", "_miss_queue", "payload_read_row_q", "writes", high()},
    {"queue_overrun_by_a_store", "", "other_fires", "queue_not_full", high()},
    {"store_does_not_poison", "", "poison", "", low()},
    {"flush_under_a_probe", "", "flush_ready", "", high()},
    // MSHR file.
    {"fill_into_a_poisoned_entry_installs", "_mshr_entries", "shut", "poisoned_q", low()},
    {"fill_into_a_flushed_entry_installs", "_mshr_entries", "shut", "flushed_q", low()},
    {"flushed_entry_matches", "_mshr_lookup", "coming", "~flushed[e]", high()},
    {"one_merge_too_few", "_mshr_targets", "mergeable", "MERGES", stuck(2)},
    {"ring_does_not_wrap", "_mshr_targets", "replay_head_next", "LAST_PLACE", stuck(3)},
    {"fill_does_not_wake", "_mshr_replay", "awake_q", "woken", low()},
    {"fill_wakes_the_entry_in_the_stage", "_mshr_replay", "awake_q", "~leaves", low()},
    {"parked_stays_awake", "_mshr_replay", "leaves", "parked", low()},
    {"freed_entry_in_use", "_mshr_entries", "in_use", "gone", low()},
    {"freed_entry_matches", "_mshr_lookup", "match", "freed", low()},
    {"answered_one_waits", "_mshr_counts", "head_now", "answered", low()},
    {"joined_entry_freed", "_mshr_replay", "frees", "~added", high()},
    {"pointer_stays", "_mshr_next", "entries_behind_q", "", other("entries_behind_q")},
    // Tag store.
    {"invalid_way_last", "_tags", "new_way", "none_invalid", high()},
    {"age_not_written", "_tags", "left_row", "load", low()},
    {"busy_way_not_deallocated", "_tags", "busy_q", "dealloc_way_q", low()},
    {"late_row_read_early", "_tags", "coming_valid", "late_entered", low()},
    {"late_fill_not_read", "_tags", "stored_valid", "fill_q", low()},
    {"store_under_a_fill", "_tags", "row_valid", "cleared",
     [](const Expr& cleared, const Nets& net) { return cleared & ~net("fill_bits"); }},
    // Miss queue and data store.
    {"queue_one_place_short", "_miss_queue", "queue_not_full", "QUEUE_ENTRIES", stuck(2)},
    {"queue_wraps_early", "_miss_queue", "write_row_q", "LAST_ROW", stuck(1)},
    {"byte_enables_of_loads", "_miss_queue", "memory_request_byte_enable", "writes", high()},
    {"line_of_another_way", "_data_store", "shown_way_q", "2'd2", stuck(1)},
};

// Where all loads of an entry join before the first is answered.
const std::vector<std::string> whole_lines{"geometry.capacity_bytes=1024",
                                           "geometry.line_bytes=32",
                                           "geometry.chunk_bytes=8",
                                           "geometry.ways=2",
                                           "mshr.entries=4",
                                           "mshr.merges=3",
                                           "mshr.miss_queue=3",
                                           "core.id_bits=5"};

const verif::Fault faults_of_whole_lines[] = {
    {"one_merge_too_few", "_mshr_targets", "mergeable", "FULL", stuck(1)},
    {"free_entry_keeps_its_count", "_mshr_targets", "more_q", "in_use[count_of]", high()},
    {"load_is_not_counted", "_mshr_targets", "joined", "merge", low()},
    {"new_entry_in_a_later_slot", "_mshr_targets", "new_slot", "allocate", low()},
    {"slot_stays", "_mshr_targets", "slot_q", "slot_behind", other("slot_q")},
    {"last_slot_of_the_entry_before", "_mshr_targets", "last_slot_q", "next_more", other("last_slot_q")},
    {"stage_keeps_its_entry", "_mshr_replay", "leaves", "last_target", low()},
    {"fill_does_not_wake", "_mshr_replay", "awake_q", "woken", low()},
    {"fill_goes_to_all_ways", "", "fill_way", "", high()},
    {"fetch_names_the_first_way", "", "miss_queue.push_id", "way_number", low()},
};

// The request behind a load that takes an entry is compared with that load, since the entry is not in the
// file yet: here without a bit of the set or of the tag.
gen::Change without_bit(int bit, const char* own) {
  return [=](const Expr& entering, const Nets& net) {
    const Expr one = rtl::lit(entering.width(), std::uint64_t{1} << bit);
    return (entering & ~one) | (net(own) & one);
  };
}

const verif::Fault faults_of_comparison[] = {
    {"lowest_bit_of_the_set_ignored", "_mshr_lookup", "same_line", "enter_set", without_bit(0, "probe_set")},
    {"highest_bit_of_the_set_ignored", "_mshr_lookup", "same_line", "enter_set", without_bit(4, "probe_set")},
    {"lowest_bit_of_the_tag_ignored", "_mshr_lookup", "same_line", "enter_tag", without_bit(0, "probe_tag")},
    {"highest_bit_of_the_tag_ignored", "_mshr_lookup", "same_line", "enter_tag",
     without_bit(19, "probe_tag")},
};

}  // namespace

TEST(L1dFaults, EveryBrokenCopyOfWholeLinesIsFound) {
  verif::expect_all_found("l1d", whole_lines, faults_of_whole_lines);
}

TEST(L1dFaults, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d", settings, faults); }

TEST(L1dFaults, ABitIgnoredBehindALoadThatTakesAnEntryIsFound) {
  verif::expect_all_found("l1d", {}, faults_of_comparison, {.cycles = 300'000});
}
