// Block addresses for index units: all of them, or random ones with the strides that index functions exist
// for, or those of traces.
#pragma once
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cosim/harness/options.h"
#include "golden/trace/coalesce.h"
#include "golden/trace/open/flat_trace.h"

namespace verif {

class BlockStimulus {
 public:
  // Every block address when there are at most 22 bits and the options ask for neither traces nor a cycle
  // count.
  BlockStimulus(const CosimOptions& options, int address_bits, int line_bytes);

  // Fills the front of `out` and says how much; 0 at the end.
  std::size_t fill(std::span<std::uint64_t> out);

  bool exhaustive() const { return exhaustive_; }
  std::int64_t total() const { return total_; }  // cycles, 0 when a trace decides
  std::string words() const;

 private:
  void burst(std::span<std::uint64_t> out);

  const std::vector<std::string> traces_;
  golden::FlatTrace records_;
  int line_bytes_, offset_bits_;
  std::uint64_t mask_;  // of a block address
  bool exhaustive_ = false;
  std::int64_t total_ = 0, done_ = 0;
  std::mt19937_64 draw_;
};

}  // namespace verif
