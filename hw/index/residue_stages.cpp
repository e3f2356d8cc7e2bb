#include "hw/index/residue_stages.h"

#include <algorithm>
#include <utility>

namespace hw {
namespace {

// Tries every choice of cuts among the arrival times: a plan has about a dozen of them.
class Cutter {
 public:
  Cutter(ResiduePlan& plan, int latency) : plan_(plan), latency_(static_cast<std::size_t>(latency)) {
    for (const PlanStep& step : plan.steps) times_.push_back(step.arrival);
    std::ranges::sort(times_);
    times_.erase(std::ranges::unique(times_).begin(), times_.end());
    best_cost_ = assign(best_ = std::vector<int>(latency_, times_.back()));
  }

  void run() {
    std::vector<int> cuts;
    choose(0, cuts);
    assign(best_);
  }

 private:
  void choose(std::size_t from, std::vector<int>& cuts) {
    if (cuts.size() == latency_) {
      if (const auto cost = assign(cuts); cost < best_cost_) best_cost_ = cost, best_ = cuts;
      return;
    }
    for (std::size_t t = from; t < times_.size(); ++t) {
      cuts.push_back(times_[t]);
      choose(t, cuts);
      cuts.pop_back();
    }
  }

  // The longest path of a stage, then the register bits.
  std::pair<int, int> assign(const std::vector<int>& cuts) {
    std::vector<int> path(plan_.steps.size(), 0), last_use(plan_.steps.size(), 0);
    std::pair<int, int> cost{0, 0};
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      PlanStep& step = plan_.steps[s];
      step.stage = static_cast<int>(std::ranges::count_if(cuts, [&](int cut) { return cut < step.arrival; }));
      for (const PlanOperand& x : step.from) {
        if (plan_.steps[x.step].stage == step.stage) path[s] = std::max(path[s], path[x.step]);
        last_use[x.step] = std::max(last_use[x.step], step.stage);
      }
      cost.first = std::max(cost.first, path[s] += step.delay);
    }
    last_use.back() = static_cast<int>(latency_);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      cost.second += plan_.steps[s].width * std::max(0, last_use[s] - plan_.steps[s].stage);
    return cost;
  }

  ResiduePlan& plan_;
  std::size_t latency_;
  std::vector<int> times_, best_;
  std::pair<int, int> best_cost_;
};

}  // namespace

void place_registers(ResiduePlan& plan, int latency) { Cutter(plan, latency).run(); }

}  // namespace hw
