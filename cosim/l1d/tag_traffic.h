// What traffic and watching of an L1 data cache depend on its tag organisation.
#pragma once
#include <memory>
#include <vector>

#include "cosim/l1d/axis_watch.h"

namespace verif {

struct TagTraffic {
  hw::TagKind kind;
  // Numbers of lines of one set of which all just fit, or just do not.
  std::vector<std::size_t> (*lines_of_interest)(const hw::L1dParams&);
  // Lines of one set that are drawn from.
  std::size_t (*lines_of_set)(const hw::L1dParams&);
  // A line's way is not its tag's: a recipe for what a flush leaves behind beside others, one for fills
  // beside hits.
  bool shared_ways;
  // Null: there is nothing to watch beyond what any cache does.
  std::unique_ptr<AxisWatch> (*watch)(const hw::L1dParams&);
};

const TagTraffic& tag_traffic(hw::TagKind kind);

// Lines that a set holds as a whole.
int whole_lines_of_set(const hw::L1dParams& p);

}  // namespace verif
