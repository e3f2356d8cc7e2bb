// Protection of the RAMs of a cache, shared by the hardware and its reference model
// (docs/contracts/l1d-ecc.md).
#pragma once

namespace hw {

enum class Protection { none, parity, secded };

struct EccParams {
  Protection data = Protection::none;  // of the data RAM
  int data_bits = 64;                  // of a code word there
  Protection tags = Protection::none;  // of the tag RAMs, a code word a tag
  Protection mshr = Protection::none;  // of the RAMs of waiting loads and of queued requests

  bool operator==(const EccParams&) const = default;
};

constexpr bool protects_data(const EccParams& p) { return p.data != Protection::none; }
constexpr bool protects_tags(const EccParams& p) { return p.tags != Protection::none; }
constexpr bool protects_mshr(const EccParams& p) { return p.mshr != Protection::none; }
// Some RAM is protected.
constexpr bool is_protected(const EccParams& p) {
  return protects_data(p) || protects_tags(p) || protects_mshr(p);
}

}  // namespace hw
