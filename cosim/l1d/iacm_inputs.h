// The inputs of a controller inside the cache from the GPU, as one beside it has them; in rounds of the
// adaptive index kernels start in each step in turn.
#pragma once
#include <bit>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "cosim/l1d/mechanism_traffic.h"
#include "cosim/stimulus/iacm_stimulus.h"
#include "golden/cache/adaptive.h"
#include "golden/l1d/own_controller.h"

namespace verif {

// A round of the adaptive index takes more loads than a phase of random traffic has cycles.
inline bool has_long_rounds(const hw::L1dParams& p) {
  return p.index.kind == hw::IndexKind::adi && p.adaptive.period > 200;
}

class IacmInputsOfCache final : public MechanismStimulus {
 public:
  IacmInputsOfCache(const hw::L1dParams& p, std::uint64_t seed)
      : draw_(seed),
        awl_(hw::iacm_params(p).awl),
        gpu_(hw::iacm_params(p)),
        // The search for the winner takes N - B + 3 cycles.
        winner_search_(p.address_bits - std::countr_zero(static_cast<unsigned>(p.line_bytes)) + 3),
        victim_search_(victim_search(std::countr_zero(static_cast<unsigned>(hw::sets_of(p))))),
        period_(p.adaptive.period),
        long_rounds_(has_long_rounds(p)) {
    gpu_.come_to_idle_soon();
  }

  void cycle(golden::L1dIn& in) override {
    see_search();
    const golden::IacmController::In drawn = gpu_.draw(draw_, controller()).in;
    if (in_round() && !was_in_round_) plan_round();
    was_in_round_ = in_round();
    const bool search_begins = controller().side() == golden::IacmController::AwlSide::start;
    const bool begins_again = search_begins && !gpu_.comes_to_idle() && ++searches_ % 4 == 3;
    const bool starts = in_round() ? round_is_cut() : drawn.kernel_start || begins_again;
    in.monitor_inputs["kernel_start"] = starts;
    in.monitor_inputs["total"] = static_cast<std::uint16_t>(drawn.total);
    in.monitor_inputs["issued"] = static_cast<std::uint16_t>(drawn.issued);
    if (starts || in.rst)
      before_.reset();
    else
      before_.emplace(controller().awl(), drawn.issued);
  }

 private:
  // The cell or result of AWL's table that the cycle before has come to: searches lead to others then.
  void see_search() {
    if (!before_) return;
    const auto& [awl, issued] = *before_;
    for (const std::string& goal : awl_reached(awl_, awl, controller().awl(), issued)) gpu_.reached(goal);
  }
  const golden::IacmController& controller() const {
    return cache_->monitor<golden::OwnController>()->controller();
  }
  bool in_round() const { return controller().adi() == golden::IacmController::Adi::round; }

  using Step = golden::AdiMonitor::Step;
  // Where a kernel starts in a round: in the last cycle of the search for the winner, the next round begins
  // with the flush of this one.
  struct Cut {
    Step step = Step::idle;  // none
    bool last = false;
  };

  // Cycles, by the bits of the index.
  int victim_search(int bits) const { return bits == 1 ? 1 : bits * (bits + 1) / 2 + winner_search_ + 2; }

  void plan_round() {
    static constexpr Cut cuts[] = {
        {Step::victimization}, {Step::winner_search, true}, {Step::victim_search}, {Step::flush},
        {Step::selection},     {Step::winner_search, true}, {Step::victim_search}, {Step::winner_search},
        {Step::flush},         {Step::winner_search, true}};
    // Each cut comes once, then nothing is cut until idle has ended both ways. From there on two rounds lead
    // on to a search, and to idle, and long ones are few.
    const bool cuts_round =
        next_cut_ < std::size(cuts) || (!gpu_.comes_to_idle() && rounds_++ % (long_rounds_ ? 4 : 3) == 0);
    cut_ = cuts_round ? cuts[next_cut_++ % std::size(cuts)] : Cut{};
    const bool loads = cut_.step == Step::victimization || cut_.step == Step::selection;
    const auto cycles = loads                              ? static_cast<unsigned>(period_)
                        : cut_.step == Step::victim_search ? static_cast<unsigned>(victim_search_)
                        : cut_.step == Step::winner_search ? static_cast<unsigned>(winner_search_) - 1
                                                           : 1u;
    wait_ = cut_.last ? winner_search_ - 1 - (draw_() % 4 == 0) : static_cast<int>(draw_() % cycles);
  }

  // In the planned step, behind as many of its cycles as are to be waited; of short rounds anywhere, too.
  bool round_is_cut() {
    if (!long_rounds_ && !gpu_.comes_to_idle() && draw_() % static_cast<unsigned>(16 * period_) == 0)
      return true;
    const auto* const index = cache_->monitor<golden::AdaptiveIndex>();
    return index && index->step() == cut_.step && wait_-- == 0;
  }

  std::mt19937_64 draw_;
  const hw::AwlParams awl_;
  IacmStimulus gpu_;
  // As the last cycle found it, and what that cycle issued; nothing behind a kernel's start or a reset.
  std::optional<std::pair<golden::Awl, int>> before_;
  const int winner_search_, victim_search_, period_;
  const bool long_rounds_;
  unsigned rounds_ = 0, next_cut_ = 0, searches_ = 0;  // so far
  Cut cut_;
  int wait_ = 0;  // cycles of the step
  bool was_in_round_ = false;
};

}  // namespace verif
