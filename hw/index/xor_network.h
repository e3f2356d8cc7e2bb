// Factors the XOR sums of several index bits into shared terms without making any of them deeper.
#pragma once
#include <cstdint>
#include <vector>

namespace hw {

// A sum of block-address bits: an input bit, or the XOR of two earlier terms.
struct XorTerm {
  std::uint64_t taps = 0;  // block-address bits it sums, as a mask
  int level = 0;           // two-input gates from the inputs
  int left = -1, right = -1;
  int uses = 0;  // by terms and outputs
};

struct XorNetwork {
  std::vector<XorTerm>
      terms;  // operands before users; the first ones are the inputs, in the order of their bits
  std::vector<int> outputs;  // the term of each row
  int gates() const;
  int depth() const;
};

// One row a sum, as a mask of block-address bits, none empty. Each output has the least depth that two-input
// gates allow, ceil(log2 taps); where rows share two taps the network has fewer gates than the sum of (taps -
// 1).
XorNetwork factor(const std::vector<std::uint64_t>& rows);

}  // namespace hw
