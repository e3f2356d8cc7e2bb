// The lock step of decoupled sectored tags can fail: copies of their Verilog with one thing broken, every one
// of which must be found, while the sound unit is not accused.
#include <gtest/gtest.h>

#include "verif/mutate/mutation_run.h"

namespace {

using verif::high, verif::low, verif::Nets, verif::other;

const std::vector<std::string> settings{"geometry.capacity_bytes=1024",
                                        "geometry.line_bytes=64",
                                        "geometry.chunk_bytes=16",
                                        "geometry.ways=2",
                                        "tags.store_scope=mask",
                                        "mshr.entries=4",
                                        "mshr.merges=3",
                                        "mshr.miss_queue=3",
                                        "core.id_bits=5",
                                        "counters.enable=true"};

rtl::Expr highest_of_two(const rtl::Expr&, const Nets& net) {
  const rtl::Expr ways = net("free");
  return rtl::cat({ways.bit(1), ways.bit(0) & ~ways.bit(1)});
}

rtl::Expr named_by_selectors(const rtl::Expr&, const Nets& net) { return rtl::any(net("owns")); }

const verif::Fault faults[] = {
    // Positions and their owners.
    {"selector_not_written", "_tags", "selectors_after", "taken[place]", low()},
    {"selectors_read_too_early", "_tags", "bypass_selectors_q", "allocate", low()},
    {"chunks_of_a_replaced_tag_kept", "_tags", "emptied", "fresh_q", low()},
    {"chunks_of_a_found_line_dropped", "_tags", "emptied", "fresh_q", high()},
    {"last_chunk_lost_and_the_tag_kept", "_tags_way_line", "used", "", named_by_selectors},
    {"others_chunks_found", "_tags_way_line", "holds", "owns", high()},
    {"store_poisons_the_mask_only", "_tags", "cleared_chunks", "entry_match", low()},
    // What may not be overwritten.
    {"new_line_overwrites_a_pending_place", "_tags_way", "blocked", "", low()},
    {"found_line_overwrites_a_pending_place", "_tags", "enough_q", "own_busy", low()},
    {"replaced_tag_with_a_held_chunk", "_tags_choice_offer", "settled", "waits", low()},
    {"load_holds_nothing", "_tags", "waiting_way", "waits", low()},
    {"first_answer_releases", "_mshr", "replay_released", "last_for", high()},
    {"flushed_line_found", "_tags", "line", "filled", other("used")},
    // The choice.
    {"ranks_not_moved", "_tags", "left_ages", "load", low()},
    {"tie_to_the_highest_way", "_tags_choice", "first_free", "", highest_of_two},
    {"replaced_line_is_no_loser", "_tags_choice_offer", "losers", "offered & used", low()},
    {"overwritten_lines_are_no_losers", "_tags_choice_offer", "losers", "hurt", low()},
    {"plan_from_this_cycle", "", "plan_holds", "planned_q", high()},
    // Counters.
    {"lines_overwritten_away_not_counted", "_tags", "kept_places", "displaced", low()},
};

}  // namespace

TEST(L1dDscFaults, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d_dsc", settings, faults); }
