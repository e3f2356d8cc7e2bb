#include "golden/topology/functional_shared.h"

#include "golden/topology/functional_dyneb.h"
#include "golden/topology/shared_node.h"

namespace golden {

FunctionalShared::FunctionalShared(const hw::TopologyParams& params)
    : FunctionalTopology(params),
      route_(route_params(params)),
      shared_(params.shared.organisation == hw::Organisation::shared_lines) {}

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
    return served;
  }
  if (way == Way::home) served.node = route_.home(address);
  served.result = ask(served.node, r.request, home().of(address));
  if (served.result == Result::hit) served.slice = -1;
  return served;
}

std::unique_ptr<FunctionalTopology> untimed_shared(const hw::TopologyParams& params) {
  if (hw::has_controllers(params.shared)) return std::make_unique<FunctionalDyneb>(params);
  return std::make_unique<FunctionalShared>(params);
}

}  // namespace golden
