// What a core issues beside adaptive warp limiting: IPC as different functions of the limit, at the limits of
// each comparison, so that searches go every way.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cosim/stimulus/awl_cells.h"
#include "golden/monitors/awl.h"

namespace verif {

// Leads searches to the cells and results that none has come to yet: periods are long, and a random search
// comes to some of them in a hundred searches.
class AwlAims {
 public:
  explicit AwlAims(const hw::AwlParams& p);
  // Leads to this one, too.
  void add(const std::string& goal) { goals_.insert(goal); }

  // Of a period that begins in a search: whether its IPC is to be above the one before. Nothing where any
  // will do.
  std::optional<bool> pays(const golden::Awl& unit) const;
  // While no search goes on: the kernel from which the way is shortest, or 0 for the one that there is.
  int kernel(const golden::Awl& unit) const;
  bool all_reached() const { return goals_.empty(); }
  void reached(const std::string& goal) { goals_.erase(goal); }

 private:
  hw::AwlParams p_;
  std::set<std::string> goals_;  // not reached yet
};

// Instructions of periods that follow each other.
class IssueStimulus {
 public:
  IssueStimulus(int warps, int issue_max)
      : issue_max_(issue_max), by_limit_(static_cast<std::size_t>(warps) + 1) {}

  // Of a period of so many cycles: another function of the limit.
  void plan_kernel(std::mt19937_64& draw, int period);
  // The period to come; `old` is the IPC that it will be held against.
  void plan_period(std::mt19937_64& draw, int period, int limit, std::int64_t old);
  // The period to come, with an IPC above the old one or not.
  void plan_aimed(std::mt19937_64& draw, int period, bool pays, std::int64_t old);
  // A period to come in which so much is issued.
  void plan(std::mt19937_64& draw, int period, std::int64_t ipc);
  // Of the next cycle; nothing behind a period's end.
  int issued();
  // Periods are to fail by each of the upper bits alone.
  void aim_at_each_bit() { each_bit_ = true; }
  // These upper bits alone have made a count fail: no longer aimed at.
  void failed(std::uint64_t bits, bool carries) { decided_[carries] |= static_cast<std::int64_t>(bits); }

 private:
  // The same, so that one of the upper bits decides; false where the old IPC allows none that was drawn.
  bool plan_one_bit(std::mt19937_64& draw, int period, bool pays, std::int64_t old);
  bool bits_left(int period) const;
  std::int64_t next_bit(std::mt19937_64& draw, std::int64_t bits, std::int64_t of, bool carries);

  int issue_max_;
  std::vector<std::int64_t> by_limit_;        // in a period
  std::int64_t left_ = 0;                     // of the period's
  std::array<std::int64_t, 2> decided_ = {};  // upper bits that made a count fail, by whether with a carry
  bool each_bit_ = false;
  enum Spread { evenly, early, late };
  int cycles_left_ = 0, spread_ = evenly;
};

struct AwlInputs {
  bool rst = false;
  golden::Awl::In in = {};
};

class AwlStimulus {
 public:
  explicit AwlStimulus(const hw::AwlParams& p) : p_(p), issue_(p.warps, p.issue_max), aims_(p) {
    for (const std::string& result : awl_all_details(p)) aims_.add(result);
    issue_.aim_at_each_bit();
  }

  // Of the cycle that the unit, as it is, begins.
  AwlInputs draw(std::mt19937_64& draw, const golden::Awl& unit);
  // A cell or result: no longer aimed at.
  void reached(const std::string& goal) { aims_.reached(goal); }
  void failed(std::uint64_t bits, bool carries) { issue_.failed(bits, carries); }

 private:
  void plan_period(std::mt19937_64& draw, const golden::Awl& unit);
  void between_searches(std::mt19937_64& draw, const golden::Awl& unit, golden::Awl::In& in);

  hw::AwlParams p_;
  IssueStimulus issue_;
  AwlAims aims_;
  std::array<int, 4> periods_ = {};  // begun so far, by the search's step
  int kernel_at_ = -1;               // cycle of the period in which a kernel starts
};

// 1, all warps, or any number of them.
int random_total(std::mt19937_64& draw, int warps);

}  // namespace verif
