// What drives the inputs of an L1 data cache under test: random traffic, a recording, or a trace.
#pragma once
#include <cstdint>

#include "cosim/harness/report.h"
#include "cosim/l1d/l1d_dut.h"
#include "cosim/l1d/l1d_lines.h"
#include "golden/cache/l1d_types.h"

namespace verif {

class L1dDriver {
 public:
  virtual ~L1dDriver() = default;

  // Sets every input of the next cycle; false at the end. Data that `in` points to stays.
  virtual bool drive(golden::L1dIn& in) = 0;
  // What golden, and the same cache in Verilog, showed in that cycle.
  virtual void clock(const golden::L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) = 0;
  // Writes what memory holds in the beginning, where it matters; called behind each reset.
  virtual void fill(L1dLines&) const {}
  // What is wrong beyond a difference from golden, or null.
  virtual const Mismatch* wrong() const { return nullptr; }
  // The answer of memory in this cycle is not the oldest that it owes.
  virtual bool out_of_order() const { return false; }
  // Cycles in all, 0 when not known.
  virtual std::int64_t total() const { return 0; }
};

}  // namespace verif
