// Untimed shared L1s: which L1 serves each request, its core's or its line's home's, or none (DC-L1 thesis,
// chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include "golden/shared/route_select.h"
#include "golden/topology/functional_topology.h"
#include "golden/topology/mesh_links.h"

namespace golden {

// What requests and their answers put on the links of the networks.
class UntimedTraffic {
 public:
  static std::unique_ptr<UntimedTraffic> make(const hw::TopologyParams& params);
  virtual ~UntimedTraffic() = default;

  // A core's request to its home; one of a core to its slice, which answers with `chunks` of a line.
  virtual void to_home(const CoreRequest&, int /*home*/) {}
  virtual void to_slice(int /*core*/, const Request&, std::uint64_t /*chunks*/) {}
  virtual std::vector<std::vector<LinkFlits>> links() const { return {}; }
};

class FunctionalShared : public FunctionalTopology {
 public:
  explicit FunctionalShared(const hw::TopologyParams& params);

  TopologyFigures figures() const override {
    return {.direct = direct_, .homes = homes_, .links = traffic_->links()};
  }

 protected:
  // The request takes its way.
  Served serve_on(Way way, const CoreRequest& request);
  const RouteSelect& route() const { return route_; }

 private:
  Served serve(const CoreRequest& request) override;

  const RouteSelect route_;
  const bool shared_;
  const std::unique_ptr<UntimedTraffic> traffic_;
  std::vector<HomeLoads> homes_;
  L1dCounters direct_;
};

}  // namespace golden
