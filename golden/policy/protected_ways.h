// Bypass by protection distances in front of a cache (ACI thesis, section 4.2.5; docs/contracts/iacm.md): a
// load that finds no line takes an open way; without one it goes past the cache.
#pragma once
#include "golden/policy/policy.h"
#include "golden/policy/protection_distance.h"

namespace golden {

class ProtectedWays final : public Policy {
 public:
  explicit ProtectedWays(const hw::ProtectionDistanceParams& p) : distances_(p) {}

  void reset() override { distances_.reset(); }

  std::uint64_t open_ways(unsigned set) const override { return distances_.open(set, 0); }
  bool in_place_of_allocation(const PolicyLoad&) const override { return true; }

  void served(const PolicyLoad& load, Result, Place matched, bool reserved) override {
    const bool hit = matched != nowhere;
    const std::uint32_t way = hit ? 1u << matched : 0;
    distances_.edge({.load = {.probe = true,
                              .index = load.set,
                              .hit = hit,
                              .way = way,
                              .reserved = reserved ? way : 0,
                              .accept = true}});
  }
  void invalidated(unsigned set, Place place) override {
    distances_.edge({.kill = {true, set, 1u << place}});
  }
  void filled(unsigned set, Place place) override { distances_.edge({.fill = {true, set, 1u << place}}); }
  void flushed() override { distances_.reset(); }

  void publish(StateList& list) const override { distances_.publish(list, "protection."); }

 private:
  ProtectionDistance distances_;
};

}  // namespace golden
