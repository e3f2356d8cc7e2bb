// Which untimed model runs a parameter set: a loop of its own tag kind, or any tag store with any policy.
#include "golden/cache/functional_l1d.h"
#include "golden/l1d/functional_store.h"
#include "golden/tags/tag_kinds.h"

namespace golden {

std::unique_ptr<FunctionalL1d> FunctionalL1d::make(const hw::L1dParams& p) {
  const TagKindRow& kind = tag_kind(p.tags);
  auto policy = Policy::make(p);
  const bool knows_policy = !policy || (kind.untimed_bypass && policy->only_in_place_of_fails());
  if (knows_policy && !p.stale_lines) return kind.untimed(p);
  return std::make_unique<FunctionalStore>(p, std::move(policy));
}

}  // namespace golden
