#include "golden/topology/functional_shared.h"

#include <bit>

#include "golden/topology/functional_dyneb.h"
#include "golden/topology/shared_node.h"

namespace golden {
namespace {

std::uint64_t asked(const Request& r) { return static_cast<unsigned>(std::popcount(r.mask)); }

// Of two meshes. A request or reply without data is one flit, another one has as many as its chunks fill.
class TrafficOfMeshes final : public UntimedTraffic {
 public:
  explicit TrafficOfMeshes(const hw::TopologyParams& p)
      : route_(route_params(p)),
        chunks_of_line_(static_cast<unsigned>(hw::chunks_of_line(p.l1d))),
        chunks_of_flit_(static_cast<unsigned>(p.flit_bytes / p.l1d.chunk_bytes)),
        chunk_(p.shared.chunk),
        requests_(p.mesh.width, p.mesh.height),
        replies_(p.mesh.width, p.mesh.height) {}

  void to_home(const CoreRequest& r, int home) override {
    carry(r.request, asked(r.request), route_.core_node(r.core), route_.core_node(home));
  }
  void to_slice(int core, const Request& r, std::uint64_t chunks) override {
    carry(r, chunks, route_.core_node(core), route_.slice_node(route_.slice(r.address)));
  }
  std::vector<std::vector<LinkFlits>> links() const override { return {requests_.list(), replies_.list()}; }

 private:
  void carry(const Request& r, std::uint64_t chunks, int from, int to) {
    const bool stores = changes_memory(r.kind), answered = r.kind != RequestKind::store;
    requests_.carry(from, to, stores ? flits_of(asked(r)) : 1);
    replies_.carry(to, from, !answered ? 1 : flits_of(chunk_ ? chunks : chunks_of_line_));
  }
  std::uint64_t flits_of(std::uint64_t chunks) const {
    return (chunks + chunks_of_flit_ - 1) / chunks_of_flit_;
  }

  const RouteSelect route_;
  const std::uint64_t chunks_of_line_, chunks_of_flit_;
  const bool chunk_;
  MeshLinks requests_, replies_;
};

}  // namespace

std::unique_ptr<UntimedTraffic> UntimedTraffic::make(const hw::TopologyParams& params) {
  if (params.shared.fabric == hw::SharedFabric::mesh) return std::make_unique<TrafficOfMeshes>(params);
  return std::make_unique<UntimedTraffic>();
}

FunctionalShared::FunctionalShared(const hw::TopologyParams& params)
    : FunctionalTopology(params),
      route_(route_params(params)),
      shared_(params.shared.organisation == hw::Organisation::shared_lines),
      traffic_(UntimedTraffic::make(params)),
      homes_(static_cast<std::size_t>(params.shape.cores)) {}

Served FunctionalShared::serve(const CoreRequest& r) {
  const bool of_l1 = r.request.kind != RequestKind::non_l1;
  return serve_on(route_.way(r.core, r.request.address, of_l1, shared_, false), r);
}

Served FunctionalShared::serve_on(Way way, const CoreRequest& r) {
  const RequestKind kind = r.request.kind;
  const std::uint64_t address = r.request.address;
  Served served{.core = r.core, .node = r.core, .slice = route_.slice(address)};
  if (way == Way::direct) {
    served.node = -1;
    served.result = kind == RequestKind::load     ? Result::bypass
                    : kind == RequestKind::store  ? Result::store
                    : kind == RequestKind::atomic ? Result::atomic
                                                  : Result::non_l1;
    traffic_->to_slice(r.core, r.request, asked(r.request));
    count_direct(direct_, kind, r.request.mask);
    return served;
  }
  if (way == Way::home) served.node = route_.home(address);
  const std::uint64_t before = l1(served.node).counters().chunks_requested;
  served.result = ask(served.node, r.request, home().of(address));
  const std::uint64_t fetched = l1(served.node).counters().chunks_requested - before;
  if (kind != RequestKind::load)
    traffic_->to_slice(served.node, r.request, asked(r.request));
  else if (fetched)
    traffic_->to_slice(served.node, r.request, fetched);
  if (way == Way::home) traffic_->to_home(r, served.node);
  if (way == Way::home && kind == RequestKind::load) {
    HomeLoads& of_home = homes_[static_cast<std::size_t>(served.node)];
    ++of_home.loads;
    of_home.hits += served.result == Result::hit;
  }
  if (served.result == Result::hit) served.slice = -1;
  return served;
}

std::unique_ptr<FunctionalTopology> untimed_shared(const hw::TopologyParams& params) {
  if (hw::has_controllers(params.shared)) return std::make_unique<FunctionalDyneb>(params);
  return std::make_unique<FunctionalShared>(params);
}

}  // namespace golden
