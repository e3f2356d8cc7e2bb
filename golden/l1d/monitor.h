// Who listens to a cache's probes and decides something for it: a set index, a mode, a filter. Never on the
// lookup's path.
#pragma once
#include <cstdint>

#include "golden/l1d/history.h"
#include "golden/l1d/probe_event.h"

namespace golden {

class Monitor {
 public:
  virtual ~Monitor() = default;

  // `loads`: that the cache has served since its construction.
  virtual void reset(std::uint64_t /*loads*/) {}
  // What left the probe stage in this cycle: of each cache that it listens to one request at most.
  virtual void hear(const ProbeEvent& event, unsigned cache) = 0;
  // The edge of a cycle; without time, the end of a load.
  virtual void edge(std::uint64_t loads) = 0;
  // Null where nothing is written down.
  virtual const History* history() const { return nullptr; }
};

}  // namespace golden
