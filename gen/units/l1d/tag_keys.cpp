#include "gen/units/l1d/tag_keys.h"

#include "gen/units/l1d/decoupled_keys.h"
#include "gen/units/l1d/reuse_filter_keys.h"
#include "gen/units/l1d/split_keys.h"

namespace gen {

constexpr std::array<TagKeys, 5> all_tag_keys{
    TagKeys{.kind = hw::TagKind::conventional},
    TagKeys{.kind = hw::TagKind::sectored},
    TagKeys{.kind = hw::TagKind::split,
            .add = add_split_keys,
            .settle = settle_split,
            .resolve = resolve_split,
            .check_given = check_given_split},
    TagKeys{.kind = hw::TagKind::reuse_filter, .add = add_reuse_filter_keys},
    TagKeys{.kind = hw::TagKind::decoupled, .add = add_decoupled_keys},
};

}  // namespace gen
