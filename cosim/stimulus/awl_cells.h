// Cells of the table of adaptive warp limiting: which of them a period of a search falls in, and which of
// them, and how many periods, a search can come to.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "golden/monitors/awl.h"

namespace verif {

// By the search as it was, whether the period's IPC was above the one before, and the search as it is then.
std::string awl_cell(const golden::WarpSearch& before, bool pays, const golden::WarpSearch& after,
                     bool ended);

// How a search's result stands to the one before, exactly at the fraction that counts as moved or just
// beyond; nothing with another fraction than the thesis', which no result may meet.
std::string awl_result(const hw::AwlParams& p, int before, int result);

inline constexpr int few_warps = 8;    // of kernels in which each cell and result is near
inline constexpr int many_warps = 16;  // of a kernel whose results have more bits

// The same by whether the last count paid; and a result that has not moved, of as many warps as half of
// `many_warps` or more. Nothing is empty.
std::vector<std::string> awl_details(const hw::AwlParams& p, int before, int result, bool pays);
// The details that searches of kernels with few warps, and of one with many, come to.
std::set<std::string> awl_all_details(const hw::AwlParams& p);

// The cell, and at a search's end the result, that the cycle between these two reached, in which so much was
// issued and no kernel started. Nothing but at the end of a period that counts.
std::vector<std::string> awl_reached(const hw::AwlParams& p, const golden::Awl& before,
                                     const golden::Awl& after, int issued);

// Every result that searches come to, of kernels with few warps.
std::set<std::string> awl_results(const hw::AwlParams& p);

// The way to a goal: whether the next period's IPC is above the one before, and how many periods it takes.
struct AwlAim {
  bool pays = true;
  int periods = 0;
};
// The shortest way from a search, or from where one begins, to any of these cells and results; `settled` is
// the result before.
std::optional<AwlAim> awl_aim(const hw::AwlParams& p, const golden::WarpSearch& search, int settled,
                              const std::set<std::string>& goals);

struct AwlReach {
  std::set<std::string> cells;
  int longest = 0;                     // periods in which something was issued
  int least = 0, most_over_total = 0;  // of all limits: the smallest, and how far one went beyond the total
};

// Over every kernel, every count to begin with and every sequence of the IPC.
AwlReach awl_reach(const hw::AwlParams& p);

}  // namespace verif
