// A bypass policy as the cache sees it, with time and without: which loads go past the cache, and which ways
// an allocation may take. Written once for all tag organisations.
#pragma once
#include <cstdint>
#include <memory>

#include "golden/cache/controls.h"
#include "golden/cache/decision.h"
#include "golden/state.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

// A load as a policy sees it.
struct PolicyLoad {
  std::uint64_t address = 0;  // of the line
  unsigned set = 0;
  hw::Sideband sideband = {};
  std::uint64_t id = 0;
};

// Questions change nothing and are asked in every cycle in which the load waits. A bypass that they lead to
// needs a miss-queue entry and nothing else; it changes neither tags nor MSHRs.
class Policy {
 public:
  // Null without a policy. Parameters count at run time; they are taken as legal.
  static std::unique_ptr<Policy> make(const hw::L1dParams& params);
  virtual ~Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  virtual void reset() {}
  // What its controls show from now on (0 in the beginning).
  virtual void steer(const Controls&) {}

  // The load goes past the cache without a lookup.
  virtual bool before_lookup(const PolicyLoad&) const { return false; }
  // It does so since it finds no line, no MSHR entry or no free MSHR target; from then on it waits for a
  // miss-queue entry alone.
  virtual bool in_place_of_fail(const PolicyLoad&) const { return false; }
  // All that it does: every load that fails goes past the cache.
  virtual bool only_in_place_of_fails() const { return false; }
  // Ways of its set that it may take, where lines lie in ways, of the first 64; reserved ones it never may.
  virtual std::uint64_t open_ways(unsigned /*set*/) const { return ~std::uint64_t{0}; }
  // It goes past the cache since none of the open ways can be had.
  virtual bool in_place_of_allocation(const PolicyLoad&) const { return false; }

  // The outcome for the state that a policy keeps by line; in one cycle they come in this order. `matched`:
  // the line that a load found, nowhere if none; `reserved`: its data is still on its way.
  virtual void served(const PolicyLoad&, Result, Place /*matched*/, bool /*reserved*/) {}
  virtual void invalidated(unsigned /*set*/, Place) {}
  virtual void filled(unsigned /*set*/, Place) {}
  virtual void flushed() {}

  // Its state by name; read as long as it lives.
  virtual void publish(StateList&) const {}

 protected:
  Policy() = default;
};

}  // namespace golden
