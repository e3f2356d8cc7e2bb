// A fabric that moves in one of several cycles, the first after reset among them, and stands still in the
// others (DC-L1 thesis, chapter 4; docs/contracts/mesh.md).
#pragma once
#include <memory>
#include <utility>

#include "golden/topology/fabric.h"

namespace golden {

class PacedFabric final : public Fabric {
 public:
  PacedFabric(std::unique_ptr<Fabric> fabric, int cycles) : fabric_(std::move(fabric)), cycles_(cycles) {}

  bool fast() const override { return fabric_->fast(); }
  void begin() override {
    moves_ = cycle_ == 0;
    fabric_->begin();
  }
  bool drive(int input, const Message* message, int destination) override {
    const bool taken = fabric_->drive(input, message, destination);
    return moves_ && taken;
  }
  bool taken(int input) const override { return moves_ && fabric_->taken(input); }
  const Message* out(int output) const override { return moves_ ? fabric_->out(output) : nullptr; }
  void set_ready(int output, bool ready) override { fabric_->set_ready(output, ready); }
  void edge(Edge edge) override {
    if (edge == Edge::fast_alone) return;
    if (moves_) fabric_->edge(edge);
    cycle_ = (cycle_ + 1) % cycles_;
  }
  void reset() override {
    cycle_ = 0;
    fabric_->reset();
  }
  void report(FirstErrors::Codes& codes) const override { fabric_->report(codes); }
  bool undefined() const override { return fabric_->undefined(); }
  void edge_of_checks() override {
    if (cycle_ == 0) fabric_->edge_of_checks();
    cycle_ = (cycle_ + 1) % cycles_;
  }
  std::vector<LinkFlits> links() const override { return fabric_->links(); }
  std::optional<CrossbarFlits> crossbar_flits() const override { return fabric_->crossbar_flits(); }

 private:
  std::unique_ptr<Fabric> fabric_;
  const int cycles_;
  int cycle_ = 0;       // since it moved last
  bool moves_ = false;  // in this cycle, its edge included
};

}  // namespace golden
