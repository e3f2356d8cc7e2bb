// The MSHR targets of an MSHR file: the loads that wait in each entry, in a ring of rows of a RAM, and how
// many they are.
#pragma once
#include "hw/mshr/mshr_nets.h"
#include "hw/mshr/mshr_ports.h"

namespace hw {

// What the tag organisation adds, and when it knows what happens.
struct TargetKinds {
  MatchTiming match = MatchTiming::in_time;
  bool joins_soon = false;  // the sum of loads can wait until it is known whether the request's load joins
  std::optional<HoldingNets> holding = {};
  bool keeps_last = false;  // with it: the last load for each chunk is kept, and none counted
  std::optional<FreeingNets> freeing = {};
};

void place_targets(MshrTop& file, const MshrPorts& ports, const MshrNets& nets, const TargetKinds& kinds);

}  // namespace hw
