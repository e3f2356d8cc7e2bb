// The private-store rule of a core with a DynEB controller: its loads see all its stores on either way (DC-L1
// thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <memory>

#include "golden/shared/route_select.h"
#include "golden/topology/parts.h"

namespace golden {

class StoreGuard {
 public:
  // What the core accepts in a cycle.
  struct Cycle {
    bool clears = false;  // a flush is pending, nothing of the core is open
    bool fresh = false;   // the request in the stage was accepted in the cycle before
    const Message* arrives = nullptr;
    std::uint64_t block = 0;  // of it, and of its set
    bool odd = false, shared = false;
  };
  // The request in the stage.
  struct Staged {
    bool clears = false, fresh = false, of_l1s = false, shared = false;
  };

  // As the topology asks for, or one that does nothing, as in the thesis.
  static std::unique_ptr<StoreGuard> make(const hw::TopologyParams& params, int core);
  virtual ~StoreGuard() = default;

  virtual bool ready() const { return true; }
  // The request in the stage goes past its line's home.
  virtual bool written(bool /*fresh*/) const { return false; }
  virtual bool drops(RequestKind, Way) const { return false; }
  virtual bool clean() const { return true; }
  virtual void watch(const Staged&) {}
  virtual void edge(const Cycle&) {}
  virtual void reset() {}
  virtual void count(EventCounts&) const {}
};

}  // namespace golden
