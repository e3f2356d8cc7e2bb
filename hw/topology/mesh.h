// A mesh of routers as a fabric: one class of messages, or two, each on its own half of the virtual channels
// (DC-L1 thesis, chapter 4; docs/contracts/mesh.md).
#pragma once
#include "hw/noc/mesh_params.h"
#include "hw/noc/mesh_router_params.h"
#include "hw/topology/routed_fabric.h"

namespace hw {

// Ports are nodes, for each class alike.
class Mesh final : public RoutedFabric {
 public:
  Mesh(const MeshParams& p, Use use);

  FlitShape leaving(int message_class) const override;
  rtl::Module network(const std::string& top, const std::vector<ClassPorts>& ports) const override;
  std::vector<CrossbarGroup> crossbars() const override;
  void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const override;
  std::vector<std::pair<std::string, int>> facts() const override;

 private:
  MeshParams p_;
  MeshRouterParams router_;
};

}  // namespace hw
