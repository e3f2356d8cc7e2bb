// Set-index units: block address in, set number and tag out (ACI thesis, section 3.2).
#pragma once
#include <string>
#include <vector>

#include "hw/index/index_params.h"
#include "hw/rtl/module.h"

namespace hw {

constexpr int offset_bits(const IndexParams& p) {
  return rtl::clog2(static_cast<std::uint64_t>(p.line_bytes));
}  // B
constexpr int index_bits(const IndexParams& p) {
  return rtl::clog2(static_cast<std::uint64_t>(p.sets));
}  // S
constexpr int block_address_bits(const IndexParams& p) { return p.address_bits - offset_bits(p); }  // N-B

// What a unit is, beside its module: figures for the manifest.
struct IndexFacts {
  int tag_bits = 0;
  std::string tag_reason;                   // why (set, tag) names one block
  int xor_count = 0;                        // two-input XOR gates of a linear unit
  int unfactored_xor_count = 0;             // the sum of (taps - 1)
  std::vector<int> xor_depth = {};          // of each index bit, in two-input gates
  std::vector<std::vector<int>> taps = {};  // byte-address bits of each index bit of a linear unit
  int prime = 0;                            // PRI
  int unused_sets = 0;                      // PRI: sets that no block maps to
};

// Ports: `block_address` (N-B bits) in; `set_index` (S bits) and `tag` out, `latency` cycles later; `clk`
// only with latency. One block address a cycle; no reset, so the first `latency` outputs are undefined.
struct IndexUnit {
  rtl::Module module;
  IndexFacts facts;
};

// Throws ParamError when no unit can be built from the parameters.
void check(const IndexParams& p);

// Checks the parameters and builds the unit as module `name`; throws ParamError for adi.
IndexUnit index_unit(const IndexParams& p, const std::string& name);

}  // namespace hw
