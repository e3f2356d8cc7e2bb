// The event that a cache shows its observers: a request that was looked up leaves the tag-lookup stage.
#pragma once
#include <cstdint>

#include "golden/cache/l1d_types.h"

namespace golden {

struct ProbeEvent {
  std::uint64_t block = 0;
  unsigned set = 0;
  RequestKind kind = RequestKind::load;
  Result result = Result::hit;
  unsigned missed = 0;   // chunks that it asks memory for, else 0
  std::uint64_t id = 0;  // for whom: the core's id of the request

  bool is_load() const { return kind == RequestKind::load; }
  bool is_miss() const { return golden::is_miss(result); }
  // Chunks that come into the cache because of it.
  unsigned fetched() const { return result == Result::bypass ? 0 : missed; }
};

// A load's result as the port `probe_result` has it.
constexpr hw::ProbeResult probe_result(Result result) {
  switch (result) {
    case Result::hit_pending:
      return hw::ProbeResult::hit_pending;
    case Result::partial_miss:
      return hw::ProbeResult::partial_miss;
    case Result::miss:
      return hw::ProbeResult::miss;
    case Result::bypass:
      return hw::ProbeResult::bypass;
    default:
      return hw::ProbeResult::hit;
  }
}

}  // namespace golden
