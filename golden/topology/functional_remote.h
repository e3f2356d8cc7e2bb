// Untimed remote-core probing: which core serves a read miss, or L2. All targets of a search are searched at
// once (DC-L1 thesis, chapter 3; docs/contracts/remote-core.md).
#pragma once
#include <optional>
#include <vector>

#include "golden/remote/sharing_predictor.h"
#include "golden/shared/route_select.h"
#include "golden/shared/written_filter.h"
#include "golden/topology/functional_topology.h"
#include "golden/topology/untimed_selector.h"

namespace golden {

class FunctionalRemote final : public FunctionalTopology {
 public:
  explicit FunctionalRemote(const hw::TopologyParams& params);

  TopologyFigures figures() const override { return {.remote = figures_}; }

 private:
  // What stands beside a core, and the lines that it has stored to.
  struct Core {
    SharingPredictor predictor;
    UntimedSelector selector;
    std::vector<bool> written;
  };

  Served serve(const CoreRequest& request) override;
  void restart() override;
  std::size_t filter_bit(std::uint64_t address) const;
  // A read miss that is not filtered: whether it is taken to be shared, and who serves it.
  struct Miss {
    bool searched = false;
    std::optional<int> supplier = {};
  };
  Miss miss(const CoreRequest& request);
  bool held_by_others(int core, std::uint64_t address);
  std::optional<int> search(int core, const CoreList& list, std::uint64_t address);

  const hw::RemoteParams p_;
  const RouteSelect route_;  // slices alone
  const RunTimeIndex index_;
  const WrittenFilter filter_;  // its index alone
  std::vector<Core> cores_;
  RemoteFigures figures_;
};

}  // namespace golden
