// What the main of a cache's co-simulation needs of the harness, and no more of its headers: they would be
// compiled again for each configuration.
#pragma once
#include <functional>
#include <memory>

#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/harness/waves.h"
#include "cosim/l1d/l1d_dut.h"
#include "cosim/l1d/make_gate.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// A Verilated cache: it, what it shows of its state, and its nets for a waveform.
struct L1dUnderTest {
  L1dDut& dut;
  const SeenState& state;
  std::function<void(Waves&)> add_probes;
};

// A whole run. `bare` gets the same inputs and is only timed.
CosimReport run_lock_step(const CosimOptions& options, const hw::L1dParams& params,
                          const L1dUnderTest& under_test, L1dDut& bare, const MakeGate& make_gate);

}  // namespace verif
