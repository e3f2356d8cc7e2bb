// What the tag-lookup stage of split tags finds and plans, and what it changes (TSC paper, section 3).
#pragma once
#include <optional>

#include "hw/tags/split_tag_parts.h"

namespace hw {

// Returns the slots of chunks that the load finds.
rtl::Expr find_slots(SplitFrame& f, const SplitState& state, const rtl::Expr& places_q,
                     const rtl::Expr& missed, const SplitResult& result);

// Adds the plan for the next cycle. Returns where the search for victims begins, a wire, with victims by
// chunk.
std::optional<rtl::Expr> plan_slots(SplitFrame& f, const SplitState& state, const SplitPlan& plan,
                                    const rtl::Expr& kept, const rtl::Expr& missed);

// Drives that wire. Returns the register that it is of.
rtl::Expr random_start(SplitFrame& f, const rtl::Expr& start, const rtl::Expr& valid_row,
                       const rtl::Expr& new_slots, const rtl::Expr& allocate);

// Of protected tags the slots that go, since their tag is wrong; drives the outputs that say so.
std::optional<rtl::Expr> wrong_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state);

void change_valid_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state,
                        const rtl::Expr& displaced, const std::optional<rtl::Expr>& emptied);
void change_busy_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state,
                       const rtl::Expr& new_slots);
void change_used_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state, const rtl::Expr& kept,
                       const rtl::Expr& new_slots);

void observe_slots(SplitFrame& f, const SplitState& state, const std::optional<rtl::Expr>& lfsr_q);

}  // namespace hw
