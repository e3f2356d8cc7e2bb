#include "cosim/l1d/iacm_watch.h"
#include "golden/cache/adaptive.h"
#include "golden/l1d/own_controller.h"

namespace verif {

using golden::AdiMonitor, golden::IacmController;

void L1dIacmWatch::before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned) {
  const IacmController& unit = golden.monitor<golden::OwnController>()->controller();
  const golden::AdaptiveIndex* const index = golden.monitor<golden::AdaptiveIndex>();
  kernel_ = in.monitor_inputs["kernel_start"] && !in.rst;
  idle_ = unit.phase() == 2;
  limit_ = unit.limit();
  seen_[kernel_in_adi_start] += kernel_ && unit.adi() == IacmController::Adi::start;
  seen_[kernel_in_round] += kernel_ && unit.adi() == IacmController::Adi::round;
  seen_[kernel_in_rest] += kernel_ && unit.adi() == IacmController::Adi::rest;
  seen_[kernel_in_awl_start] += kernel_ && unit.side() == IacmController::AwlSide::start;
  seen_[kernel_in_search] += kernel_ && unit.side() == IacmController::AwlSide::run;
  seen_[kernel_in_idle] += kernel_ && idle_;
  see_search(unit.awl(), in);
  if (!index) return;
  const AdiMonitor::Step step = index->step();
  seen_[kernel_in_change] += kernel_ && index->flushes();
  seen_[round_moves_sel] += unit.adi() == IacmController::Adi::round && !kernel_ && index->flushes();
  seen_[round_keeps_sel] +=
      unit.adi() == IacmController::Adi::rest && step == AdiMonitor::Step::flush && !index->flushes();
  if (!unit.adi_start()) return;
  seen_[cancels_victimization] += step == AdiMonitor::Step::victimization;
  seen_[cancels_victim_search] += step == AdiMonitor::Step::victim_search;
  seen_[cancels_selection] += step == AdiMonitor::Step::selection;
  seen_[cancels_winner_search] += step == AdiMonitor::Step::winner_search;
  seen_[starts_in_change] += index->flushes();
}

// A period of a search that ends.
void L1dIacmWatch::see_search(const golden::Awl& awl, const golden::L1dIn& in) {
  const std::int64_t ipc = awl.ipc() + in.monitor_inputs["issued"];
  if (in.rst || kernel_ || !awl.busy() || awl.cycle() != hw::iacm_params(params_).awl.period - 1 || ipc == 0)
    return;
  ++seen_[ipc > awl.search().previous_ipc() ? count_pays : count_fails];
}

void L1dIacmWatch::behind(const golden::CycleL1d& golden) {
  const IacmController& unit = golden.monitor<golden::OwnController>()->controller();
  seen_[wakes] += idle_ && !kernel_ && unit.phase() != 2;
  seen_[limit_moves] += unit.limit() != limit_ && !kernel_;
}

void L1dIacmWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned) const {
  const bool adi = hw::has_adi(params_.iacm.order), awl = hw::has_awl(params_.iacm.order);
  seen["kernel start while nothing adapts"] = seen_[kernel_in_idle];
  seen["idle ends as the IPC has changed"] = seen_[wakes];
  if (adi) {
    seen["kernel start as ADI begins"] = seen_[kernel_in_adi_start];
    seen["kernel start in a round"] = seen_[kernel_in_round];
    seen["kernel start in a rest"] = seen_[kernel_in_rest];
    seen["kernel start in the cycle of a change of sel"] = seen_[kernel_in_change];
    seen["adi_start cancels victimization"] = seen_[cancels_victimization];
    seen["adi_start cancels the search for the victim"] = seen_[cancels_victim_search];
    seen["adi_start cancels selection"] = seen_[cancels_selection];
    seen["adi_start cancels the search for the winner"] = seen_[cancels_winner_search];
    seen["adi_start in the cycle of a change of sel"] = seen_[starts_in_change];
    seen["round ends with a change of sel"] = seen_[round_moves_sel];
    seen["round ends, sel stays"] = seen_[round_keeps_sel];
  }
  if (!awl) return;
  seen["kernel start as AWL begins"] = seen_[kernel_in_awl_start];
  seen["kernel start in a search"] = seen_[kernel_in_search];
  if (params_.limit.warps == 1) return;
  seen["limit moves"] = seen_[limit_moves];
  seen["count of a search pays"] = seen_[count_pays];
  seen["count of a search does not pay"] = seen_[count_fails];
}

}  // namespace verif
