// Parameters of the arbiter in front of a shared L1 (DC-L1 thesis, chapter 4), shared by the hardware and its
// reference model. What happens in which cycle: docs/contracts/shared-l1.md.
#pragma once

namespace hw {

struct L1ArbiterParams {
  int remote_wait_limit = 64;  // cycles after which a served request goes first, 0 (never) to 1,023

  bool operator==(const L1ArbiterParams&) const = default;
};

}  // namespace hw
