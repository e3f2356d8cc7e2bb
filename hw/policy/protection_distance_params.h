// Parameters of the protection-distance bypass (ACI thesis, section 4.2.5), shared by the hardware and its
// reference model. What happens in which cycle: docs/contracts/iacm.md.
#pragma once

namespace hw {

struct ProtectionDistanceParams {
  int sets = 32;  // a power of two
  int ways = 4;
  int distance = 4;  // loads of its set that a line is protected from

  bool operator==(const ProtectionDistanceParams&) const = default;
};

}  // namespace hw
