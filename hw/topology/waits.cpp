#include "hw/topology/waits.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/topology/plan.h"

namespace hw {
namespace {

// Depth first: names on the way are open, names that lead to no circle are done.
class Search {
 public:
  explicit Search(const std::map<std::string, std::set<std::string>>& waits) : waits_(waits) {}

  bool finds_from(const std::string& name) {
    if (done_.contains(name)) return false;
    const auto again = std::ranges::find(way_, name);
    if (again != way_.end()) {
      way_.erase(way_.begin(), again);
      return true;
    }
    way_.push_back(name);
    for (const std::string& next : waits_.at(name))
      if (finds_from(next)) return true;
    way_.pop_back();
    done_.insert(name);
    return false;
  }
  const std::vector<std::string>& way() const { return way_; }

 private:
  const std::map<std::string, std::set<std::string>>& waits_;
  std::set<std::string> done_;
  std::vector<std::string> way_;
};

}  // namespace

std::vector<std::string> WaitsFor::circle() const {
  Search search(waits_);
  for (const auto& [name, whom] : waits_)
    if (search.finds_from(name)) return search.way();
  return {};
}

WaitsFor WaitsFor::merged(const std::function<std::string(const std::string&)>& name) const {
  WaitsFor made;
  for (const auto& [who, all] : waits_)
    for (const std::string& whom : all) made.add(name(who), name(whom));
  return made;
}

WaitsFor waits_of(const TopologyPlan& plan, Waits which) {
  WaitsFor graph;
  for (std::size_t f = 0; f < plan.fabrics.size(); ++f) {
    const Fabric& fabric = *plan.fabrics[f];
    for (int c = 0; c < static_cast<int>(fabric.classes().size()); ++c)
      fabric.add_waits(graph, c, ports_of(plan, static_cast<int>(f), c));
  }
  for (const PartGroup& group : plan.parts)
    for (int n = 0; n < group.count; ++n) {
      const auto name = [&](const std::string& thing) {
        const auto end = std::ranges::find(group.ends, thing, &Endpoint::link);
        if (end == group.ends.end()) return fmt::format("{}{} {}", group.name, n, thing);
        const Fabric& fabric = *plan.fabrics[static_cast<std::size_t>(end->fabric)];
        return fabric.end_name(end->message_class, end->sends, end->ports[static_cast<std::size_t>(n)]);
      };
      for (const Wait& wait : group.waits)
        if (which == Waits::all || wait.ended_by.empty()) graph.add(name(wait.who), name(wait.whom));
    }
  return graph;
}

}  // namespace hw
