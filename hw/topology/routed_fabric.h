// What meshes and butterflies have in common as fabrics: names, classes of messages, and that they move in
// one of several cycles (DC-L1 thesis, chapter 4; docs/contracts/mesh.md, docs/contracts/butterfly.md).
#pragma once
#include "hw/topology/fabric.h"

namespace hw {

class RoutedFabric : public Fabric {
 public:
  struct Use {
    std::string name, title;
    std::vector<MessageClass> classes = {};
    bool checks = false;  // of flits and credits
  };

  const std::string& name() const override { return use_.name; }
  const std::string& title() const override { return use_.title; }
  bool fast() const override { return false; }
  int cycles() const override { return cycles_; }
  const std::vector<MessageClass>& classes() const override { return use_.classes; }

 protected:
  bool checks() const { return use_.checks; }

  RoutedFabric(Use use, int cycles) : use_(std::move(use)), cycles_(cycles) {}

 private:
  Use use_;
  int cycles_;
};

}  // namespace hw
