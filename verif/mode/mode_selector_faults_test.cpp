// The lock step of the selector between fine and coarse accesses can fail: copies of its Verilog with one
// thing broken, every one of which must be found, while the sound unit is not accused.
#include "verif/l1d/planted_faults.h"

namespace {

const std::vector<std::string> settings{"index.sets=16", "mode.threshold=8"};

const verif::PlantedFault faults[] = {
    {"sound", "", "endmodule", "endmodule"},
    // What is counted.
    {"a_fine_sampler_forgotten", "", " | (probe_set == 4'd12)", " | (1'd0 & (probe_set == 4'd12))"},
    {"hits_count_as_misses", "", "fine_miss = fine_sample & probe_miss", "fine_miss = fine_sample"},
    {"loads_without_a_miss_unseen", "", "coarse_seen = coarse_seen_q | coarse_sample",
     "coarse_seen = coarse_seen_q | (coarse_sample & probe_miss)"},
    {"the_request_itself_not_counted", "", "{14'h0, probe_chunks}) +\n      17'h1)",
     "{14'h0, probe_chunks}) +\n      17'h0)"},
    // When the counters are halved.
    {"shift_a_miss_early", "", "fine_misses_q == 16'h8", "fine_misses_q == 16'h7"},
    {"coarse_samplers_never_shift", "", "shift = fine_high | coarse_high", "shift = fine_high"},
    {"traffic_not_halved", "", "shift ? coarse_traffic[16:1]", "1'd0 ? coarse_traffic[16:1]"},
    {"seen_for_ever", "", "fine_seen_q <= fine_seen & ~shift", "fine_seen_q <= fine_seen"},
    // Who wins, and when.
    {"compared_before_halving", "", "fine_bits_q <= fine_traffic[16:1]", "fine_bits_q <= fine_traffic[15:0]"},
    {"lowest_bits_of_the_products_lost", "", "rest_q <= rest_q | sum[0]", "rest_q <= rest_q"},
    {"unseen_mode_wins", "", "coarse_less &\n          coarse_may_win_q", "coarse_less"},
    {"a_tie_goes_to_fine", "", "~(fine_less & fine_may_win_q)", "~(~coarse_less & fine_may_win_q)"},
    {"comparison_not_restarted", "", "else if (shift) begin\n      step_q",
     "else if (shift & ~busy) begin\n      step_q"},
    {"mode_changes_a_cycle_early", "", "step_q == 5'h1", "step_q == 5'h2"},
};

}  // namespace

TEST(ModeSelectorFaults, EveryBrokenCopyIsFound) {
  verif::expect_all_found(faults, "mode_selector", settings);
}
