// A Verilated model that evaluates once a cycle. Verilator evaluates what depends on inputs at each call, and
// all that depends on registers behind a clock edge: three times a cycle for what depends on both. The
// wrapper of a unit (gen/cosim/probe.h) has registers for its inputs instead, which an edge of `drive_inputs`
// loads. So the edge of a clock and the next cycle's inputs can come together.
#pragma once

namespace verif {

// eval() is what it is in Verilator's model, with two exceptions. While a clock is up it does nothing, and
// outputs are those of before the edge; the next eval() with all clocks low has both the edge and the inputs.
// Inputs of an edge are those of the eval() before it.
template <class Model>
class SteppedModel : public Model {
 public:
  // Inputs may begin with anything; the first edges are to be seen.
  SteppedModel() {
    lower();
    Model::eval();
  }

  void eval() {
    if (clocks_up()) return;
    raise_clocks();
    this->drive_inputs = 1;
    Model::eval();
    lower();
    Model::eval();
  }

 private:
  bool clocks_up() {
    bool up = this->clk;
    clk_rises_ |= up;
    if constexpr (requires(Model & m) { m.clk_noc1; }) {
      noc1_rises_ |= this->clk_noc1;
      up |= this->clk_noc1;
    }
    return up;
  }
  void raise_clocks() {
    this->clk = clk_rises_;
    if constexpr (requires(Model & m) { m.clk_noc1; }) this->clk_noc1 = noc1_rises_;
    clk_rises_ = noc1_rises_ = false;
  }
  void lower() {
    this->clk = this->drive_inputs = 0;
    if constexpr (requires(Model & m) { m.clk_noc1; }) this->clk_noc1 = 0;
  }

  bool clk_rises_ = false, noc1_rises_ = false;
};

}  // namespace verif
