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
  std::unique_ptr<L1dDut> dut;
  SeenState state;  // of it
  std::function<void(Waves&)> add_probes;
};
using MakeL1d = std::function<L1dUnderTest()>;

// A whole run: of one cache, or of one at each SM of a system.
CosimReport run_lock_step(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make,
                          const MakeGate& make_gate);

}  // namespace verif
