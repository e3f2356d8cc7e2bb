// Random values of the controls that are inputs of a cache: each changes at a rate that a phase chooses.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/cache/controls.h"

namespace verif {

class ControlsStimulus {
 public:
  explicit ControlsStimulus(const hw::L1dParams& p) {
    for (const hw::Control c : hw::all_controls)
      if (c.role(p) == hw::ControlRole::input) inputs_.push_back({c, ~std::uint64_t{0} >> (64 - c.width(p))});
  }

  // Draws once, for any inputs: other traffic of a seed does not depend on them.
  template <class Draw>
  void open_phase(Draw& draw) {
    static constexpr unsigned rates[] = {0, 0, 16, 100, 2000};
    std::uint64_t drawn = draw();
    for (Input& input : inputs_) input.rate = rates[drawn % 5], drawn /= 5;
  }

  template <class Draw>
  void drive(golden::Controls& controls, Draw& draw) const {
    for (const auto& [control, mask, rate] : inputs_) {
      if (draw() % 4096 >= rate) continue;
      const std::uint64_t now = controls[control];
      const std::uint64_t drawn = mask == 1 ? ~now & mask : draw() & mask;
      controls[control] = drawn != now ? drawn : ~now & mask;
    }
  }

 private:
  struct Input {
    hw::Control control;
    std::uint64_t mask;
    unsigned rate = 0;  // of its changes, in 4096ths of the cycles
  };

  std::vector<Input> inputs_;
};

}  // namespace verif
