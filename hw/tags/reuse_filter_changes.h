// Reuse-count filter: state a set, of which the probe's row lies in registers and reaches the arrays a cycle
// later.
#pragma once
#include "hw/tags/reuse_filter_choice.h"

namespace hw {

// `emptied`: entries that go, since their tag is wrong.
void change_entries(ReuseFrame& f, const ReuseState& state, const ReuseTags& tags, const ReusePorts& ports,
                    const rtl::Expr& touches, const rtl::Condition& emptied);

void change_lines(ReuseFrame& f, const ReuseState& state, const ReuseTags& tags, const ReusePorts& ports,
                  const DataLinks& links, const rtl::Expr& line_way, const rtl::Expr& taken_way,
                  const rtl::Condition& emptied);

void change_busy_ways(ReuseFrame& f, const ReuseState& state, const ReuseTags& tags, const ReusePorts& ports);

void observe_reuse(ReuseFrame& f, const ReuseState& state);

}  // namespace hw
