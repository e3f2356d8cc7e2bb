// Parameters of adaptive warp limiting (ACI thesis, section 4.2.3), shared by the hardware and its golden
// reference model. What they mean and when what happens: docs/contracts/iacm.md.
#pragma once
#include <bit>
#include <cstdint>

#include "hw/monitors/limit_params.h"
#include "hw/prim/number_list_params.h"

namespace hw {

// Where the linear search begins when a doubling did not pay: at the upper end, or at the count before it.
enum class LinearFrom { upper, best };

struct AwlParams {
  LimitScope scope = LimitScope::scheduler;  // whose warps are counted; the same hardware
  int warps = 24;                            // slots of the scope
  LinearFrom linear_from = LinearFrom::upper;
  int period = 6250;                   // cycles that a count is tried for
  Fraction warp_change = {2, {1, 4}};  // a result that differs by more has moved
  int issue_max = 64;                  // thread instructions issued in a cycle

  bool operator==(const AwlParams&) const = default;
};

constexpr int warp_count_bits(const AwlParams& p) { return std::bit_width(static_cast<unsigned>(p.warps)); }
constexpr int issued_bits(const AwlParams& p) { return std::bit_width(static_cast<unsigned>(p.issue_max)); }
// Of the thread instructions of so many cycles.
constexpr int ipc_bits(const AwlParams& p, int cycles) {
  return std::bit_width(static_cast<std::uint64_t>(cycles) * static_cast<std::uint64_t>(p.issue_max));
}

}  // namespace hw
