// A probe's way from core to core: what its list and its pointer become at one, and where it goes next (DC-L1
// thesis, section 3.3.4).
#pragma once
#include <string>

#include "hw/remote/probe_handler_params.h"
#include "hw/rtl/module.h"

namespace hw {

// `leader`, `found`, `targets`, `pointer` in; `next_targets`, `next_pointer` out.
rtl::Module probe_step(const ProbeHandlerParams& p, const std::string& name);

// `targets`, `pointer`, `asker` in; `destination` out: the target that the pointer names, else the core that
// asks.
rtl::Module probe_way(const ProbeHandlerParams& p, const std::string& name);

}  // namespace hw
