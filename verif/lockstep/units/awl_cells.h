// Cells of the table of adaptive warp limiting: which of them a period of a search falls in, and which of
// them, and how many periods, a search can come to.
#pragma once
#include <set>
#include <string>

#include "golden/iacm/awl.h"

namespace verif {

// By the search as it was, whether the period's IPC was above the one before, and the search as it is then.
std::string awl_cell(const golden::WarpSearch& before, bool pays, const golden::WarpSearch& after,
                     bool ended);

struct AwlReach {
  std::set<std::string> cells;
  int longest = 0;                     // periods in which something was issued
  int least = 0, most_over_total = 0;  // of all limits: the smallest, and how far one went beyond the total
};

// Over every kernel, every count to begin with and every course of the IPC.
AwlReach awl_reach(const hw::AwlParams& p);

}  // namespace verif
