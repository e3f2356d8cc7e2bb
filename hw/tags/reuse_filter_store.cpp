#include "hw/tags/reuse_filter_store.h"

#include "hw/tags/reuse_filter.h"
#include "hw/tags/tag_rams.h"

namespace hw {

FilteredWays::FilteredWays(const TagSocket& socket) : Ways(socket) {
  if (p_.reuse.follow) filter_enable_ = socket.controls[filter_enable];
  if (filter_enable_ && !filters(p_))
    m_.unused("unused_filter_enable", *filter_enable_, "the threshold leaves nothing to filter");
}

void FilteredWays::choice() {
  Ways::choice();
  if (filters(p_)) filtered_ = m_.wire("filtered", 1, "a load that finds no line gets none");
}

void FilteredWays::add_tags(const ProbeStage& probe) {
  Pins pins = tag_pins(probe);
  pins.insert(pins.end(), {{"load", probe.commit.load}, {"queue_not_full", probe.queue_not_full}});
  if (!filters(p_) || p_.reuse.follow) pins.emplace_back("has_free", probe.entry.has_free);
  if (filters(p_)) {
    pins.emplace_back("bypass", probe.commit.bypass.when());
    pins.emplace_back("filtered", filtered_.when());
    if (p_.reuse.follow) pins.emplace_back("filter_enable", *filter_enable_);
  }
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  m_.instance(reuse_filter(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store with reuse counts.");
}

TagStorage FilteredWays::storage(const MshrParams& mshr) const {
  TagStorage s = Ways::storage(mshr);
  s.arrays = {{"tags", tag_bits_ + check_bits_of_tag(p_.ecc.tags, tag_bits_), p_.reuse.ways},
              {"reuse", reuse_row_bits(p_), 1}};
  s.own_flops.emplace_back("tag_entries", p_.sets * p_.reuse.ways);
  return s;
}

}  // namespace hw
