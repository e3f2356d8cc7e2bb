#include "gen/units/topology/shared_topology_keys.h"

#include "gen/units/shared/shared_keys.h"
#include "hw/shared/shared_ranges.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace {

using hw::TopologyParams;
using Keys = std::vector<Key>;

// Of shared L1s, but for what joins them.
void add_shared(Keys& keys, const std::vector<std::string>& kinds) {
  const auto add_key = [&](KeyInfo info, auto access) {
    if (info.source.empty()) info.source = "DC-L1 thesis, chapter 4";
    info.only_with = {"topology.kind", kinds};
    keys.push_back(field<TopologyParams>(info, access));
  };
  const auto of_shared = [](auto member) {
    return [member](auto& p) -> auto& { return p.shared.*member; };
  };
  using hw::SharedParams;
  add_key(
      {.key = "shared.organisation",
       .type = KeyType::choice,
       .choices = {"private", "shared", "dyneb"},
       .meaning = "Each core caches lines for itself, or a line's home for all, or as a controller of each "
                  "core finds.",
       .suffix = "lines_"},
      of_shared(&SharedParams::organisation));
  add_key(home_key(), of_shared(&SharedParams::home));
  add_key({.key = "shared.chunk",
           .type = KeyType::boolean,
           .meaning = "Replies to cores have the requested flits; else all flits of the line.",
           .suffix = "in_chunks"},
          of_shared(&SharedParams::chunk));
  add_key(min_home_l2_key(), of_shared(&SharedParams::min_home_l2));
  add_key({.key = "shared.queue_entries",
           .range = hw::SharedRanges::queue_entries,
           .unit = "messages",
           .meaning = "Entries of each of a core's six queues.",
           .suffix = "queues"},
          of_shared(&SharedParams::queue_entries));
  add_key(remote_wait_limit_key(), of_shared(&SharedParams::remote_wait_limit));
  add_key(
      {.key = "shared.own_store_guard",
       .type = KeyType::boolean,
       .meaning = "With controllers, loads of a core see its stores: copies in its L1 are invalidated, and a "
                  "filter remembers lines that were stored to past their homes. The thesis has neither.",
       .source = "private-store rule beside DC-L1 thesis, chapter 4",
       .suffix = "guard"},
      of_shared(&SharedParams::own_store_guard));
  add_key(filter_bits_key(), of_shared(&SharedParams::filter_bits));
}

}  // namespace

std::vector<Key> shared_keys(const std::vector<std::string>& kinds) {
  Keys keys;
  add_shared(keys, kinds);
  for (Key& key : keys)
    if (key.key == "shared.own_store_guard" || key.key == "shared.filter_bits")
      key.only_with = {"shared.organisation", {"dyneb"}};
  return keys;
}

std::vector<Key> controller_keys() {
  Keys keys;
  for (Key key : dyneb_family().keys) {
    key.get = [get = key.get](const Params& params) {
      return get(Params(params.get<TopologyParams>().shared.dyneb));
    };
    key.set = [set = key.set](Params& params, const Value& value) {
      Params controller = params.get<TopologyParams>().shared.dyneb;
      set(controller, value);
      params.get<TopologyParams>().shared.dyneb = controller.get<hw::DynebParams>();
    };
    if (key.only_with.second.empty()) key.only_with = {"shared.organisation", {"dyneb"}};
    keys.push_back(key);
  }
  KeyInfo leftovers{
      .key = "dyneb.prefer_leftover_victims",
      .type = KeyType::boolean,
      .meaning = "Lines of shared sets that have another home are replaced before the LRU line.",
      .source = "DC-L1 thesis, section 4.4",
      .suffix = "leftovers_first",
      .only_with = {"shared.organisation", {"dyneb"}}};
  keys.push_back(field<TopologyParams>(
      leftovers, [](auto& p) -> auto& { return p.shared.prefer_leftover_victims; }));
  return keys;
}

}  // namespace gen
