// Small caches of every tag organisation whose stores write into lines.
#pragma once
#include <string>
#include <vector>

namespace verif {

using Settings = std::vector<std::string>;

// Four lines of four chunks a way or so, everything else scarce.
inline Settings small_updating(const Settings& more = {}) {
  Settings all{"tags.store_policy=update",
               "geometry.capacity_bytes=1024",
               "geometry.ways=2",
               "mshr.entries=4",
               "mshr.merges=3",
               "mshr.miss_queue=3",
               "core.id_bits=5",
               "counters.enable=true"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

inline std::vector<Settings> updating_organisations() {
  return {small_updating(),
          small_updating({"tags.kind=sectored", "tags.store_scope=mask"}),
          small_updating({"tags.kind=split", "tags.replacement=nru", "tags.split.groups=2"}),
          small_updating({"tags.kind=decoupled", "tags.decoupled.tags_per_way=3"}),
          small_updating({"tags.kind=reuse_filter", "tags.reuse_filter.ways=4"}),
          small_updating({"index.kind=adi", "adaptive.period=16", "adaptive.counter_bits=4",
                          "adaptive.idle=64", "tags.replacement=nru"})};
}

}  // namespace verif
