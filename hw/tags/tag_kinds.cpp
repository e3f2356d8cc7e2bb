#include "hw/tags/tag_kinds.h"

#include <algorithm>
#include <array>

#include "hw/tags/decoupled_store.h"
#include "hw/tags/decoupled_tags.h"
#include "hw/tags/reuse_filter.h"
#include "hw/tags/reuse_filter_store.h"
#include "hw/tags/split_store.h"
#include "hw/tags/split_tag_store.h"
#include "hw/tags/ways.h"

namespace hw {
namespace {

template <class Store>
std::unique_ptr<TagStore> make(const TagSocket& socket) {
  return std::make_unique<Store>(socket);
}

void check_nothing(const TagParams&, int) {}

constexpr std::array organisations{
    TagOrganisation{.kind = TagKind::conventional,
                    .name = "conventional",
                    .key = "conventional",
                    .compares_first = false,
                    .check = check_nothing,
                    .make = make<Ways>},
    TagOrganisation{.kind = TagKind::sectored,
                    .name = "sectored",
                    .key = "sectored",
                    .compares_first = false,
                    .check = check_nothing,
                    .make = make<Ways>},
    TagOrganisation{.kind = TagKind::split,
                    .name = "split",
                    .key = "split",
                    .compares_first = true,
                    .check = check_private_tag,
                    .make = make<SplitStore>},
    TagOrganisation{.kind = TagKind::reuse_filter,
                    .name = "reuse-count filter",
                    .key = "reuse_filter",
                    .compares_first = false,
                    .check = check_reuse_filter,
                    .make = make<FilteredWays>},
    TagOrganisation{.kind = TagKind::decoupled,
                    .name = "decoupled sectored",
                    .key = "decoupled",
                    .compares_first = false,
                    .check = check_decoupled,
                    .make = make<DecoupledStore>},
};

}  // namespace

const TagOrganisation& tag_organisation(TagKind kind) {
  return *std::ranges::find(organisations, kind, &TagOrganisation::kind);
}

int valid_bits(const TagParams& p) { return by_chunk(p.tags) ? chunks_of_line(p) : 1; }

bool comes_in_parts(const TagParams& p) {
  return by_chunk(p.tags) && (p.tags != TagKind::sectored || chunks_of_line(p) > 1);
}

}  // namespace hw
