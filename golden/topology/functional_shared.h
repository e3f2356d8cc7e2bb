// Untimed shared L1s: which L1 serves each request, its core's or its line's home's, or none (DC-L1 thesis,
// chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include "golden/shared/route_select.h"
#include "golden/topology/functional_topology.h"

namespace golden {

class FunctionalShared : public FunctionalTopology {
 public:
  explicit FunctionalShared(const hw::TopologyParams& params);

 protected:
  // The request takes its way.
  Served serve_on(Way way, const CoreRequest& request);
  const RouteSelect& route() const { return route_; }

 private:
  Served serve(const CoreRequest& request) override;

  const RouteSelect route_;
  const bool shared_;
};

}  // namespace golden
