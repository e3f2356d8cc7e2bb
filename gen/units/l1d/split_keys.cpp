#include "gen/units/l1d/split_keys.h"

#include "gen/units/keys/geometry_keys.h"
#include "gen/units/mode/mode_selector_unit.h"
#include "hw/l1d/l1d.h"
#include "hw/require.h"
#include "hw/tags/tag_ranges.h"

namespace gen {
namespace {

using hw::L1dParams;

using Keys = std::vector<Key>;

template <class Member>
void add_split_key(Keys& keys, KeyInfo info, Member member) {
  info.key = "tags.split." + info.key;
  info.source = "TSC, section 3";
  info.only_with = {"tags.kind", {"split"}};
  keys.push_back(field<L1dParams>(
      std::move(info), [member](auto& p) -> auto& { return p.split.*member; }));
}

void add_split(Keys& keys) {
  using hw::SplitParams;
  add_split_key(
      keys,
      {.key = "private_tag_bits",
       .range = hw::SplitRanges::private_tag_bits,
       .depends = true,
       .unit = "bits",
       .meaning = "Low bits of the tag that each chunk has of its own, up to all of them; the others "
                  "are shared by its group.",
       .suffix = "private"},
      &SplitParams::private_tag_bits);
  add_split_key(keys,
                {.key = "groups",
                 .range = hw::SplitRanges::groups,
                 .unit = "groups",
                 .meaning = "Groups of a set.",
                 .suffix = "g"},
                &SplitParams::groups);
  add_split_key(
      keys,
      {.key = "chunks_per_group",
       .range = hw::SplitRanges::chunks_per_group,
       .zero = "the chunks of a line",
       .depends = true,
       .unit = "chunks",
       .meaning = "Slots of a group; a set has groups * chunks_per_group slots, at least the chunks of "
                  "a line and at most 64.",
       .suffix = "k"},
      &SplitParams::chunks_per_group);
  add_split_key(
      keys,
      {.key = "victim",
       .type = KeyType::choice,
       .choices = {"chunk", "group"},
       .meaning = "Victims of new chunks: one by one from a random slot on, or chunks of as few groups "
                  "as possible.",
       .suffix = ""},
      &SplitParams::victim);
}

void add_mode(Keys& keys) {
  keys.push_back(field<L1dParams>(
      {.key = "mode.kind",
       .type = KeyType::choice,
       .choices = {"fine", "coarse", "dueling"},
       .meaning =
           "What a load looks for: the chunks that it asks for, its line, or what costs fewer misses times "
           "traffic in sampler sets (TSC+). Other than fine needs split tags.",
       .source = mode_source,
       .suffix = ""},
      [](auto& p) -> auto& { return p.mode.kind; }));
  const auto dueling = [](KeyInfo info) {
    info.only_with = {"mode.kind", {"dueling"}};
    return info;
  };
  keys.push_back(integers<L1dParams>(
      dueling(fine_sets_key()), [](auto& p) -> auto& { return p.mode.fine_sets; }));
  keys.push_back(integers<L1dParams>(
      dueling(coarse_sets_key()), [](auto& p) -> auto& { return p.mode.coarse_sets; }));
  keys.push_back(field<L1dParams>(
      dueling(mode_threshold_key()), [](auto& p) -> auto& { return p.mode.threshold; }));
  keys.push_back(field<L1dParams>(
      dueling({.key = "mode.follow",
               .type = KeyType::boolean,
               .meaning = "An input mode_coarse says how all sets look, instead of an own selector.",
               .source = "this generator's ports",
               .suffix = "follow_mode"}),
      [](auto& p) -> auto& { return p.mode.follow; }));
}

}  // namespace

void add_split_keys(std::vector<Key>& keys) {
  add_split(keys);
  add_mode(keys);
}

void settle_split(L1dParams& p) { p.replacement = hw::Replacement::nru; }

void resolve_split(L1dParams& p) {
  p.split.chunks_per_group = hw::chunks_of_group(p.split, hw::chunks_of_line(p));
  if (p.mode.kind == hw::ModeKind::dueling && sound_geometry(p))
    resolve_samplers(hw::selector_params(p), p.mode.fine_sets, p.mode.coarse_sets);
}

void check_given_split(const Values& given, const L1dParams&) {
  const auto by = given.find("tags.replacement");
  if (by == given.end()) return;
  const auto& replacement = std::get<std::string>(by->second);
  hw::require(replacement == "nru", "tags.replacement", replacement,
              "is not for split tags, which replace by NRU", "leave it out, or use nru");
}

}  // namespace gen
