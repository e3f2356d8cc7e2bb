#include "gen/units/l1d/decoupled_keys.h"

#include "hw/l1d/l1d_params.h"
#include "hw/tags/tag_ranges.h"

namespace gen {
namespace {

using hw::L1dParams;

template <class Member>
void add(std::vector<Key>& keys, KeyInfo info, Member member) {
  info.key = "tags.decoupled." + info.key;
  info.source = "Seznec, ISCA 1994; TSC, section 5";
  info.only_with = {"tags.kind", {"decoupled"}};
  keys.push_back(field<L1dParams>(
      std::move(info), [member](auto& p) -> auto& { return p.decoupled.*member; }));
}

}  // namespace

void add_decoupled_keys(std::vector<Key>& keys) {
  using hw::DecoupledParams;
  add(keys,
      {.key = "tags_per_way",
       .range = hw::DecoupledRanges::tags_per_way,
       .unit = "tags",
       .meaning = "Lines that may share a way, each with other chunks of it; a set has geometry.ways * "
                  "tags_per_way tags, at most 64.",
       .suffix = "lines"},
      &DecoupledParams::tags_per_way);
  add(keys,
      {.key = "victim",
       .type = KeyType::choice,
       .choices = {"way", "tag"},
       .meaning =
           "Where a line without a tag goes: into the way whose loser used last was used longest ago, or "
           "to the tag of the set used longest ago, at any cost for the lines beside it.",
       .suffix = "victim_"},
      &DecoupledParams::victim);
}

}  // namespace gen
