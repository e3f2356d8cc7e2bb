// The lock step of the adaptive-indexing monitor can fail: copies of its Verilog with one thing broken, every
// one of which must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using rtl::Expr;
using verif::high, verif::low, verif::Nets, verif::other, verif::other_tie, verif::stuck;

const std::vector<std::string> settings{"geometry.address_bits=20", "index.sets=16", "adaptive.period=16",
                                        "adaptive.counter_bits=4", "adaptive.idle=5"};

// Also where the least so far is met again.
verif::Change or_equal(const std::string& least) {
  return [least](const Expr& less, const Nets& net) { return less | (net("least_q") == net(least)); };
}

const verif::Fault faults[] = {
    {"misses_not_asked_for", "", "sampled_miss", "probe_miss", high()},
    {"period_one_short", "", "phase_ends", "LAST_SAMPLE", stuck(14)},
    {"idle_one_long", "", "phase_ends", "LAST_IDLE", stuck(5)},
    {"candidates_not_awaited", "", "phase_q", "arranged", other("victim_found")},
    {"flush_not_awaited", "", "phase_q", "~flush_q | flush_ready", high()},
    {"flush_always", "", "flush_q", "winner_moves", high()},
    {"sel_of_another_victim", "", "sel2_q", "victim[2]",
     [](const Expr&, const Nets& net) { return net("victim").bit(1); }},
    {"winner_is_not_taken", "", "sel1_q", "winner", other("sel1_q")},
    {"index_of_another_bit", "", "index_q", "byte_address[sel3_q]",
     [](const Expr&, const Nets& net) { return net("byte_address").part_below(net("sel2_q"), 1); }},
    {"pair_of_other_bits", "_victimization", "pair_equal", "{2{index_bits[1]}}",
     [](const Expr&, const Nets& net) { return rtl::replicate(2, net("index_bits").bit(0)); }},
    {"entropy_without_minimum", "_victimization", "least_q", "rest", other("reading")},
    {"tie_goes_to_the_later_bit", "_victimization", "lowest_entropy_q", "less", or_equal("lowest_entropy_q")},
    {"tie_goes_to_the_pair_last", "_victimization", "lowest_pair_q", "less", or_equal("lowest_pair_q")},
    {"entropy_wins_a_tie", "_victimization", "by_entropy", "", other_tie()},
    {"upper_bit_of_the_pair", "_victimization", "victim_q", "less ? pair_j_q : pair_i_q",
     [](const Expr&, const Nets& net) { return mux(net("less"), net("pair_i_q"), net("pair_j_q")); }},
    {"pairs_left_out", "_victimization", "last", "i_q[2]",
     [](const Expr&, const Nets& net) { return net("i_q").bit(1); }},
    {"counters_not_cleared", "_victimization", "ones_q", "clear", low()},
    {"first_sample_counts", "_selection", "counts_changes", "valid_q[entry]", high()},
    {"entries_stay_valid", "_selection", "valid_q", "8'h0", other("valid_q")},
    {"victim_is_no_candidate", "_selection", "kept", "~at_victim", high()},
    {"victim_loses_a_tie", "_selection", "better", "most_q == reading_q", low()},
    {"last_wins_a_tie", "_selection", "better", "most_q < reading_q", other_tie()},
    {"entry_of_another_index", "_selection", "entry", "|victim[1:0]",
     [](const Expr&, const Nets& net) { return rtl::any(net("victim").slice(2, 0)); }},
    {"candidate_of_another_place", "_selection", "gap2_q", "slot_q",
     [](const Expr& slot, const Nets&) { return slot + rtl::lit(slot.width(), 1); }},
    {"last_sample_not_awaited", "_selection", "walking", "counting_q", low()},
};

}  // namespace

TEST(AdiFaults, EveryBrokenCopyIsFound) {
  verif::expect_all_found("adi_monitor", settings, faults, {.cycles = 60'000, .seed = 7});
}
