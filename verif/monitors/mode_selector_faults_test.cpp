// The lock step of the selector between fine and coarse accesses can fail: copies of its Verilog with one
// thing broken, every one of which must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::low, verif::only_with, verif::stuck;

const std::vector<std::string> settings{"index.sets=16", "mode.threshold=8"};

const verif::Fault faults[] = {
    // What is counted.
    {"a_fine_sampler_forgotten", "", "fine_sample", "probe_set == 4'd12", low()},
    {"hits_count_as_misses", "", "fine_miss", "probe_miss", high()},
    {"loads_without_a_miss_unseen", "", "coarse_seen", "coarse_sample", only_with("probe_miss")},
    {"the_request_itself_not_counted", "", "fine_traffic", "17'h1", low()},
    // When the counters are halved.
    {"shift_a_miss_early", "", "fine_high", "THRESHOLD", stuck(7)},
    {"coarse_samplers_never_shift", "", "shift", "coarse_high", low()},
    {"traffic_not_halved", "", "coarse_traffic_q", "shift", low()},
    {"seen_for_ever", "", "fine_seen_q", "~shift", high()},
    // Who wins, and when.
    {"compared_before_halving", "", "next_fine_traffic_q", "fine_traffic[5:1]",
     [](const Expr&, const Nets& net) { return net("fine_traffic").slice(4, 0); }},
    {"lowest_bits_of_the_products_lost", "", "rest_q", "sum[0]", low()},
    {"unseen_mode_wins", "", "mode_coarse_q", "coarse_factor_seen_q", high()},
    {"a_tie_goes_to_fine", "", "mode_coarse_q", "fine_less",
     [](const Expr&, const Nets& net) { return ~net("coarse_less"); }},
    {"comparison_restarted_by_a_shift", "", "begins", "~busy", high()},
    {"shift_meanwhile_forgotten", "", "waiting_q", "shift",
     [](const Expr& shift, const Nets& net) { return shift & ~net("busy"); }},
    {"values_replaced_under_way", "", "fine_factor_misses_q", "begins",
     [](const Expr& begins, const Nets& net) { return begins | (net("waiting_q") & net("busy")); }},
    {"first_shift_that_waits_is_kept", "", "next_coarse_traffic_q", "shift",
     [](const Expr& shift, const Nets& net) { return shift & ~net("waiting_q"); }},
    {"mode_changes_a_cycle_early", "", "mode_coarse_q", "STEP_DECISION", stuck(3)},
};

}  // namespace

TEST(ModeSelectorFaults, EveryBrokenCopyIsFound) {
  verif::expect_all_found("mode_selector", settings, faults);
}
