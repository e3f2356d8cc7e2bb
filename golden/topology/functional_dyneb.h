// Untimed shared L1s with a DynEB controller for each core, whose cycles are the requests of its core and
// those that its L1 serves for others (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <vector>

#include "golden/shared/dyneb.h"
#include "golden/shared/written_filter.h"
#include "golden/topology/functional_shared.h"

namespace golden {

class FunctionalDyneb final : public FunctionalShared {
 public:
  explicit FunctionalDyneb(const hw::TopologyParams& params);

  const History* decisions(int cache) const override {
    return &cores_[static_cast<std::size_t>(cache)].history;
  }

 private:
  // A core's controller, what it has decided, and the lines that the core stored to past their homes.
  struct Core {
    Dyneb controller;
    std::vector<bool> written;
    History history;
  };

  Served serve(const CoreRequest& request) override;
  void restart() override;
  bool odd(std::uint64_t address) const { return index_.set_of(index_.block_of(address)) & 1; }
  // Sends the request on its way, and keeps the own-store rule.
  Way route_of(const CoreRequest& request, bool odd);
  void step(int core, const Dyneb::In& in);

  const bool guards_;
  const RunTimeIndex index_;
  const WrittenFilter filter_;  // its index alone
  std::vector<Core> cores_;
};

}  // namespace golden
