// Weights of address bits modulo p, written with the fewest signed powers of two.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hw {

struct Power {
  int column = 0;
  bool subtracted = false;
};
using Powers = std::vector<Power>;  // ascending columns

// Non-adjacent form: no number has fewer signed powers of two.
Powers signed_powers(std::int64_t value);

Powers binary_powers(std::uint64_t value);

// The fewest signed powers of two below 2^columns that sum to `residue` modulo p; the fewest subtracted among
// equals.
Powers fewest_powers(std::int64_t residue, std::int64_t p, int columns);

// "9 to 13: 2^(j-3) - 2^(j-7)": runs of address bits j whose weights are the same powers moved along.
std::string weights_text(const std::vector<Powers>& weights);

}  // namespace hw
