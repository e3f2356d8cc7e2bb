#include "cosim/l1d/l1d_run.h"

#include "cosim/l1d/l1d_cosim.h"

namespace verif {

CosimReport run_lock_step(const CosimOptions& options, const hw::L1dParams& params,
                          const L1dUnderTest& under_test, L1dDut& bare, const MakeGate& make_gate) {
  L1dCosim cosim(options, params, under_test.dut, under_test.state, bare, make_gate);
  if (Waves* waves = cosim.waves()) under_test.add_probes(*waves);
  return cosim.run();
}

}  // namespace verif
