// A butterfly of switches as a fabric: one class of messages on all of its virtual channels (DC-L1 thesis,
// chapter 4; docs/contracts/butterfly.md).
#pragma once
#include "hw/noc/butterfly_params.h"
#include "hw/noc/mesh_params.h"
#include "hw/topology/fabric.h"

namespace hw {

// Ports where nobody sends or takes are tied off.
class ButterflyFabric final : public Fabric {
 public:
  struct Use {
    std::string name, title;
    PacketParams sent = {}, taken = {};
  };
  // Clock, VCs and links are those of `mesh`.
  ButterflyFabric(const ButterflySize& size, const MeshParams& mesh, Use use);

  const std::string& name() const override { return use_.name; }
  const std::string& title() const override { return use_.title; }
  bool fast() const override { return false; }
  int cycles() const override { return cycles_; }
  const std::vector<MessageClass>& classes() const override { return classes_; }
  FlitShape leaving(int message_class) const override;
  void build(rtl::Module& m, const FabricClock& clock, const std::string& top,
             const std::vector<ClassLinks>& links) const override;
  std::vector<CrossbarGroup> crossbars() const override;
  void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const override;
  std::vector<std::pair<std::string, int>> facts() const override;

 private:
  int cycles_;
  Use use_;
  std::vector<MessageClass> classes_;
  ButterflyParams butterfly_;
};

}  // namespace hw
