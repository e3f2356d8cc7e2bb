// Remaining protection distances of lines (ACI thesis, section 4.2.5; docs/contracts/iacm.md): which ways of
// a set may be replaced, and which loads go past the cache since none may.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "golden/state.h"
#include "hw/policy/protection_distance_params.h"

namespace golden {

class ProtectionDistance {
 public:
  // A load that is looked up; masks have a bit a way.
  struct Load {
    bool probe = false;
    unsigned index = 0;  // its set
    bool hit = false;    // a tag matches, in `way`
    std::uint32_t way = 0, reserved = 0;
    bool accept = false;  // it does not fail
  };
  // One line, by set and way.
  struct Line {
    bool valid = false;
    unsigned index = 0;
    std::uint32_t way = 0;
  };
  struct In {
    Load load = {};
    Line kill = {}, fill = {};
    bool flush = false;
  };

  explicit ProtectionDistance(const hw::ProtectionDistanceParams& p)
      : p_(p), left_(static_cast<std::size_t>(p.sets * p.ways)) {}

  std::uint32_t open(unsigned index, std::uint32_t reserved) const {
    std::uint32_t ways = 0;
    for (int w = 0; w < p_.ways; ++w)
      if (left(index, w) == 0 && !(reserved >> w & 1)) ways |= 1u << w;
    return ways;
  }
  bool bypasses(const Load& load) const {
    return load.probe && !load.hit && open(load.index, load.reserved) == 0;
  }
  int left(unsigned index, int way) const { return left_[place(index, way)]; }

  void reset() { left_.assign(left_.size(), 0); }

  // What happens in one cycle takes effect in this order.
  void edge(const In& in) {
    if (in.load.probe && in.load.accept) accepted(in.load);
    set(in.kill, 0);
    set(in.fill, p_.distance);
    if (in.flush) reset();
  }

  void publish(StateList& list, const std::string& part = "") const {
    for (int w = 0; w < p_.ways; ++w)
      list.value(part + "way" + std::to_string(w) + ".rpd",
                 state_bits(static_cast<unsigned>(p_.distance) + 1),
                 {.parts = {{"set", static_cast<unsigned>(p_.sets)}}},
                 [this, w](unsigned, unsigned index) { return static_cast<std::uint64_t>(left(index, w)); });
  }

 private:
  std::size_t place(unsigned index, int way) const {
    return index * static_cast<std::size_t>(p_.ways) + static_cast<std::size_t>(way);
  }

  void accepted(const Load& load) {
    for (int w = 0; w < p_.ways; ++w) {
      int& left = left_[place(load.index, w)];
      if (!load.hit || !(load.way >> w & 1))
        left -= left > 0;
      else if (!(load.reserved >> w & 1))
        left = p_.distance;
    }
  }
  void set(const Line& line, int left) {
    for (int w = 0; line.valid && w < p_.ways; ++w)
      if (line.way >> w & 1) left_[place(line.index, w)] = left;
  }

  const hw::ProtectionDistanceParams p_;
  std::vector<int> left_;  // loads of its set that a line is still protected from
};

}  // namespace golden
