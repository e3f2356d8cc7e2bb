// Which class is the cycle model of which tags.
#include "golden/tags/reuse_filter_cycle.h"
#include "golden/tags/split_cycle.h"
#include "golden/tags/ways_cycle.h"

namespace golden {

std::unique_ptr<CycleL1d> CycleL1d::make(const hw::L1dParams& params, bool with_data) {
  if (params.tags == hw::TagKind::reuse_filter) return std::make_unique<CycleReuse>(params, with_data);
  if (params.tags == hw::TagKind::split) return std::make_unique<CycleSplit>(params, with_data);
  return std::make_unique<CycleWays>(params, with_data);
}

}  // namespace golden
