// The arrays of a unit, those of one RAM module together.
#pragma once
#include <algorithm>
#include <vector>

#include "gen/unit/unit.h"

namespace gen {

// In the order of their first arrays. `Kind` has members `one`, the first array, and `count`.
template <class Kind>
std::vector<Kind> arrays_by_module(const std::vector<StorageArray>& storage) {
  std::vector<Kind> kinds;
  for (const StorageArray& array : storage) {
    const auto same =
        std::ranges::find_if(kinds, [&](const Kind& kind) { return kind.one.module == array.module; });
    if (same != kinds.end())
      ++same->count;
    else
      kinds.push_back({.one = array, .count = 1});
  }
  return kinds;
}

}  // namespace gen
