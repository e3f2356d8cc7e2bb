// The ports of a Verilated L1 data cache: integers up to 64 bits, arrays of 32-bit words beyond.
#pragma once
#include <verilated.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "cosim/harness/verilated_gate.h"
#include "cosim/l1d/l1d_port_map.h"
#include "cosim/l1d/l1d_run.h"

namespace verif {

// `Ports` shows every port of the model (gen/cosim/port_list.h). One that golden does not know, and one that
// it lacks, are errors of the compilation.
template <class Dut, class Ports>
class L1dVerilated final : public L1dDut {
 public:
  L1dVerilated() { static_assert(has_all(golden::l1d_inputs) && has_all(golden::l1d_outputs<L1dSeen>)); }

  Dut& model() { return dut_; }

  void settle(const golden::L1dIn& in) override {
    Ports::each_input(dut_, [&]<PortName name>(auto& port) { drive_port<name>(port, in); });
    dut_.eval();
  }

  void read(L1dSeen& seen) const override {
    Ports::each_output(dut_, [&]<PortName name>(const auto& port) { show_port<name>(port, seen); });
  }

  void edge() override {
    dut_.clk = 1;
    dut_.eval();
    dut_.clk = 0;
  }

 private:
  template <class... Port>
  static constexpr bool has_all(const std::tuple<Port...>& ports) {
    const auto has = [](std::string_view name) { return std::ranges::count(Ports::names, name) == 1; };
    return std::apply([&](const auto&... port) { return (has(port.name) && ...); }, ports);
  }

  Dut dut_;
};

// The whole run of a program built for one configuration. `random_initial`: registers and unknowns begin with
// anything. `make_gate`: who holds the warps of traces, else the model.
template <class Dut, class Ports>
CosimReport run_l1d(const CosimOptions& options, const hw::L1dParams& params,
                    void (*add_probes)(Dut&, Waves&), void (*add_state)(Dut&, SeenState&),
                    const MakeGate& make_gate = {}) {
  if (options.random_initial) {
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(options.seed));
  }
  const MakeL1d make = [&] {
    auto dut = std::make_unique<L1dVerilated<Dut, Ports>>();
    Dut& model = dut->model();
    L1dUnderTest made{.add_probes = [&model, add_probes](Waves& waves) { add_probes(model, waves); }};
    made.dut = std::move(dut);
    add_state(model, made.state);
    return made;
  };
  return run_lock_step(options, params, make, make_gate);
}

}  // namespace verif
