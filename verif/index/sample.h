// Random legal parameters of set-index units, the same for the same seed.
#pragma once
#include <random>

#include "hw/index/index_params.h"

namespace verif {

// Any kind, any width; with `max_block_bits` only units small enough to be driven with every block address.
hw::IndexParams sample_index(std::mt19937_64& draw, int max_block_bits = 64);

}  // namespace verif
