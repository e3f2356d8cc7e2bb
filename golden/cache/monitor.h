// Who listens to a cache's probes and decides something for it: a set index, a mode, a filter. Never on the
// lookup's path.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/cache/controls.h"
#include "golden/cache/history.h"
#include "golden/cache/monitor_inputs.h"
#include "golden/cache/probe_event.h"
#include "golden/index/run_time_index.h"
#include "golden/state.h"

namespace golden {

class Monitor {
 public:
  virtual ~Monitor() = default;

  // `loads`: that the cache has served since its construction.
  virtual void reset(std::uint64_t /*loads*/) {}
  // What the cycle that ends next brings beside that.
  virtual void notify(const MonitorInputs&) {}
  // What left the tag-lookup stage in this cycle: of each cache that it listens to one request at most.
  virtual void observe(const ProbeEvent& event, unsigned cache) = 0;
  // The edge of a cycle; without time, the end of a load.
  virtual void edge(std::uint64_t loads) = 0;
  // What it has decided, from the next cycle on: controls that the cache shows, its set index.
  virtual void show(Controls& /*decisions*/) const {}
  virtual void choose(RunTimeIndex&) const {}
  // In this cycle: controls of the cache that it drives for that cache alone.
  virtual void drive(Controls&) const {}
  // A request comes into the tag-lookup stage at the edge of the cycle with these controls.
  virtual void enter(unsigned /*set*/, const Controls&) {}
  // The load there looks for its whole line.
  virtual bool widens() const { return false; }
  // In this cycle: nothing on the cache's path moves; all lines are lost.
  virtual bool freezes() const { return false; }
  virtual bool flushes() const { return false; }
  // An edge without an input or an event before it changes nothing.
  virtual bool rests() const { return false; }
  virtual void publish(StateList&) const {}
  // Null where nothing is written down.
  virtual const History* history() const { return nullptr; }
  // Adds that, and others that it has.
  virtual void add_histories(std::vector<const History*>& all) const {
    if (history()) all.push_back(history());
  }
};

}  // namespace golden
