// Keys of topologies of remote-core probing (DC-L1 thesis, chapter 3).
#include "gen/config/family.h"
#include "gen/units/remote/remote_keys.h"
#include "gen/units/shared/shared_keys.h"
#include "gen/units/topology/topology_keys.h"
#include "hw/remote/remote_ranges.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace {

using hw::RemoteParams, hw::SharingPredictorParams, hw::TopologyParams;
using Keys = std::vector<Key>;

auto of_remote(auto member) {
  return [member](auto& p) -> auto& { return p.remote.*member; };
}

auto of_predictor(auto member) {
  return [member](auto& p) -> auto& { return p.remote.predictor.*member; };
}

// The text of a unit by itself about a key; `suffix` distinguishes it from the texts of caches.
KeyInfo said_by(const Family& unit, const char* key, const char* suffix = nullptr) {
  KeyInfo info = *unit.find(key);
  if (suffix) info.suffix = suffix;
  return info;
}

KeyInfo own(const char* key, const char* unit, const hw::Range& range, const char* meaning,
            const char* suffix) {
  return {.key = std::string("remote.") + key,
          .range = range,
          .unit = unit,
          .meaning = meaning,
          .source = remote_source,
          .suffix = suffix};
}

KeyInfo choice(const char* key, const char* meaning, const char* suffix) {
  KeyInfo info = own(key, "", {}, meaning, suffix);
  info.type = KeyType::boolean;
  return info;
}

void add_searches(Keys& keys) {
  const Family &selector = core_selector_family(), &table = probe_table_family();
  const auto add = [&](const KeyInfo& info, auto member) {
    keys.push_back(field<TopologyParams>(info, of_remote(member)));
  };
  add(choice("enable", "A miss may be served by another core; else all go to L2.", "probing"),
      &RemoteParams::enable);
  add(said_by(selector, "remote.coverage", "coverage"), &RemoteParams::coverage);
  add(said_by(selector, "remote.probes", "probes"), &RemoteParams::probes);
  add(said_by(selector, "remote.probability", "probability"), &RemoteParams::probability);
  add(said_by(table, "remote.timeout"), &RemoteParams::timeout);
}

void add_queues(Keys& keys) {
  const auto add = [&](const KeyInfo& info, int RemoteParams::*member) {
    keys.push_back(field<TopologyParams>(info, of_remote(member)));
  };
  const Family& handler = probe_handler_family();
  add(said_by(handler, "remote.incoming"), &RemoteParams::incoming);
  add(said_by(handler, "remote.forwarded"), &RemoteParams::forwarded);
  add(said_by(handler, "remote.replies"), &RemoteParams::replies);
  add(said_by(probe_table_family(), "remote.outgoing"), &RemoteParams::outgoing);
  add(said_by(handler, "remote.deflected"), &RemoteParams::deflected);
  add(own("wait_limit", "cycles", hw::RemoteRanges::wait_limit,
          "After so many cycles a probe goes before the requests of the core whose L1 it is to search.",
          "probe_wait"),
      &RemoteParams::wait_limit);
}

void add_guard(Keys& keys) {
  KeyInfo guard =
      choice("own_store_guard",
             "Loads of a core see its stores: a filter remembers the lines that it has stored to, and "
             "its misses to those lines go to L2. The thesis has none.",
             "probe_guard");
  guard.source = "private-store rule beside DC-L1 thesis, chapter 3";
  keys.push_back(field<TopologyParams>(guard, of_remote(&RemoteParams::own_store_guard)));
  KeyInfo bits = filter_bits_key();
  bits.key = "remote.filter_bits";
  bits.suffix = "probe_filter";
  bits.meaning =
      "Log2 of the bits of the filter over lines that were stored to; at most the bits of a block address.";
  bits.source = guard.source;
  keys.push_back(field<TopologyParams>(bits, of_remote(&RemoteParams::filter_bits)));
}

void add_predictor(Keys& keys) {
  const Family& unit = sharing_predictor_family();
  KeyInfo kind = said_by(unit, "predictor.kind");
  kind.choices.emplace_back("perfect");
  kind.meaning += " In models alone: by what other cores have.";
  keys.push_back(field<TopologyParams>(kind, of_predictor(&SharingPredictorParams::kind)));
  keys.push_back(field<TopologyParams>(said_by(unit, "predictor.entries"),
                                       of_predictor(&SharingPredictorParams::entries)));
  keys.push_back(field<TopologyParams>(said_by(unit, "predictor.pc_bits"),
                                       of_predictor(&SharingPredictorParams::pc_bits)));
  const auto add = [&](const char* key, const char* suffix,
                       hw::StateNumbers SharingPredictorParams::*member) {
    keys.push_back(integers<TopologyParams>(said_by(unit, key, suffix), of_predictor(member)));
  };
  add("predictor.window", "window", &SharingPredictorParams::window);
  add("predictor.shared", "predicted", &SharingPredictorParams::shared);
  add("predictor.threshold", "replied", &SharingPredictorParams::threshold);
}

void add_selector(Keys& keys) {
  const Family& unit = core_selector_family();
  keys.push_back(
      field<TopologyParams>(said_by(unit, "selector.kind", "cores_by_"), of_remote(&RemoteParams::selector)));
  keys.push_back(field<TopologyParams>(said_by(unit, "selector.period", "selector_period"),
                                       of_remote(&RemoteParams::selector_period)));
  keys.push_back(field<TopologyParams>(said_by(unit, "selector.count_bits", "selector_count"),
                                       of_remote(&RemoteParams::selector_count_bits)));
  keys.push_back(field<TopologyParams>(said_by(unit, "selector.stages", "selector_stages"),
                                       of_remote(&RemoteParams::selector_stages)));
  keys.push_back(field<TopologyParams>(said_by(probe_table_family(), "table.stages", "table_stages"),
                                       of_remote(&RemoteParams::table_stages)));
}

}  // namespace

std::vector<Key> remote_keys() {
  Keys keys;
  add_searches(keys);
  add_queues(keys);
  add_guard(keys);
  add_predictor(keys);
  add_selector(keys);
  for (Key& key : keys)
    if (key.only_with.first.empty()) key.only_with = {"topology.kind", {"remote"}};
  return keys;
}

}  // namespace gen
