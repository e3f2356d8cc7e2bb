// What a monitor of a golden cache has decided, by the name of its history.
#pragma once
#include <string_view>
#include <vector>

#include "golden/cache/history.h"

namespace verif {

// Empty where the cache has no such monitor.
template <class Cache>
std::vector<golden::History::Change> changes_of(const Cache& cache, std::string_view name) {
  for (const golden::History* history : cache.histories())
    if (history->name == name) return history->changes;
  return {};
}

}  // namespace verif
