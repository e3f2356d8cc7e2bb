// Searches of a core in other cores' L1s: their lines, the probe table, the lists of targets and the probes
// that share them.
#pragma once
#include "hw/remote/remote_node_exchange.h"

namespace hw {

// `miss_ready`: the table takes the miss in front, a wire. `cache`: pins of the L1.
Searches searches(RemoteNodeFrame& n, const CoreSide& core, const NetworkSide& network,
                  const SearchStatus& status, const FrontMiss& miss, const rtl::Expr& miss_ready,
                  const SharingGuess& guess, const ReplyLookup& reply, const rtl::Expr& returns, Pins& cache);

}  // namespace hw
