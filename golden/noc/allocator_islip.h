// Golden iSLIP allocator, written as the three steps request, grant, accept of McKeown's paper (DC-L1 thesis,
// chapter 5).
#pragma once
#include <array>
#include <bitset>
#include <map>
#include <set>

#include "hw/noc/allocator_islip_params.h"

namespace golden {

template <hw::AllocatorParams P>
class AllocatorIslip {
 public:
  static constexpr int pairs = P.inputs * P.outputs;
  using Matrix = std::bitset<pairs>;  // bit i*J + j: input i and output j

  // The grants of this cycle, from the state before its edge.
  Matrix grant(const Matrix& request) const {
    Matrix all;
    for (const auto& [input, output] : match(request).all) all.set(input * P.outputs + output);
    return all;
  }

  void edge(const Matrix& request) {
    for (const auto& [input, output] : match(request).first) {
      output_pointer_[output] = (input + 1) % P.inputs;
      input_pointer_[input] = (output + 1) % P.outputs;
    }
  }

  void reset() { *this = {}; }

  // How many pairs are matched, and how many of them after the first iteration.
  struct Counts {
    std::size_t all, later;
  };
  Counts counts(const Matrix& request) const {
    const Match m = match(request);
    return {m.all.size(), m.all.size() - m.first.size()};
  }

  const std::array<int, P.outputs>& output_pointers() const { return output_pointer_; }
  const std::array<int, P.inputs>& input_pointers() const { return input_pointer_; }

 private:
  struct Match {
    std::map<int, int> all, first;  // input -> output; `first`: in the first iteration
  };

  // Of a set in cyclic order, the first member at or after the pointer.
  static int at_or_after(const std::set<int>& members, int pointer) {
    const auto found = members.lower_bound(pointer);
    return found == members.end() ? *members.begin() : *found;
  }

  Match match(const Matrix& request) const {
    Match m;
    std::set<int> taken;  // outputs
    for (int iteration = 0; iteration < P.iterations; ++iteration) {
      std::map<int, std::set<int>> granting;  // input -> outputs that chose it
      for (int output = 0; output < P.outputs; ++output) {
        if (taken.contains(output)) continue;
        std::set<int> asking;
        for (int input = 0; input < P.inputs; ++input)
          if (request[input * P.outputs + output] && !m.all.contains(input)) asking.insert(input);
        if (!asking.empty()) granting[at_or_after(asking, output_pointer_[output])].insert(output);
      }
      for (const auto& [input, outputs] : granting) {
        const int output = at_or_after(outputs, input_pointer_[input]);
        m.all[input] = output;
        taken.insert(output);
      }
      if (iteration == 0) m.first = m.all;
    }
    return m;
  }

  std::array<int, P.outputs> output_pointer_{};
  std::array<int, P.inputs> input_pointer_{};
};

}  // namespace golden
