// Golden round-robin arbiter: inputs stand in a ring, and who was served goes to its end with all before it
// (DC-L1 thesis, chapter 5).
#pragma once
#include <algorithm>
#include <bitset>
#include <deque>
#include <numeric>

#include "hw/noc/arbiter_round_robin_params.h"

namespace golden {

template <hw::ArbiterParams P>
class ArbiterRoundRobin {
 public:
  using Lines = std::bitset<P.inputs>;

  ArbiterRoundRobin() { reset(); }

  // The grant of this cycle, from the state before its edge.
  Lines grant(const Lines& request) const {
    Lines one;
    if (const auto served = first(request); served != ring_.end()) one.set(*served);
    return one;
  }

  void edge(const Lines& request, bool advance) {
    if (const auto served = first(request); advance && served != ring_.end())
      std::rotate(ring_.begin(), served + 1, ring_.end());
  }

  void reset() {
    ring_.resize(P.inputs);
    std::iota(ring_.begin(), ring_.end(), 0);
  }

  // The input that is asked first.
  int pointer() const { return ring_.front(); }

 private:
  using Ring = std::deque<int>;
  Ring::iterator first(const Lines& request) {
    return std::ranges::find_if(ring_, [&](int input) { return request[input]; });
  }
  Ring::const_iterator first(const Lines& request) const {
    return std::ranges::find_if(ring_, [&](int input) { return request[input]; });
  }

  Ring ring_;
};

}  // namespace golden
