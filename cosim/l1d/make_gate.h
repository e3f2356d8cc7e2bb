// Hardware in the place of the model's warp limiter.
#pragma once
#include <functional>
#include <memory>

#include "golden/gpu/warp_gate.h"

namespace verif {

// Makes it, in its first cycle. None: the model holds the warps.
using MakeGate = std::function<std::unique_ptr<golden::WarpGate>()>;

}  // namespace verif
