#include "cosim/l1d/l1d_run.h"

#include "cosim/l1d/flop_upsets.h"
#include "cosim/l1d/l1d_cosim.h"
#include "cosim/l1d/l1d_in_system.h"

namespace verif {

CosimReport run_lock_step(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make,
                          const MakeGate& make_gate) {
  if (options.system) return run_in_system(options, params, make, make_gate);
  if (options.flop_upsets) return FlopUpsets(options, params, make).run();
  const L1dUnderTest under_test = make(), bare = make();  // the same inputs, and only timed
  L1dCosim cosim(options, params, *under_test.dut, under_test.state, *bare.dut, make_gate);
  if (Waves* waves = cosim.waves()) under_test.add_probes(*waves);
  return cosim.run();
}

}  // namespace verif
