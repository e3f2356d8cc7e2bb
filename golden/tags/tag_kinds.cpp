#include "golden/tags/tag_kinds.h"

#include <array>
#include <cstdlib>

#include "golden/tags/decoupled_functional.h"
#include "golden/tags/decoupled_tags.h"
#include "golden/tags/reuse_filter_functional.h"
#include "golden/tags/reuse_filter_tags.h"
#include "golden/tags/split_functional.h"
#include "golden/tags/split_tags.h"
#include "golden/tags/ways_functional.h"
#include "golden/tags/ways_tags.h"

namespace golden {
namespace {

template <class Store>
std::unique_ptr<TagStore> store_of(const hw::L1dParams& params) {
  return std::make_unique<Store>(params);
}

template <class Core>
std::unique_ptr<FunctionalL1d> untimed_of(const hw::L1dParams& params) {
  return std::make_unique<Core>(params);
}

constexpr TagKindRow ways(hw::TagKind kind) {
  return {.kind = kind,
          .compare_stages = 0,
          .plans = false,
          .has_modes = false,
          .store = store_of<WayTags>,
          .untimed = make_functional_ways,
          .untimed_bypass = true};
}

constexpr std::array tag_kinds{
    ways(hw::TagKind::conventional),
    ways(hw::TagKind::sectored),
    TagKindRow{.kind = hw::TagKind::split,
               .compare_stages = 1,
               .plans = true,
               .has_modes = true,
               .store = store_of<SplitTags>,
               .untimed = make_functional_split,
               .untimed_bypass = false},
    TagKindRow{.kind = hw::TagKind::reuse_filter,
               .compare_stages = 0,
               .plans = false,
               .has_modes = false,
               .store = store_of<ReuseTags>,
               .untimed = untimed_of<FunctionalReuse>,
               .untimed_bypass = false},
    TagKindRow{.kind = hw::TagKind::decoupled,
               .compare_stages = 0,
               .plans = true,
               .has_modes = false,
               .store = store_of<DecoupledTags>,
               .untimed = make_functional_decoupled,
               .untimed_bypass = false},
};

}  // namespace

const TagKindRow& tag_kind(hw::TagKind kind) {
  for (const TagKindRow& row : tag_kinds)
    if (row.kind == kind) return row;
  std::abort();
}

}  // namespace golden
