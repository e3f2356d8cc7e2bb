// The lock step of the adaptive index inside a cache can fail: copies of its Verilog with one thing broken,
// every one of which must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::low, verif::only_with, verif::other, verif::stuck;

const std::vector<std::string> settings{"geometry.capacity_bytes=1024",
                                        "geometry.line_bytes=32",
                                        "geometry.chunk_bytes=8",
                                        "geometry.ways=2",
                                        "tags.kind=sectored",
                                        "tags.store_scope=mask",
                                        "adaptive.period=16",
                                        "adaptive.counter_bits=4",
                                        "adaptive.idle=5",
                                        "index.latency=2",
                                        "mshr.entries=4",
                                        "mshr.merges=3",
                                        "mshr.miss_queue=3",
                                        "core.id_bits=5",
                                        "counters.enable=true"};

const verif::Fault faults[] = {
    // The two cycles of a change.
    {"probe_in_the_first_cycle", "", "held_up", "moves_sel", low()},
    {"probe_in_the_second_cycle", "", "held_up", "again_q", low()},
    {"stages_close_up", "", "x2_free", "~held_up", high()},
    {"request_taken", "", "x1_free", "~held_up", high()},
    {"data_of_a_store_enters_twice", "", "payload_enters", "x1_free", high()},
    {"lines_stay_valid", "", "flush", "moves_sel", low()},
    {"old_set", "", "looks_up", "again_q", low()},
    {"set_of_the_next_request", "", "set_index", "again_q", low()},
    {"old_row_of_the_tag_store", "", "tags.moves", "", other("probe_free")},
    {"change_is_no_flush_event", "", "event_flushes_q", "", only_with("flush_ready")},
    // What the monitor is shown.
    {"store_shown", "", "watched_valid_q", "load_fires", other("fire")},
    {"refused_load_shown", "", "watched_valid_q", "load_fires", other("load")},
    {"every_load_misses", "", "watched_miss_q", "", high()},
    {"line_of_the_next_request_shown", "", "watched_block_address_q", "", other("x2_block_address_q")},
    // The monitor, and the index.
    {"period_one_short", "_monitor", "phase_ends", "LAST_SAMPLE", stuck(14)},
    {"winner_not_taken", "_monitor", "sel1_q", "winner", other("sel1_q")},
    // Counters of a search, of which the sound one may lie far from the decision.
    {"pairs_that_differ_counted", "_victimization", "pair_equal", "", verif::inverted()},
    {"position_of_a_candidate", "_selection", "above1", "5'h6", stuck(7)},
    {"change_of_the_highest_candidate_lost", "_selection", "changed_q", "",
     [](const Expr& sound, const Nets&) { return sound & rtl::zext(rtl::lit(23, 0x7fffff), 24); }},
    {"index_bit_twice", "_index", "set_index", "byte_address[sel2]",
     [](const Expr&, const Nets& net) { return net("byte_address").part_below(net("sel3"), 1); }},
};

}  // namespace

TEST(L1dAdiFaults, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d_adi", settings, faults); }
