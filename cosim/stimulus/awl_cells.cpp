#include "cosim/stimulus/awl_cells.h"

#include <algorithm>
#include <cstdlib>
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
struct Course {
  WarpSearch search;
  int settled;

  auto key() const {
    return std::tuple(search.total(), search.active(), search.origin(), search.step(),
                      search.previous_ipc() == 0, settled);
  }
  // What the period reaches goes to `goals`.
  Course after(const hw::AwlParams& p, bool pays, std::vector<std::string>& goals) const {
    Course next = *this;
    const bool ended = next.search.period(search.previous_ipc() + (pays ? 1 : 0));
    goals = {awl_cell(search, pays, next.search, ended)};
    if (!ended) return next;
    goals.push_back(awl_result(p, settled, next.search.active()));
    next.settled = next.search.active();
    next.search.begin();
    return next;
  }
  bool can_fail() const { return search.previous_ipc() > 0; }
};

Course kernel_course(const hw::AwlParams& p, int total) {
  Course course{WarpSearch(p.linear_from), total};
  course.search.kernel(total, total);
  course.search.begin();
  return course;
}

}  // namespace

std::string awl_result(const hw::AwlParams& p, int before, int result) {
  if (p.warp_change != hw::AwlParams{}.warp_change || before == result) return {};
  const int beyond = p.warp_change[1] * std::abs(result - before) - p.warp_change[0] * before;
  if (beyond < 0 || beyond > 4) return {};
  return std::string("result ") + (beyond ? "just more than" : "exactly") + " the fraction " +
         (result > before ? "above" : "below");
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

std::set<std::string> awl_results(const hw::AwlParams& p) {
  using Key = decltype(std::declval<Course>().key());
  std::set<std::string> results;
  std::set<Key> known;
  std::vector<Course> ahead;
  for (int total = 2; total <= std::min(p.warps, few_warps); ++total)
    ahead.push_back(kernel_course(p, total));
  while (!ahead.empty()) {
    const Course course = ahead.back();
    ahead.pop_back();
    if (!known.insert(course.key()).second) continue;
    for (const bool pays : {true, false}) {
      if (!pays && !course.can_fail()) continue;
      std::vector<std::string> goals;
      ahead.push_back(course.after(p, pays, goals));
      if (goals.size() > 1 && !goals[1].empty()) results.insert(goals[1]);
    }
  }
  return results;
}

std::optional<AwlAim> awl_aim(const hw::AwlParams& p, const WarpSearch& search, int settled,
                              const std::set<std::string>& goals) {
  using Key = decltype(std::declval<Course>().key());
  struct Ahead {
    Course course;
    AwlAim aim;
  };
  if (goals.empty() || search.total() == 1) return {};
  std::set<Key> known;
  std::queue<Ahead> ahead;
  for (ahead.push({{search, settled}, {}}); !ahead.empty(); ahead.pop()) {
    const Ahead here = ahead.front();
    if (!known.insert(here.course.key()).second) continue;
    for (const bool pays : {true, false}) {
      if (!pays && !here.course.can_fail()) continue;
      std::vector<std::string> reached;
      const Course next = here.course.after(p, pays, reached);
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
