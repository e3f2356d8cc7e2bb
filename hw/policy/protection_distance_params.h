// Parameters of the protection-distance bypass (ACI thesis, section 4.2.5), shared by the hardware and its
// reference model. What happens in which cycle: docs/contracts/iacm.md.
#pragma once

namespace hw {

struct ProtectionDistanceParams {
  int sets = 32;     // a power of two, 2 to 1,024
  int ways = 4;      // 1 to 16
  int distance = 4;  // loads of its set that a line is protected from, 1 to 255

  bool operator==(const ProtectionDistanceParams&) const = default;
};

}  // namespace hw
