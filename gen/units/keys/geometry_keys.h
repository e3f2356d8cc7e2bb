// What several families of units say about the same keys: widths of an address, and the number of sets.
#pragma once
#include "gen/config/key.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

KeyInfo address_bits_key();
KeyInfo line_bytes_key();
KeyInfo chunk_bytes_key();
KeyInfo sets_key(const hw::Range& range);

// Whether the geometry makes a number of sets that a cache can have.
bool sound_geometry(const hw::L1dParams& p);

}  // namespace gen
