// Who listens to a cache's probes and decides something for it: a set index, a mode, a filter. Never on the
// lookup's path.
#pragma once
#include <cstdint>

#include "golden/l1d/probe_event.h"

namespace golden {

class Monitor {
 public:
  virtual ~Monitor() = default;

  // `loads`: that the cache has served since its construction.
  virtual void reset(std::uint64_t loads) = 0;
  // The edge of a cycle. `seen`: what left the probe stage in it, null if nothing did.
  virtual void edge(const ProbeEvent* seen, std::uint64_t loads) = 0;
};

}  // namespace golden
