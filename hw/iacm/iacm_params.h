// Parameters of integrated adaptive cache management (ACI thesis, section 4), shared by the hardware and its
// reference model. What they mean and when what happens: docs/contracts/iacm.md.
#pragma once
#include <algorithm>

#include "hw/iacm/awl_params.h"

namespace hw {

// Which of the two searches runs when: adaptive indexing (ADI), adaptive warp limiting (AWL).
enum class IacmOrder { none, adi_awl, awl_adi, parallel, adi, awl };

struct IacmParams {
  IacmOrder order = IacmOrder::adi_awl;
  AwlParams awl = {};
  int adi_idle = 6250;                 // cycles between rounds of ADI
  Fraction adi_change = {2, {1, 4}};   // of the IPC between rounds, for another round
  Fraction idle_change = {2, {1, 4}};  // of the IPC while nothing adapts, to begin again

  bool operator==(const IacmParams&) const = default;
};

constexpr bool has_adi(IacmOrder order) { return order != IacmOrder::awl; }
constexpr bool has_awl(IacmOrder order) { return order != IacmOrder::adi; }

// Of the IPC between rounds and while nothing adapts.
constexpr int watch_cycles(const IacmParams& p) { return std::max(p.awl.period, p.adi_idle); }
constexpr int watch_bits(const IacmParams& p) { return ipc_bits(p.awl, watch_cycles(p)); }

}  // namespace hw
