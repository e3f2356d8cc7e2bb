// Parameters of SM dueling for the reuse-count filter, shared by the hardware and its reference model. What
// they mean and when what happens: docs/contracts/l1d-reuse-filter.md.
#pragma once

namespace hw {

struct FilterDuelingParams {
  int address_bits = 32;    // N: bits of a byte address
  int line_bytes = 128;     // bytes a line
  int interval = 500;       // cycles
  int margin_percent = 10;  // points by which the filter may be worse

  bool operator==(const FilterDuelingParams&) const = default;
};

}  // namespace hw
