// The lookup of an MSHR file: the lines of the entries, and the one with the line of the request in the
// tag-lookup stage.
#pragma once
#include "hw/mshr/mshr_nets.h"
#include "hw/mshr/mshr_ports.h"

namespace hw {

void place_lookup(MshrTop& f, const MshrPorts& ports, const MshrNets& nets, MatchTiming timing,
                  const std::optional<HoldingNets>& holding, const std::optional<FreeingNets>& freeing);

}  // namespace hw
