// A Verilated L1 data cache behind one interface for ports of any width, so that the harness is
// compiled once for all configurations.
#pragma once
#include <cstdint>

#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// What the cache drives. Wide values are the bytes of the ports themselves, the lowest first.
using L1dSeen = golden::L1dOutputs<std::uint8_t, std::uint8_t>;

class L1dDut {
 public:
  virtual ~L1dDut() = default;

  // Drives the inputs and evaluates what depends on them.
  virtual void settle(const golden::L1dIn& in) = 0;
  virtual void read(L1dSeen& seen) const = 0;
  virtual void edge() = 0;
};

}  // namespace verif
