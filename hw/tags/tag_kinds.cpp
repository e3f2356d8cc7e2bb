#include "hw/tags/tag_kinds.h"

#include <algorithm>
#include <array>

#include "hw/tags/reuse_filter_store.h"
#include "hw/tags/split_store.h"
#include "hw/tags/ways.h"

namespace hw {
namespace {

template <class Store>
std::unique_ptr<TagStore> make(const TagSocket& socket) {
  return std::make_unique<Store>(socket);
}

constexpr std::array organisations{
    TagOrganisation{TagKind::conventional, "conventional", false, make<Ways>},
    TagOrganisation{TagKind::sectored, "sectored", false, make<Ways>},
    TagOrganisation{TagKind::split, "split", true, make<SplitStore>},
    TagOrganisation{TagKind::reuse_filter, "reuse-count filter", false, make<FilteredWays>},
};

}  // namespace

const TagOrganisation& tag_organisation(TagKind kind) {
  return *std::ranges::find(organisations, kind, &TagOrganisation::kind);
}

}  // namespace hw
