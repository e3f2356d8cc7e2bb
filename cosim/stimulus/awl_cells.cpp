#include "cosim/stimulus/awl_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <map>
#include <queue>
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

// Apart where the count differs from that of the first step in one bit: a comparison without it would turn.
std::string later_step_fails(const WarpSearch& before) {
  const auto first = static_cast<unsigned>(before.origin() - 1),
             differs = first ^ static_cast<unsigned>(before.active());
  const std::string cell = "a step down fails: the count before";
  return std::has_single_bit(differs)
             ? fmt::format("{}; bit {} is not that of the first step", cell, std::countr_zero(differs))
             : cell;
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
                                             : later_step_fails(before);
    case Step::linear_up:
      return "a step up fails: the count before";
  }
  return {};
}

// Walks through all sequences; what is ahead of a state does not depend on how it was reached.
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

// A search and the result before it. A search that ends is followed by the next one of its kernel.
struct Timeline {
  WarpSearch search;
  int settled;

  auto key() const {
    return std::tuple(search.total(), search.active(), search.origin(), search.step(),
                      search.previous_ipc() == 0, settled);
  }
  // What the period reaches goes to `goals`.
  Timeline after(const hw::AwlParams& p, bool pays, std::vector<std::string>& goals) const {
    Timeline next = *this;
    const bool ended = next.search.period(search.previous_ipc() + (pays ? 1 : 0));
    goals = {awl_cell(search, pays, next.search, ended)};
    if (!ended) return next;
    goals.push_back(awl_result(p, settled, next.search.active()));
    std::ranges::copy(awl_details(p, settled, next.search.active(), pays), std::back_inserter(goals));
    next.settled = next.search.active();
    next.search.begin();
    return next;
  }
  bool can_fail() const { return search.previous_ipc() > 0; }
};

Timeline kernel_timeline(const hw::AwlParams& p, int total) {
  Timeline timeline{WarpSearch(p.linear_from), total};
  timeline.search.kernel(total, total);
  timeline.search.begin();
  return timeline;
}

}  // namespace

std::string awl_result(const hw::AwlParams& p, int before, int result) {
  if (p.warp_change != hw::AwlParams{}.warp_change || before == result) return {};
  const int beyond = p.warp_change[1] * std::abs(result - before) - p.warp_change[0] * before;
  if (beyond < 0 || beyond > 4) return {};
  return std::string("result ") + (beyond ? "just more than" : "exactly") + " the fraction " +
         (result > before ? "above" : "below");
}

std::vector<std::string> awl_details(const hw::AwlParams& p, int before, int result, bool pays) {
  const char* last = pays ? ", behind a count that paid" : ", behind a count that did not pay";
  std::vector<std::string> details;
  if (const std::string at = awl_result(p, before, result); !at.empty()) details.push_back(at + last);
  if (std::min(before, result) >= many_warps / 2 && !golden::changed_by_more(before, result, p.warp_change))
    details.push_back(std::string("result of many warps not moved") + last);
  return details;
}

std::vector<std::string> awl_reached(const hw::AwlParams& p, const golden::Awl& before,
                                     const golden::Awl& after, int issued) {
  const std::int64_t ipc = before.ipc() + issued;
  if (!before.busy() || before.cycle() != p.period - 1 || ipc == 0) return {};
  const bool pays = ipc > before.search().previous_ipc();
  std::vector<std::string> reached{awl_cell(before.search(), pays, after.search(), after.done())};
  if (after.done()) reached.push_back(awl_result(p, before.settled(), after.limit()));
  return reached;
}

namespace {

// The results of these kernels' searches, and their details.
struct Results {
  std::set<std::string> plain, details;
};

Results results_of(const hw::AwlParams& p, std::vector<Timeline> ahead) {
  using Key = decltype(std::declval<Timeline>().key());
  Results results;
  std::set<Key> known;
  while (!ahead.empty()) {
    const Timeline timeline = ahead.back();
    ahead.pop_back();
    if (!known.insert(timeline.key()).second) continue;
    for (const bool pays : {true, false}) {
      if (!pays && !timeline.can_fail()) continue;
      std::vector<std::string> goals;
      ahead.push_back(timeline.after(p, pays, goals));
      if (goals.size() > 1 && !goals[1].empty()) results.plain.insert(goals[1]);
      if (goals.size() > 2) results.details.insert(goals.begin() + 2, goals.end());
    }
  }
  return results;
}

std::vector<Timeline> few_kernels(const hw::AwlParams& p) {
  std::vector<Timeline> kernels;
  for (int total = 2; total <= std::min(p.warps, few_warps); ++total)
    kernels.push_back(kernel_timeline(p, total));
  return kernels;
}

}  // namespace

std::set<std::string> awl_results(const hw::AwlParams& p) { return results_of(p, few_kernels(p)).plain; }

std::set<std::string> awl_all_details(const hw::AwlParams& p) {
  std::vector<Timeline> kernels = few_kernels(p);
  if (p.warps >= many_warps) kernels.push_back(kernel_timeline(p, many_warps));
  return results_of(p, kernels).details;
}

std::optional<AwlAim> awl_aim(const hw::AwlParams& p, const WarpSearch& search, int settled,
                              const std::set<std::string>& goals) {
  using Key = decltype(std::declval<Timeline>().key());
  struct Ahead {
    Timeline timeline;
    AwlAim aim;
  };
  if (goals.empty() || search.total() == 1) return {};
  std::set<Key> known;
  std::queue<Ahead> ahead;
  for (ahead.push({{search, settled}, {}}); !ahead.empty(); ahead.pop()) {
    const Ahead here = ahead.front();
    if (!known.insert(here.timeline.key()).second) continue;
    for (const bool pays : {true, false}) {
      if (!pays && !here.timeline.can_fail()) continue;
      std::vector<std::string> reached;
      const Timeline next = here.timeline.after(p, pays, reached);
      const AwlAim aim{here.aim.periods ? here.aim.pays : pays, here.aim.periods + 1};
      for (const std::string& goal : reached)
        if (goals.contains(goal)) return aim;
      ahead.push({next, aim});
    }
  }
  return {};
}

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
