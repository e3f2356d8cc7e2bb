// Parameters of a round-robin arbiter, shared by the hardware and its reference model (DC-L1 thesis, chapter
// 5).
#pragma once

namespace hw {

struct ArbiterParams {
  int inputs = 8;

  bool operator==(const ArbiterParams&) const = default;
};

}  // namespace hw
