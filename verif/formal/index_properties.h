// Properties of set-index units, as Verilog around a unit: written from spec and papers, not from the units'
// own code.
#pragma once
#include <cstdint>
#include <string>

#include "hw/index/index_params.h"
#include "verif/formal/prove.h"

namespace verif {

// A linear unit (all but PRI) equals a reference in another form: PLI divides bit by bit in a shift register,
// the others take the parity of the masked block address.
Property equals_reference(const hw::IndexParams& params, const std::string& unit,
                          const std::string& unit_verilog);

// Two blocks with the same set and the same tag are the same block.
Property names_one_block(const hw::IndexParams& params, const std::string& unit,
                         const std::string& unit_verilog);

// Of spec 01, by the definitions themselves.
int reference_tag_bits(const hw::IndexParams& params);
std::uint32_t reference_polynomial(const hw::IndexParams& params);

// The combinational reference of a linear unit: ports block_address, set_index, tag.
std::string reference_module(const hw::IndexParams& params, const std::string& name);

}  // namespace verif
