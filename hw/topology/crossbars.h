// Crossbars with virtual channels as a fabric: requests one way, and their replies back through mirrored
// crossbars (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include "hw/topology/fabric.h"
#include "hw/topology/topology_params.h"

namespace hw {

// Packets of a topology's messages on its virtual channels; `ports`: where one can go.
PacketParams packets_of(const TopologyParams& p, Network network, int id_bits, int ports);

// Crossbars of requests; those of replies have as many inputs as these have outputs.
struct CrossbarSizes {
  int count = 0, inputs = 0, outputs = 0;
};

// Ports are numbered through all crossbars: crossbar times ports plus port.
class Crossbars final : public Fabric {
 public:
  // The classes.
  static constexpr int requests = 0, replies = 1;

  struct Use {
    std::string name, title;
    CrossbarSizes sizes = {};
    int id_bits = 0;             // of the requests that enter
    bool fast = false;           // on clk_noc1
    bool sectoring = true;       // replies have the flits of their mask; else those of the line
    SidebandBits sideband = {};  // of the requests that enter
    int cycles = 1;              // to one in which they move
    Destination destination = {};
  };
  Crossbars(const TopologyParams& p, Use use);

  // The request port of a part among the parts that are joined to the crossbars in turn.
  int port_in_turn(int part) const {
    return part % use_.sizes.count * use_.sizes.inputs + part / use_.sizes.count;
  }
  // Bits of a request's id when it leaves.
  int joined_id_bits() const { return use_.id_bits + number_bits(use_.sizes.inputs); }

  const std::string& name() const override { return use_.name; }
  const std::string& title() const override { return use_.title; }
  bool fast() const override { return use_.fast; }
  int cycles() const override { return use_.cycles; }
  const std::vector<MessageClass>& classes() const override { return classes_; }
  FlitShape leaving(int message_class) const override;
  rtl::Module network(const std::string& top, const std::vector<ClassPorts>& ports) const override;
  std::vector<CrossbarGroup> crossbars() const override;
  void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const override;
  std::vector<std::pair<std::string, int>> facts() const override;

 private:
  Use use_;
  std::vector<MessageClass> classes_;
  CrossbarParams requests_, replies_;
};

}  // namespace hw
