// Reuse-count filter: which entry and which data way a load takes, and the reuse counts that it leaves.
#pragma once
#include "hw/tags/reuse_filter_parts.h"

namespace hw {

// Adds the choice of an entry for a line that has none. Returns the victim among the data ways.
ReplacementLogic choose_entry(ReuseFrame& f, const ReuseState& state, const DataLinks& links,
                              const ReuseTags& tags, const rtl::Expr& counts, const ReusePorts& ports);

// The data way whose line goes with its entry, and whether the request touches its data way.
struct ChosenWay {
  rtl::Expr taken, touches;
};
ChosenWay choose_way(ReuseFrame& f, const ReuseState& state, const DataLinks& links, const ReuseTags& tags,
                     const rtl::Expr& line_way, const ReplacementLogic& oldest, const ReusePorts& ports);

void next_reuse(ReuseFrame& f, const ReuseState& state, const DataLinks& links, const ReuseTags& tags,
                const ReuseRow& row, const rtl::Expr& entry_way, const rtl::Expr& allocate);

}  // namespace hw
