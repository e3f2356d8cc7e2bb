// Parameters of a DC-L1 node, shared by the hardware and its reference model (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include "hw/l1d/l1d_params.h"

namespace hw {

struct DcL1NodeParams {
  L1dParams l1d = {};  // of the node; address_bits are those after the squeeze
  int queue = 4;       // entries of each of Q1 to Q4
  // The bits home_low + home_bits - 1 down to home_low of an address that the cache does not get.
  int home_low = 0, home_bits = 0;
  bool boost = false;  // Q1 and Q2 cross to clk_noc1

  bool operator==(const DcL1NodeParams&) const = default;
};

}  // namespace hw
