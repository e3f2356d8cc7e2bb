// Parameters of the FIFO between two clocks of ratio 2, shared by the hardware and its reference model (DC-L1
// thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once

namespace hw {

struct CrossingParams {
  int entries = 4;       // E
  int width = 8;         // bits of a word
  bool to_fast = false;  // `in` on clk and `out` on clk_noc1; else the other way

  bool operator==(const CrossingParams&) const = default;
};

}  // namespace hw
