// Who waits for whom in a topology: queues, virtual channels and MSHRs, and which of them has to move before
// another can. A circle among them is a deadlock (docs/contracts/shared-l1.md, "No deadlock").
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hw {

struct TopologyPlan;

struct Wait {
  std::string who, whom;
  // What ends it in any case, as a time-out does: then it is part of no deadlock.
  std::string ended_by = {};
};

class WaitsFor {
 public:
  void add(const std::string& who, const std::string& whom) { waits_[who].insert(whom), waits_[whom]; }

  std::size_t size() const { return waits_.size(); }
  // Names along a circle, each waiting for the next one and the last for the first; empty when there is none.
  std::vector<std::string> circle() const;
  // The same where things that get one name are one.
  WaitsFor merged(const std::function<std::string(const std::string&)>& name) const;

 private:
  std::map<std::string, std::set<std::string>> waits_;
};

// Of all parts of the plan, and of the messages of each class between all that send and all that take it; but
// for waits that something ends in any case, or with these.
enum class Waits { without_end, all };
WaitsFor waits_of(const TopologyPlan& plan, Waits which = Waits::without_end);

}  // namespace hw
