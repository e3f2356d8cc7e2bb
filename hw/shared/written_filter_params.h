// Parameters of the written filter of a shared L1 (DC-L1 thesis, chapter 4), shared by the hardware and its
// reference model. What happens in which cycle: docs/contracts/shared-l1.md.
#pragma once

namespace hw {

struct WrittenFilterParams {
  int address_bits = 32;  // N
  int line_bytes = 128;
  int filter_bits = 13;  // log2 of the bits

  bool operator==(const WrittenFilterParams&) const = default;
};

inline constexpr int written_row_bits = 32;  // of the RAM, and cleared in a cycle

constexpr int written_rows(const WrittenFilterParams& p) { return (1 << p.filter_bits) / written_row_bits; }

}  // namespace hw
