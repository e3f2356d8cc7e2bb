// Loads that get a line as it was before an earlier store of their own core, found from who served what.
// Lines count as a whole.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "golden/topology/functional_topology.h"

namespace golden {

class StaleLoads {
 public:
  explicit StaleLoads(int cores) : cores_(static_cast<std::size_t>(cores)) {}

  std::uint64_t count() const { return count_; }

  void note(const CoreRequest& r, const Served& served) {
    if (r.request.kind == RequestKind::non_l1) return;
    Core& core = cores_[static_cast<std::size_t>(r.core)];
    std::uint64_t& newest = memory_[r.request.address];
    if (changes_memory(r.request.kind)) {
      core.stored[r.request.address] = ++newest;
      return;
    }
    std::uint64_t& copy = core.copies[r.request.address];
    if (served.result != Result::hit)
      copy = served.supplier < 0
                 ? newest
                 : cores_[static_cast<std::size_t>(served.supplier)].copies[r.request.address];
    const auto own = core.stored.find(r.request.address);
    count_ += own != core.stored.end() && copy < own->second;
  }

 private:
  // By line, versions: how many stores of all cores had come.
  using Versions = std::unordered_map<std::uint64_t, std::uint64_t>;
  struct Core {
    Versions copies, stored;  // that its L1 took last; that it stored itself
  };

  Versions memory_;
  std::vector<Core> cores_;
  std::uint64_t count_ = 0;
};

}  // namespace golden
