// What each tag organisation adds to the keys of an L1 data cache: split tags (TSC paper, section 3), the
// reuse-count filter (Decoupled L1D paper, section 4), and decoupled sectored tags (Seznec, ISCA 1994).
#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "gen/units/l1d/l1d_keys.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/mode_in_cache.h"
#include "hw/require.h"
#include "hw/tags/tag_ranges.h"

namespace gen {
namespace {

using hw::L1dParams;

using Keys = std::vector<Key>;

// Adds keys tags.<kind>.*, members of a part of the cache's parameters.
template <class Part>
struct TagKeysOf {
  Keys& list;
  std::string kind, source;
  Part L1dParams::*part;

  template <class Member>
  void add(KeyInfo info, Member member) const {
    if (!info.key.starts_with("tags.")) info.key = "tags." + kind + "." + info.key;
    if (info.source.empty()) info.source = source;
    info.only_with = {"tags.kind", {kind}};
    list.push_back(field<L1dParams>(
        std::move(info), [ part = part, member ](auto& p) -> auto& { return (p.*part).*member; }));
  }
};

void add_split(Keys& list) {
  using hw::SplitParams;
  const TagKeysOf keys{list, "split", "TSC, section 3", &L1dParams::split};
  keys.add({.key = "private_tag_bits",
            .range = hw::SplitRanges::private_tag_bits,
            .depends = true,
            .unit = "bits",
            .meaning = "Low bits of the tag that each chunk has of its own, up to all of them; the others "
                       "are shared by its group.",
            .suffix = "private"},
           &SplitParams::private_tag_bits);
  keys.add({.key = "groups",
            .range = hw::SplitRanges::groups,
            .unit = "groups",
            .meaning = "Groups of a set.",
            .suffix = "g"},
           &SplitParams::groups);
  keys.add({.key = "chunks_per_group",
            .range = hw::SplitRanges::chunks_per_group,
            .zero = "the chunks of a line",
            .depends = true,
            .unit = "chunks",
            .meaning = "Slots of a group; a set has groups * chunks_per_group slots, at least the chunks of "
                       "a line and at most 64.",
            .suffix = "k"},
           &SplitParams::chunks_per_group);
  keys.add({.key = "victim",
            .type = KeyType::choice,
            .choices = {"chunk", "group"},
            .meaning = "Victims of new chunks: one by one from a random slot on, or chunks of as few groups "
                       "as possible.",
            .suffix = ""},
           &SplitParams::victim);
  std::ranges::move(mode_keys_of_l1d(), std::back_inserter(list));
}

void add_reuse_filter(Keys& list) {
  using hw::ReuseFilterParams;
  const TagKeysOf keys{list, "reuse_filter", "Decoupled L1D, section 4", &L1dParams::reuse};
  keys.add({.key = "ways",
            .range = hw::ReuseFilterRanges::ways,
            .unit = "entries",
            .meaning = "Tag entries of a set, at least geometry.ways.",
            .suffix = "tags"},
           &ReuseFilterParams::ways);
  keys.add({.key = "threshold",
            .range = hw::ReuseFilterRanges::threshold,
            .depends = true,
            .unit = "references",
            .meaning = "Loads of a line before it gets data, less than 2^rc_bits; 0 or 1: no filter.",
            .suffix = "h"},
           &ReuseFilterParams::threshold);
  keys.add({.key = "rc_bits",
            .range = hw::ReuseFilterRanges::rc_bits,
            .unit = "bits",
            .meaning = "Width of a reuse count.",
            .suffix = "r"},
           &ReuseFilterParams::rc_bits);
  keys.add({.key = "tag_victim",
            .type = KeyType::choice,
            .choices = {"lfu", "dataless_lfu"},
            .meaning = "Victim of a new entry: the one with the smallest reuse count of all, or of entries "
                       "without a line if there are some.",
            .suffix = ""},
           &ReuseFilterParams::tag_victim);
  keys.add({.key = "dueling",
            .type = KeyType::boolean,
            .meaning = "In runs of several caches, 0 (with the filter) and 1 (without) decide for the rest."},
           &ReuseFilterParams::dueling);
  keys.add(dueling_interval_key(), &ReuseFilterParams::dueling_interval);
  keys.add(dueling_margin_key(), &ReuseFilterParams::dueling_margin_percent);
  keys.add({.key = "follow",
            .type = KeyType::boolean,
            .meaning = "An input filter_enable says whether the filter is on.",
            .source = "this generator's ports",
            .suffix = "follow_filter"},
           &ReuseFilterParams::follow);
}

void add_decoupled(Keys& list) {
  using hw::DecoupledParams;
  const TagKeysOf keys{list, "decoupled", "Seznec, ISCA 1994; TSC, section 5", &L1dParams::decoupled};
  keys.add({.key = "tags_per_way",
            .range = hw::DecoupledRanges::tags_per_way,
            .unit = "tags",
            .meaning = "Lines that may share a way, each with other chunks of it; a set has geometry.ways * "
                       "tags_per_way tags, at most 64.",
            .suffix = "lines"},
           &DecoupledParams::tags_per_way);
  keys.add(
      {.key = "victim",
       .type = KeyType::choice,
       .choices = {"way", "tag"},
       .meaning =
           "Where a line without a tag goes: into the way whose loser used last was used longest ago, or "
           "to the tag of the set used longest ago, at any cost for the lines beside it.",
       .suffix = "victim_"},
      &DecoupledParams::victim);
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

}  // namespace

constexpr std::array<TagKeys, 5> all_tag_keys{
    TagKeys{.kind = hw::TagKind::conventional},
    TagKeys{.kind = hw::TagKind::sectored},
    TagKeys{.kind = hw::TagKind::split,
            .add = add_split,
            .settle = settle_split,
            .resolve = resolve_split,
            .check_given = check_given_split},
    TagKeys{.kind = hw::TagKind::reuse_filter, .add = add_reuse_filter},
    TagKeys{.kind = hw::TagKind::decoupled, .add = add_decoupled},
};

}  // namespace gen
