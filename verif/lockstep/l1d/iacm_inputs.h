// What a controller inside the cache observes of the GPU; kernels also start where rounds of the adaptive
// index are about to end.
#pragma once
#include <bit>
#include <random>

#include "golden/l1d/cycle_l1d.h"
#include "verif/lockstep/l1d/iacm_gpu.h"

namespace verif {

class IacmInputsOfCache {
 public:
  IacmInputsOfCache(const hw::L1dParams& p, std::uint64_t seed)
      : draw_(seed),
        gpu_(hw::iacm_params(p)),
        // The search for the winner takes N - B + 3 cycles.
        winner_search_(p.address_bits - std::countr_zero(static_cast<unsigned>(p.line_bytes)) + 3) {}

  void aim_at(const golden::CycleL1d& cache) { cache_ = &cache; }

  // Of each cycle.
  void cycle(golden::L1dIn& in) {
    const golden::IacmController::In told = gpu_.draw(draw_, *cache_->controller());
    in.monitor_inputs["kernel_start"] = told.kernel_start || round_is_cut();
    in.monitor_inputs["total"] = static_cast<std::uint16_t>(told.total);
    in.monitor_inputs["issued"] = static_cast<std::uint16_t>(told.issued);
  }

 private:
  bool once_in(unsigned n) { return draw_() % n == 0; }

  // Also where a search of warps begins.
  bool round_is_cut() {
    using Step = golden::AdiMonitor::Step;
    if (cache_->controller()->side() == golden::IacmController::AwlSide::start) return once_in(8);
    if (!cache_->adaptive()) return false;
    const Step step = cache_->adaptive()->step();
    searched_ = step == Step::winner_search ? searched_ + 1 : 0;
    if (step == Step::winner_search) return once_in(searched_ >= winner_search_ - 2 ? 16 : 1500);
    if (step == Step::victim_search) return once_in(1500);
    return step == Step::flush && once_in(12);
  }

  std::mt19937_64 draw_;
  IacmGpu gpu_;
  const golden::CycleL1d* cache_ = nullptr;
  const int winner_search_;
  int searched_ = 0;  // cycles
};

}  // namespace verif
