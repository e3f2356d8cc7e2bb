// L1 data caches: their family, storage and facts, and what units with a cache inside take from them.
#pragma once
#include <nlohmann/json.hpp>

#include <vector>

#include "gen/config/family.h"
#include "gen/unit/cosim_main.h"
#include "gen/unit/unit.h"
#include "hw/l1d/l1d.h"

namespace gen {

const Family& l1d_family();

// Changes the cache of a struct that holds its parameters as `l1d`.
template <class P, class Change>
void change_cache(Params& params, const Change& change) {
  Params cache = params.get<P>().l1d;
  change(cache);
  params.get<P>().l1d = cache.get<hw::L1dParams>();
}

// A key of a cache, for such a struct.
template <class P>
Key of_cache(const Key& inner) {
  Key key = inner;
  key.get = [get = inner.get](const Params& params) { return get(Params(params.get<P>().l1d)); };
  key.set = [set = inner.set](Params& params, const Value& value) {
    change_cache<P>(params, [&](Params& cache) { set(cache, value); });
  };
  return key;
}

// The facts about caches in manifests of topologies and of their nodes.
inline nlohmann::ordered_json cache_facts(const hw::L1dParams& cache, const hw::L1dFacts& f) {
  return {{"sets", hw::sets_of(cache)},         {"capacity_bytes", cache.capacity_bytes},
          {"mshr_entries", cache.mshr_entries}, {"address_bits", cache.address_bits},
          {"core_id_bits", cache.core_id_bits}, {"memory_id_bits", f.memory_id_bits}};
}

// Instances of a cache in whose RAMs bits may flip.
std::vector<std::string> protected_parts(const hw::EccParams& ecc);
// The bench flips bits in the RAMs of the cache at this path in the unit, which ends with a dot.
void add_upsets(CosimMain& main, const hw::EccParams& ecc, const std::string& cache);

// What a cache stores, counted as the papers count it and beside it.
// `tag_bits`: the bits that the index leaves to store.
std::vector<StorageAccount> storage_accounts(const hw::L1dParams& p, int tag_bits);

// What a bypass policy stores: its own decision, distances by line, or a threshold unit inside the cache.
void add_bypass_accounts(const hw::L1dParams& p, std::vector<StorageAccount>& accounts);

// Public caches; empty unless the cache is of the geometry and has the ports that the figures were made for.
std::vector<PublishedFigure> published_caches(const hw::L1dParams& p);

}  // namespace gen
