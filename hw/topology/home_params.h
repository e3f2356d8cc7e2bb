// Parameters of home selection, shared by the hardware and its reference model (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include "hw/topology/topology_params.h"

namespace hw {

struct HomeParams {
  TopologyShape shape = {};
  int address_bits = 32;  // N
  bool squeeze = true;    // cut a home that is a bit field from `cache_address`

  bool operator==(const HomeParams&) const = default;
};

}  // namespace hw
