// An L1 data cache in banks, which takes a request a cycle at each of its ports (Volta's L1, as Accel-Sim
// models it; docs/contracts/l1d-banks.md).
#pragma once
#include <string>

#include "hw/banks/banked_l1d_params.h"
#include "hw/l1d/l1d.h"

namespace hw {

// Throws ParamError when no cache in banks can be built from the parameters. Models have more shapes than
// hardware.
void check(const BankedL1dParams& p);
void check_built(const BankedL1dParams& p);

// Ports: streams `port<p>_request` and `port<p>_response`, as many as banks, `memory_request` and
// `memory_response`, `flush_valid`/`flush_ready`, and all other ports of a bank as `bank<b>_<port>`. The
// facts are those of a bank, with the ids of the memory side.
L1d banked_l1d(const BankedL1dParams& p, const std::string& name);

}  // namespace hw
