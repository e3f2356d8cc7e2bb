// The queue of a core's own probes: lists of targets enter it as a whole, and leave as the probes that share
// them, the leader first (DC-L1 thesis, section 3.3.4).
#pragma once
#include <string>

#include "hw/remote/remote_node_params.h"
#include "hw/rtl/module.h"

namespace hw {

// `list_take`, `search`, `probe_entry` and `probe_sequence` as a probe table gives them, with the list and
// the line; `room` back to it; and the probe in front.
rtl::Module outgoing_probes(const RemoteNodeParams& p, const std::string& name);

}  // namespace hw
