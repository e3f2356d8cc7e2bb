// Lock step of the arbiter in front of a shared L1 and its reference model; and properties that do not come
// from the model: nobody is given way to for nothing, and another core's request never waits longer than it
// may while the L1 takes requests.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "golden/shared/l1_arbiter.h"

namespace verif {

template <class Dut, hw::L1ArbiterParams P>
class L1ArbiterBench {
 public:
  using Unit = golden::L1Arbiter;
  struct Inputs {
    bool rst = false;
    Unit::In in = {};
  };
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.serves(in.in);
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      for (unsigned* rate : {&local_, &failed_, &served_, &ready_})
        *rate = std::array{4u, 64u, 200u, 250u}[draw() % 4];
      if (draw() % 2) local_ = 256, failed_ = 0;
    }
    const auto often = [&](unsigned rate) { return draw() % 256 < rate; };
    Inputs drawn{.rst = once_in(draw, 5000)};
    drawn.in = {.local = often(local_),
                .failed = often(failed_),
                .served = stays_ || often(served_),  // a request stays until it is taken
                .ready = often(ready_)};
    return drawn;
  }

  static void drive(Dut& dut, const Inputs& in) {
    dut.local_valid = in.in.local, dut.local_failed = in.in.failed, dut.served_valid = in.in.served;
    if constexpr (requires { dut.ready; }) dut.ready = in.in.ready;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("local {:d}, failed {:d}, served {:d}, ready {:d}", in.in.local, in.in.failed,
                       in.in.served, in.in.ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const bool got = dut.serves, want = golden_.serves(in.in);
    if (got != want) return Difference{"serves", got, want};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    if (got && !in.in.served) return Difference{"serves nobody", 1, 0};
    if (!got && in.in.served && !in.in.local) return Difference{"nobody is served", 0, 1};
    if (!got && P.remote_wait_limit && waiting_ >= P.remote_wait_limit && in.in.served)
      return Difference{"waits longer than it may", static_cast<std::uint64_t>(waiting_), 0};
    return {};
  }

  void edge(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    const bool serves = golden_.serves(in);
    seen_["reset"] += inputs.rst;
    seen_["passed by a request of the core"] += in.local && in.served && !serves && in.ready;
    seen_["served behind a fail"] += in.local && in.failed && serves && in.ready;
    seen_["served beside nobody"] += !in.local && serves;
    seen_["the core alone"] += in.local && !in.served;
    if (P.remote_wait_limit) {
      const bool old = waiting_ >= P.remote_wait_limit;
      seen_["served by its age"] += in.local && !in.failed && serves && old && in.ready;
      seen_["an old one that the L1 does not take"] += serves && old && !in.ready;
    }
    stays_ = !inputs.rst && in.served && !(serves && in.ready);
    waiting_ = stays_ ? waiting_ + 1 : 0;
    inputs.rst ? golden_.reset() : golden_.edge(in);
    shown_ = serves;
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("serves", 1, &shown_); }

  Goals goals() { return seen_; }

 private:
  Unit golden_{P};
  Phase phase_;
  unsigned local_ = 128, failed_ = 16, served_ = 128, ready_ = 128;  // in 256ths
  bool stays_ = false;
  int waiting_ = 0;  // cycles, by the ports alone
  std::uint64_t shown_ = 0;
  std::optional<StateCompare> state_;
  Goals seen_;
};

}  // namespace verif
