// The lock step of split tags can fail: copies of their Verilog with one thing broken, every one of which
// must be found, while the sound unit is not accused.
#include "verif/l1d/planted_faults.h"

namespace {

const std::vector<std::string> settings{"geometry.capacity_bytes=2048",
                                        "geometry.line_bytes=64",
                                        "geometry.chunk_bytes=16",
                                        "tags.split.groups=2",
                                        "tags.split.private_tag_bits=4",
                                        "tags.store_scope=mask",
                                        "mode.kind=dueling",
                                        "mode.threshold=8",
                                        "mshr.entries=4",
                                        "mshr.merges=3",
                                        "mshr.miss_queue=3",
                                        "core.id_bits=5",
                                        "counters.enable=true"};

const verif::PlantedFault faults[] = {
    {"sound", "", "endmodule", "endmodule"},
    // Where chunks go.
    {"pending_group_retagged", "_tags_places", "~(same_tag | group_busy)", "~same_tag"},
    {"held_slot_is_a_victim", "_tags_places", "~(slot_busy | slot_kept)", "~slot_kept"},
    {"opened_group_ascending", "_tags_places", "wire [7:0] opens = ", "wire [7:0] opens = 8'd0 & "},
    {"plan_from_this_cycle", "", "planned_q & enough", "enough"},
    // Tags.
    {"retagged_group_stays_valid", "_tags", "displaced = new_slots | retagged_slots",
     "displaced = new_slots"},
    {"tag_read_too_early", "_tags", "bypass_slot_q <= new_slots & {8{allocate",
     "bypass_slot_q <= new_slots & {8{1'd0 & allocate"},
    {"tag_compared_too_early", "_tags", "fresh = new_slots & ", "fresh = 8'd0 & new_slots & "},
    {"use_bits_never_wrap", "_tags", "{8{&marked}}", "{8{1'd0}}"},
    {"pending_slots_not_touched", "_tags", "kept | pending_slots", "kept"},
};

}  // namespace

TEST(L1dTscFaults, EveryBrokenCopyIsFound) { verif::expect_all_found(faults, "l1d_tsc", settings); }
