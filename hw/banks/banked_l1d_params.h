// Parameters of an L1 data cache in banks, shared by the hardware and its reference model. What happens in
// which cycle: docs/contracts/l1d-banks.md.
#pragma once
#include <bit>

#include "hw/l1d/l1d_params.h"

namespace hw {

struct BankedL1dParams {
  L1dParams l1d = {};  // of all banks together, with their index
  int banks = 4;       // and ports: 2 or 4

  bool operator==(const BankedL1dParams&) const = default;
};

// Of a line's number, of which the lowest bits say its bank; and of a bank's ids, of which the highest say
// the port.
constexpr int bank_bits(const BankedL1dParams& p) {
  return std::bit_width(static_cast<unsigned>(p.banks)) - 1;
}

// The cache that each bank is: its share of the lines, of the MSHR entries and of the miss queue.
constexpr L1dParams bank_of(const BankedL1dParams& p) {
  L1dParams bank = p.l1d;
  bank.capacity_bytes /= p.banks;
  bank.mshr_entries /= p.banks;
  bank.miss_queue /= p.banks;
  bank.address_bits -= bank_bits(p);
  bank.core_id_bits += bank_bits(p);
  return bank;
}

}  // namespace hw
