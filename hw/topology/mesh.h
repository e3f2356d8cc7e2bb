// A mesh of routers as a fabric: two classes of messages, each on its own half of the virtual channels (DC-L1
// thesis, chapter 4; docs/contracts/mesh.md).
#pragma once
#include <array>

#include "hw/noc/mesh_params.h"
#include "hw/noc/mesh_router_params.h"
#include "hw/topology/fabric.h"

namespace hw {

// Ports are nodes, for each class alike.
class Mesh final : public Fabric {
 public:
  static constexpr int classes_of_a_mesh = 2;

  struct Use {
    std::string name, title;
    std::array<PacketParams, classes_of_a_mesh> sent = {}, taken = {};
  };
  Mesh(const MeshParams& p, Use use);

  const std::string& name() const override { return use_.name; }
  const std::string& title() const override { return use_.title; }
  bool fast() const override { return false; }
  int cycles() const override { return p_.clock_ratio; }
  const std::vector<MessageClass>& classes() const override { return classes_; }
  FlitShape leaving(int message_class) const override;
  void build(rtl::Module& m, const FabricClock& clock, const std::string& top,
             const std::vector<ClassLinks>& links) const override;
  std::vector<CrossbarGroup> crossbars() const override;
  void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const override;
  std::vector<std::pair<std::string, int>> facts() const override;

 private:
  MeshParams p_;
  Use use_;
  std::vector<MessageClass> classes_;
  MeshRouterParams router_;
};

}  // namespace hw
