// Keys and settling of a cache inside of another unit.
#pragma once
#include "gen/config/family.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

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

}  // namespace gen
