// Verilated warp limiters in the place of the model's, so that hardware holds the warps of an SM; the model
// runs beside them and must agree in every cycle.
#pragma once
#include <type_traits>
#include <vector>

#include "golden/gpu/warp_gate.h"

namespace verif {

template <class Dut>
class VerilatedGate final : public golden::WarpGate {
 public:
  explicit VerilatedGate(const hw::LimitParams& p)
      : scope_(p.scope), count_(golden::first_limit(p)), units_(golden::LimiterSlots::limiters(p.scope)) {
    for (Dut& unit : units_) {
      unit.rst = 1;
      edge(unit);
      unit.rst = 0;
    }
  }

  void limit_to(int count) override { count_ = count; }

  std::uint64_t cycle(std::uint64_t launch, std::uint64_t finish, std::uint64_t waiting) override {
    std::uint64_t allowed = 0;
    for (unsigned n = 0; n < units_.size(); ++n) {
      const golden::LimiterSlots slots(scope_, n);
      Dut& unit = units_[n];
      using Bits = std::remove_reference_t<decltype(unit.launch)>;
      unit.launch = static_cast<Bits>(slots.own(launch));
      unit.finish = static_cast<Bits>(slots.own(finish));
      unit.waiting = static_cast<Bits>(slots.own(waiting));
      unit.limit = static_cast<std::uint8_t>(count_);
      unit.eval();
      allowed |= slots.of_sm(unit.allowed);
      edge(unit);
    }
    return allowed;
  }

 private:
  static void edge(Dut& unit) {
    unit.clk = 0;
    unit.eval();
    unit.clk = 1;
    unit.eval();
    unit.clk = 0;
  }

  const hw::LimitScope scope_;
  int count_;
  std::vector<Dut> units_;
};

}  // namespace verif
