// Parameters of code words in RAMs, shared by the hardware and its reference model
// (docs/contracts/secded.md).
#pragma once

namespace hw {

// Parity detects one flipped bit of a word; SECDED corrects one and detects two.
enum class EccCode { parity, secded };

struct SecdedParams {
  EccCode code = EccCode::secded;
  int data_bits = 64;  // of a code word
  int words = 1;       // code words of a row

  bool operator==(const SecdedParams&) const = default;
};

}  // namespace hw
