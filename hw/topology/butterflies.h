// A butterfly of switches as a fabric: one class of messages on all of its virtual channels (DC-L1 thesis,
// chapter 4; docs/contracts/butterfly.md).
#pragma once
#include "hw/noc/butterfly_params.h"
#include "hw/noc/mesh_params.h"
#include "hw/topology/routed_fabric.h"

namespace hw {

// Ports where nobody sends or takes are tied off.
class ButterflyFabric final : public RoutedFabric {
 public:
  // Clock, VCs and links are those of `mesh`.
  ButterflyFabric(const ButterflySize& size, const MeshParams& mesh, Use use);

  FlitShape leaving(int message_class) const override;
  rtl::Module network(const std::string& top, const std::vector<ClassPorts>& ports) const override;
  std::vector<CrossbarGroup> crossbars() const override;
  void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const override;
  std::vector<std::pair<std::string, int>> facts() const override;

 private:
  const PacketParams& sent() const { return classes()[0].sent; }

  ButterflyParams butterfly_;
};

}  // namespace hw
