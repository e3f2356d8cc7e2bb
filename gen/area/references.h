// Plain Verilog that does what an index unit does, written as a reader of the formula would: what area
// figures of the units stand beside. Same ports and latency as the unit.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace gen {

struct ReferenceShape {
  std::string name;  // of the module
  int block_address_bits = 25;
  int index_bits = 5;
  int tag_bits = 20;  // the tag is the upper bits of the block address
  int latency = 0;    // output registers
};

// set_index = block_address % modulus. Orders other than 0 print the same assignments in another order.
std::string modulo_reference(const ReferenceShape& shape, std::uint32_t modulus, std::uint32_t order = 0);

// set_index[i] = the XOR, one after the other, of the block-address bits in taps[i].
std::string unfactored_reference(const ReferenceShape& shape, const std::vector<std::uint64_t>& taps,
                                 std::uint32_t order = 0);

}  // namespace gen
