#include "hw/topology/kinds.h"

#include <array>

#include "hw/topology/baseline.h"
#include "hw/topology/cdxbar.h"
#include "hw/topology/nodes.h"
#include "hw/topology/remote.h"
#include "hw/topology/shared.h"

namespace hw {
namespace {

constexpr std::array<const KindRow*, 7> all{&baseline, &private_nodes, &shared_nodes, &clustered,
                                            &cdxbar,   &shared,        &remote};

}  // namespace

std::span<const KindRow* const> topology_kinds() { return all; }

const KindRow& kind_of(TopologyKind kind) { return *all[static_cast<std::size_t>(kind)]; }

}  // namespace hw
