#include "verif/lockstep/units/awl_cells.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace verif {
namespace {

using golden::WarpSearch;
using Step = WarpSearch::Step;

std::string paying_cell(const WarpSearch& before, bool ended) {
  switch (before.step()) {
    case Step::binary_down:
      return ended                 ? "halving ends at 1"
             : before.active() % 2 ? "an odd count is halved"
                                   : "an even count is halved";
    case Step::binary_up:
      if (ended) return "doubling ends at all warps";
      return 2 * before.active() > before.total() ? "a doubling is cut at all warps" : "a count is doubled";
    case Step::linear_down:
      return ended ? "one by one down ends at half" : "one less";
    case Step::linear_up:
      break;
  }
  if (!ended) return "one more";
  return before.active() == 2 * before.origin() ? "one by one up ends at twice"
                                                : "one by one up ends at all warps";
}

std::string failing_cell(const WarpSearch& before, const WarpSearch& after) {
  switch (before.step()) {
    case Step::binary_down:
      return after.step() == Step::binary_up ? "the first halving fails: doubling"
                                             : "a halving fails: one by one";
    case Step::binary_up:
      return after.step() == Step::linear_up ? "a doubling of 1 fails: one by one up"
                                             : "a doubling fails: one by one down";
    case Step::linear_down:
      return after.step() == Step::linear_up ? "the first step down fails: one by one up"
                                             : "a step down fails: the count before";
    case Step::linear_up:
      return "a step up fails: the count before";
  }
  return {};
}

// Walks through all courses; what is ahead of a state does not depend on how it was reached.
class Walk {
 public:
  explicit Walk(AwlReach& reach) : reach_(reach) {}

  // Periods from here to the end at most.
  int longest(const WarpSearch& search) {
    const bool measures = search.previous_ipc() == 0;
    const auto key = std::tuple(search.total(), search.active(), search.origin(), search.step(), measures);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    reach_.least = std::min(reach_.least, search.active());
    reach_.most_over_total = std::max(reach_.most_over_total, search.active() - search.total());
    int most = after(search, true);
    if (!measures) most = std::max(most, after(search, false));
    return known_[key] = most;
  }

 private:
  int after(const WarpSearch& before, bool pays) {
    WarpSearch search = before;
    const bool ended = search.period(before.previous_ipc() + (pays ? 1 : 0));
    reach_.cells.insert(awl_cell(before, pays, search, ended));
    return 1 + (ended ? 0 : longest(search));
  }

  AwlReach& reach_;
  std::map<std::tuple<int, int, int, Step, bool>, int> known_;
};

}  // namespace

std::string awl_cell(const WarpSearch& before, bool pays, const WarpSearch& after, bool ended) {
  return pays ? paying_cell(before, ended) : failing_cell(before, after);
}

AwlReach awl_reach(const hw::AwlParams& p) {
  AwlReach reach{.cells = {}, .longest = 0, .least = p.warps, .most_over_total = 0};
  Walk walk(reach);
  for (int total = 2; total <= p.warps; ++total)
    for (int from = 1; from <= total; ++from) {
      WarpSearch search(p.linear_from);
      search.kernel(total, from);
      search.begin();
      reach.longest = std::max(reach.longest, walk.longest(search));
    }
  return reach;
}

}  // namespace verif
