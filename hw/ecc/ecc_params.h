// Protection of the RAMs of a cache, shared by the hardware and its reference model
// (docs/contracts/l1d-ecc.md).
#pragma once

namespace hw {

enum class Protection { none, parity, secded };

struct EccParams {
  Protection data = Protection::none;  // of the data RAM
  int data_bits = 64;                  // of a code word there

  bool operator==(const EccParams&) const = default;
};

constexpr bool is_protected(const EccParams& p) { return p.data != Protection::none; }

}  // namespace hw
