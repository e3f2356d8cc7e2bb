#include "gen/units/l1d/reuse_filter_keys.h"

#include "gen/units/dueling/filter_dueling_unit.h"
#include "hw/l1d/l1d_params.h"
#include "hw/tags/tag_ranges.h"

namespace gen {
namespace {

using hw::L1dParams;

template <class Member>
void add(std::vector<Key>& keys, KeyInfo info, Member member) {
  if (!info.key.starts_with("tags.")) info.key = "tags.reuse_filter." + info.key;
  info.source = info.source.empty() ? "Decoupled L1D, section 4" : info.source;
  info.only_with = {"tags.kind", {"reuse_filter"}};
  keys.push_back(field<L1dParams>(
      std::move(info), [member](auto& p) -> auto& { return p.reuse.*member; }));
}

}  // namespace

void add_reuse_filter_keys(std::vector<Key>& keys) {
  using hw::ReuseFilterParams;
  add(keys,
      {.key = "ways",
       .range = hw::ReuseFilterRanges::ways,
       .unit = "entries",
       .meaning = "Tag entries of a set, at least geometry.ways.",
       .suffix = "tags"},
      &ReuseFilterParams::ways);
  add(keys,
      {.key = "threshold",
       .range = hw::ReuseFilterRanges::threshold,
       .depends = true,
       .unit = "references",
       .meaning = "Loads of a line before it gets data, less than 2^rc_bits; 0 or 1: no filter.",
       .suffix = "h"},
      &ReuseFilterParams::threshold);
  add(keys,
      {.key = "rc_bits",
       .range = hw::ReuseFilterRanges::rc_bits,
       .unit = "bits",
       .meaning = "Width of a reuse count.",
       .suffix = "r"},
      &ReuseFilterParams::rc_bits);
  add(keys,
      {.key = "tag_victim",
       .type = KeyType::choice,
       .choices = {"lfu", "dataless_lfu"},
       .meaning = "Victim of a new entry: the one with the smallest reuse count of all, or of entries "
                  "without a line if there are some.",
       .suffix = ""},
      &ReuseFilterParams::tag_victim);
  add(keys,
      {.key = "dueling",
       .type = KeyType::boolean,
       .meaning = "In runs of several caches, 0 (with the filter) and 1 (without) decide for the rest."},
      &ReuseFilterParams::dueling);
  add(keys, dueling_interval_key(), &ReuseFilterParams::dueling_interval);
  add(keys, dueling_margin_key(), &ReuseFilterParams::dueling_margin_percent);
  add(keys,
      {.key = "follow",
       .type = KeyType::boolean,
       .meaning = "An input filter_enable says whether the filter is on.",
       .source = "this generator's ports",
       .suffix = "follow_filter"},
      &ReuseFilterParams::follow);
}

}  // namespace gen
