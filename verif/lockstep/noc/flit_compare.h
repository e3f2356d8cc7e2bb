// What benches of crossbars, routers and butterflies compare with the golden twin: every port and every
// register that the unit shows; and what their allocators come by.
#pragma once
#include <optional>
#include <string>

#include "verif/lockstep/harness/cycle_cosim.h"
#include "verif/lockstep/harness/state_compare.h"

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

  void see_state(const SeenState& seen, const Golden& twin) {
    golden::StateList published;
    twin.publish(published);
    state_.emplace(seen, published);
  }

 private:
  Outputs shown_;
  std::optional<StateCompare> state_;
};

// Cycles of crossbars in which this happened.
struct AllocatorEvents {
  std::int64_t refused = 0, full = 0, no_credit = 0, none_free = 0;

  template <class Step>
  void add(const Step& step) {
    refused += step.refused > 0, full += step.full;
    no_credit += step.no_credit, none_free += step.none_free;
  }
  void tell(Goals& all, const std::string& where = "") const {
    all["a refused offer" + where] = refused;
    all["a full FIFO" + where] = full;
    all["no credit for a flit of an owner" + where] = no_credit;
    all["a head whose VC is owned" + where] = none_free;
  }
};

}  // namespace verif
