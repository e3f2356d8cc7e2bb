// The lock step of the adaptive index inside a cache can fail: copies of its Verilog with one thing broken,
// every one of which must be found, while the sound unit is not accused.
#include "verif/l1d/planted_faults.h"

namespace {

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

const verif::PlantedFault faults[] = {
    {"sound", "", "endmodule", "endmodule"},
    // The two cycles of a change.
    {"probe_in_the_first_cycle", "", "held_up = moves_sel | again_q",
     "held_up = (moves_sel & 1'd0) | again_q"},
    {"probe_in_the_second_cycle", "", "held_up = moves_sel | again_q",
     "held_up = moves_sel | (again_q & 1'd0)"},
    {"stages_close_up", "", "x2_free = ~held_up & (", "x2_free = (1'd1 | ~held_up) & ("},
    {"request_taken", "", "x1_free = ~held_up & (", "x1_free = (1'd1 | ~held_up) & ("},
    {"data_of_a_store_overwritten", "", "payload_free = ~held_up & ", "payload_free = (1'd1 | ~held_up) & "},
    {"lines_stay_valid", "", "(flush_valid & flush_ready) | moves_sel",
     "(flush_valid & flush_ready) | (moves_sel & 1'd0)"},
    {"old_set", "", "enter | (again_q & probe_valid_q)", "enter | (again_q & probe_valid_q & 1'd0)"},
    {"set_of_the_next_request", "", "again_q ? old_set", "(again_q & 1'd0) ? old_set"},
    {"old_row_of_the_tag_store", "", ".moves(turns_over)", ".moves(probe_free)"},
    {"change_is_no_flush_event", "", "event_flushes_q <= flush", "event_flushes_q <= flush & flush_ready"},
    // What the monitor is shown.
    {"store_shown", "", "watched_valid_q <= fire & load", "watched_valid_q <= fire"},
    {"refused_load_shown", "", "watched_valid_q <= fire & load", "watched_valid_q <= probed & load"},
    {"every_load_misses", "", "watched_miss_q <= push", "watched_miss_q <= push | 1'd1"},
    {"line_of_the_next_request_shown", "", "watched_block_address_q <= probe_block_address",
     "watched_block_address_q <= x2_block_address_q"},
    // The monitor, and the index.
    {"period_one_short", "_monitor", "4'd4 : 4'd15", "4'd4 : 4'd14"},
    {"winner_not_taken", "_monitor", "sel1_q <= winner", "sel1_q <= sel1_q"},
    {"index_bit_twice", "_index", "byte_address[sel3], byte_address[sel2]",
     "byte_address[sel3], byte_address[sel3]"},
};

}  // namespace

TEST(L1dAdiFaults, EveryBrokenCopyIsFound) { verif::expect_all_found(faults, "l1d_adi", settings); }
