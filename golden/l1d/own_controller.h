// The controller of integrated adaptive cache management beside the cache whose index it steers, if that is
// adaptive (ACI thesis, section 4.2; docs/contracts/iacm.md).
#pragma once
#include "golden/cache/adaptive.h"
#include "golden/cache/monitor.h"
#include "golden/monitors/iacm_controller.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class OwnController final : public Monitor {
 public:
  // `index` is null where none adapts.
  OwnController(const hw::L1dParams& p, AdaptiveIndex* index)
      : controller_(hw::iacm_params(p)), index_(index) {
    note(0);
  }

  const IacmController& controller() const { return controller_; }
  void show(Controls& decisions) const override {
    decisions["limit"] = static_cast<std::uint64_t>(controller_.limit());
  }

  void notify(const MonitorInputs& inputs) override {
    monitor_inputs_ = {.kernel_start = inputs["kernel_start"] != 0,
                       .total = inputs["total"],
                       .issued = inputs["issued"],
                       .round_done = index_ && index_->steer(controller_.adi_start())};
  }

  void reset(std::uint64_t loads) override {
    controller_.reset();
    note(loads);
  }
  void observe(const ProbeEvent&, unsigned) override {}
  void edge(std::uint64_t loads) override {
    history_.hold(controller_.limit());
    phases_.hold(controller_.phase());
    controller_.edge(monitor_inputs_);
    note(loads);
  }
  const History* history() const override { return &history_; }
  void add_histories(std::vector<const History*>& all) const override {
    all.push_back(&history_);
    all.push_back(&phases_);
  }
  void publish(StateList& list) const override { controller_.publish(list, "controller."); }

 private:
  void note(std::uint64_t loads) {
    history_.note(loads, controller_.limit());
    phases_.note(loads, controller_.phase());
  }

  IacmController controller_;
  AdaptiveIndex* const index_;
  IacmController::In monitor_inputs_;
  History history_{.name = "limit_history", .key = "limit", .title = "warps that may issue"};
  History phases_{.name = "phase_history",
                  .key = "phase",
                  .title = "what adapts",
                  .words = {"ADI", "AWL", "idle", "both"}};
};

}  // namespace golden
