#include "gen/units/l1d/l1d_keys.h"

#include <fmt/format.h>

#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/l1d_ranges.h"
#include "hw/require.h"

namespace gen {
namespace {

using hw::L1dParams;

const char* const baseline = "the baseline cache of the TSC, ACI and Decoupled L1D papers";

using Keys = std::vector<Key>;

template <class Member>
void add(Keys& keys, KeyInfo info, Member member) {
  info.source = info.source.empty() ? baseline : info.source;
  keys.push_back(field<L1dParams>(std::move(info), member));
}

void append(Keys& keys, const Keys& more) { keys.insert(keys.end(), more.begin(), more.end()); }

void add_geometry(Keys& keys) {
  add(keys, address_bits_key(), &L1dParams::address_bits);
  add(keys, line_bytes_key(), &L1dParams::line_bytes);
  add(keys, chunk_bytes_key(), &L1dParams::chunk_bytes);
  add(keys,
      {.key = "geometry.capacity_bytes",
       .range = hw::L1dRanges::capacity_bytes,
       .unit = "bytes",
       .meaning =
           "Size of the data store; capacity / (line * ways) sets, a power of two; one set is of models "
           "alone, which explore runs; with split tags capacity / (chunk * slots), at least 2.",
       .suffix = "z"},
      &L1dParams::capacity_bytes);
  add(keys,
      {.key = "geometry.ways",
       .range = hw::L1dRanges::ways,
       .unit = "ways",
       .meaning = "Lines of a set. More than 64 are of models alone, which explore runs; a reuse filter and "
                  "decoupled tags have at most 16.",
       .suffix = "w",
       .only_with = {"tags.kind", {"conventional", "sectored", "reuse_filter", "decoupled"}}},
      &L1dParams::ways);
}

void add_index(Keys& keys) {
  append(keys, index_keys_of_l1d());
  KeyInfo sets = sets_key(hw::L1dRanges::sets);
  sets.suffix.reset();
  sets.depends = true;
  keys.push_back(field<L1dParams>(
      std::move(sets), [](auto& p) -> auto& { return p.index.sets; }));
  add(keys,
      {.key = "index.blocking",
       .type = KeyType::boolean,
       .meaning = "The stages of index.latency hold one request at a time, and keep the next one out.",
       .source = "ACI thesis, the latency of an index",
       .suffix = "blocking"},
      &L1dParams::index_blocking);
}

void add_tags(Keys& keys) {
  add(keys,
      {.key = "tags.kind",
       .type = KeyType::choice,
       .choices = {"conventional", "sectored", "split", "reuse_filter", "decoupled"},
       .meaning =
           "Tag organisation: conventional (a line is there as a whole), sectored (a validity bit a chunk; a "
           "miss fetches the missed chunks only, as LAMAR does), split (chunks of any lines share a set), "
           "reuse_filter (more tags than lines; a line gets data after enough requests), "
           "or "
           "decoupled (as sectored, but lines with different chunks share a way).",
       .source = "TSC, sections 2, 3 and 5; Decoupled L1D, section 4",
       .suffix = ""},
      &L1dParams::tags);
  add(keys,
      {.key = "tags.replacement",
       .type = KeyType::choice,
       .choices = {"lru", "nru", "random", "srrip"},
       .meaning =
           "Victim of a new line: least recently used, not recently used, by a 16-bit LFSR, or the line of "
           "the most distant predicted use (SRRIP, 2 bits); split tags always take nru, by slots.",
       .suffix = ""},
      &L1dParams::replacement);
  add(keys,
      {.key = "tags.store_scope",
       .type = KeyType::choice,
       .choices = {"line", "mask"},
       .meaning =
           "What a store invalidates: every chunk of its line, or those it writes (not with conventional "
           "tags).",
       .suffix = "store_"},
      &L1dParams::store_scope);
  add(keys,
      {.key = "tags.store_policy",
       .type = KeyType::choice,
       .choices = {"evict", "update"},
       .meaning = "What a store does to its line if that is there: it goes (tags.store_scope says how much "
                  "of it), or the store writes its bytes into it. Atomics make it go in either case.",
       .source = "DC-L1 thesis, chapter 4",
       .suffix = "stores_"},
      &L1dParams::store_policy);
  add(keys,
      {.key = "tags.fetch",
       .type = KeyType::choice,
       .choices = {"mask", "line"},
       .meaning = "What a miss of sectored tags asks for: the missed chunks of the access, or every chunk of "
                  "the line that is neither there nor on its way.",
       .source = "this generator's",
       .suffix = "fetch_"},
      &L1dParams::fetch);
  add(keys,
      {.key = "tags.store_on_pending",
       .type = KeyType::choice,
       .choices = {"wait", "merge"},
       .depends = true,
       .meaning = "What a load does that comes to a line on its way, behind a store or an atomic to it: it "
                  "waits until the loads before that have been answered; or it merges with them, unless a "
                  "store of its own warp or an atomic is among what came (conventional tags, no bypass).",
       .source = "Accel-Sim, where loads merge",
       .suffix = "pending_"},
      &L1dParams::store_on_pending);
}

void add_probe(Keys& keys) {
  add(keys,
      {.key = "probe.ports",
       .type = KeyType::boolean,
       .meaning = "Outputs probe_*: a load that was looked up, in the cycle in which it leaves the "
                  "tag-lookup stage, "
                  "for monitors beside the cache.",
       .source = "this generator's ports",
       .suffix = "probe_ports"},
      &L1dParams::probe_ports);
}

void add_queues(Keys& keys) {
  add(keys,
      {.key = "mshr.entries",
       .range = hw::L1dRanges::mshr_entries,
       .unit = "entries",
       .meaning = "Lines that may be waited for at a time.",
       .suffix = "e"},
      &L1dParams::mshr_entries);
  add(keys,
      {.key = "mshr.merges",
       .range = hw::L1dRanges::mshr_merges,
       .unit = "loads",
       .meaning = "Loads that may wait for one line, the first included.",
       .suffix = "m"},
      &L1dParams::mshr_merges);
  add(keys,
      {.key = "mshr.miss_queue",
       .range = hw::L1dRanges::miss_queue,
       .unit = "requests",
       .meaning = "Entries of the queue towards memory; misses, stores, atomics and non-L1 requests pass it "
                  "in order.",
       .suffix = "q"},
      &L1dParams::miss_queue);
  add(keys,
      {.key = "core.id_bits",
       .range = hw::L1dRanges::core_id_bits,
       .unit = "bits",
       .meaning = "Width of a core request's number, which its answer carries.",
       .suffix = "i"},
      &L1dParams::core_id_bits);
  add(keys,
      {.key = "core.warp_bits",
       .range = hw::L1dRanges::warp_bits,
       .unit = "bits",
       .meaning = "Width of core_request_warp, the number of the warp that asks, or its low bits: warps with "
                  "one number wait for each other's stores.",
       .source = "this generator's ports",
       .suffix = "warp",
       .only_with = {"tags.store_on_pending", {"merge"}}},
      &L1dParams::warp_bits);
  add(keys,
      {.key = "core.drops",
       .type = KeyType::boolean,
       .meaning = "Requests of kind 4, local invalidate: the line is invalidated or poisoned, as by a store; "
                  "nothing is sent "
                  "to memory or answered.",
       .source = "private-store rule beside DC-L1 thesis, chapter 4",
       .suffix = "drops"},
      &L1dParams::drops);
  add(keys,
      {.key = "core.peeks",
       .type = KeyType::boolean,
       .meaning =
           "Requests of kind 5, snoop: answered with the line where it is valid, else with mask 0, and "
           "nothing changes; and an input `searching`, MSHR entries whose lines are searched for, to "
           "which stores and atomics wait.",
       .source = "DC-L1 thesis, chapter 3",
       .suffix = "snoops"},
      &L1dParams::snoops);
  add(keys,
      {.key = "core.pc_bits",
       .range = {0, hw::L1dRanges::pc_bits.most},
       .unit = "bits",
       .meaning = "Width of the number of a load's instruction in its kernel, which its fetch carries on; 0: "
                  "there is none.",
       .source = "DC-L1 thesis, chapter 3",
       .suffix = "pc"},
      &L1dParams::pc_bits);
  add(keys,
      {.key = "core.hit_latency",
       .range = hw::L1dRanges::hit_latency,
       .depends = true,
       .unit = "cycles",
       .meaning =
           "Cycles from the acceptance of a load to its answer when it hits, at the least; index.latency "
           "and core.request_slice add theirs. 2: the answer comes from registers. 1: the data of all "
           "ways is read beside the tags, and the hit is answered in the cycle of its lookup, on a "
           "longer path (no split tags, no ecc.data).",
       .source = "this generator's",
       .suffix = "hit"},
      &L1dParams::hit_latency);
  add(keys,
      {.key = "core.request_slice",
       .type = KeyType::boolean,
       .meaning = "Two requests wait in registers before the cache, so that core_request_ready depends on no "
                  "other stream in the same cycle; a hit is answered a cycle later.",
       .source = "this generator's ports",
       .suffix = "request_slice"},
      &L1dParams::request_slice);
}

void add_options(Keys& keys) {
  add(keys,
      {.key = "memory.protocol",
       .type = KeyType::choice,
       .choices = {"native", "axi4"},
       .meaning = "Memory side: two ready/valid streams, or AXI4, which takes no atomics.",
       .source = "AMBA AXI4",
       .suffix = ""},
      &L1dParams::protocol);
  add(keys,
      {.key = "counters.enable",
       .type = KeyType::boolean,
       .meaning = "Outputs event_*, one a counter, high for a cycle at each event; counting is done outside.",
       .suffix = "events"},
      &L1dParams::counters);
}

}  // namespace

std::vector<Key> l1d_keys() {
  Keys keys;
  add_geometry(keys);
  add_index(keys);
  append(keys, adaptive_keys_of_l1d());
  add_tags(keys);
  for (const TagKeys& tags : all_tag_keys) tags.add(keys);
  append(keys, policy_keys());
  append(keys, limit_keys_of_l1d());
  append(keys, iacm_keys_of_l1d());
  add_probe(keys);
  add_queues(keys);
  add_options(keys);
  add_check_keys<L1dParams>(keys);
  add_ecc_keys<L1dParams>(keys);
  return keys;
}

void settle_l1d(Params& params) {
  auto& p = params.get<L1dParams>();
  keys_of(p.tags).settle(p);
  if (hw::has_controller(p)) p.adaptive.idle = hw::AdaptiveParams{}.idle;  // it begins each round itself
  p.index.address_bits = p.address_bits;
  p.index.line_bytes = p.line_bytes;
  if (!sound_geometry(p)) return;  // hw::check says what is wrong with it
  p.index.sets = hw::sets_of(p);
  settle_index(p.index);
}

void resolve_l1d(Params& params) {
  auto& p = params.get<L1dParams>();
  keys_of(p.tags).resolve(p);
}

void check_given_l1d(const Values& given, const Params& params) {
  const auto& p = params.get<L1dParams>();
  keys_of(p.tags).check_given(given, p);
  if (!sound_geometry(p)) return;
  if (const auto sets = given.find("index.sets"); sets != given.end())
    hw::require(std::get<std::int64_t>(sets->second) == p.index.sets, "index.sets",
                std::get<std::int64_t>(sets->second), fmt::format("the geometry makes {} sets", p.index.sets),
                "leave it out, or change geometry.capacity_bytes or geometry.ways");
  check_given_taps(given, p.index);
}

}  // namespace gen
