// The facts about caches in manifests of topologies and of their nodes.
#pragma once
#include <nlohmann/json.hpp>

#include "hw/l1d/l1d.h"

namespace gen {

inline nlohmann::ordered_json cache_facts(const hw::L1dParams& cache, const hw::L1dFacts& f) {
  return {{"sets", hw::sets_of(cache)},         {"capacity_bytes", cache.capacity_bytes},
          {"mshr_entries", cache.mshr_entries}, {"address_bits", cache.address_bits},
          {"core_id_bits", cache.core_id_bits}, {"memory_id_bits", f.memory_id_bits}};
}

}  // namespace gen
