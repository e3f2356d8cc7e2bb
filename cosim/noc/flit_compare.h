// What benches of crossbars, routers and butterflies compare with the reference model: every port and every
// register that the unit shows; and what their allocators come by.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"

namespace verif {

// `Flits` reads the ports: see flit_ports.h.
template <class Golden, class Flits>
class FlitCompare {
 public:
  using Outputs = typename Golden::Outputs;

  // `number` is what the port of a flit says of its way, which may count on heads alone.
  template <class Dut>
  std::optional<Difference> differ(Dut& dut, const Outputs& want, const char* number, bool on_heads_alone) {
    Flits::read(dut, shown_);
    if (const auto d = Flits::differ(shown_, want, number, on_heads_alone)) return d;
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    return {};
  }
  // What the ports showed then.
  const Outputs& shown() const { return shown_; }

  void see_state(const SeenState& seen, const Golden& reference) {
    golden::StateList published;
    reference.publish(published);
    state_.emplace(seen, published);
  }

 private:
  Outputs shown_;
  std::optional<StateCompare> state_;
};

// What the crossbars of a unit, or of a stage of it, came by.
template <class Step, std::size_t crossbars = 1>
class AllocatorEvents {
 public:
  void add(const Step& step, std::size_t crossbar = 0) {
    Step& seen = seen_[crossbar];
    seen.refused += step.refused > 0;
    seen.full |= step.full, seen.no_credit |= step.no_credit, seen.none_free |= step.none_free;
  }
  void add_goals(Goals& all, const std::string& where = "") const {
    const auto each = [&](const auto& of) { return std::ranges::all_of(seen_, of); };
    all["a refused offer of each crossbar" + where] = each([](const Step& s) { return s.refused > 0; });
    all["each FIFO full" + where] = each([](const Step& s) { return s.full.all(); });
    all["each output VC without a credit for its owner" + where] =
        each([](const Step& s) { return s.no_credit.all(); });
    all["a head at each output whose VC is owned" + where] =
        each([](const Step& s) { return s.none_free.all(); });
  }

 private:
  std::array<Step, crossbars> seen_{};
};

}  // namespace verif
