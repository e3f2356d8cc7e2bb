// Chances of random stimuli.
#pragma once
#include <random>

namespace verif {

// At a rate of so many in 256.
inline bool often(std::mt19937_64& draw, unsigned rate) { return draw() % 256 < rate; }

}  // namespace verif
