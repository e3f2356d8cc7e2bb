// Parameters of integrated adaptive cache management (ACI thesis, section 4), shared by the hardware and its
// reference model. What they mean and when what happens: docs/contracts/iacm.md.
#pragma once
#include <algorithm>

#include "hw/index/index_params.h"
#include "hw/mechanism_params.h"
#include "hw/monitors/awl_params.h"

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

// Of what a controller and the monitor of an adaptive index say to each other in a cache.
template <class Cache>
constexpr ControlRole role_in_rounds(const Cache& p) {
  return has_controller(p) && p.index.kind == IndexKind::adi ? ControlRole::inner : ControlRole::none;
}

// Of a cache with a controller: what it decides, what it and the monitor of an adaptive index say to each
// other, and what it watches beside the cache.
template <class Cache>
inline constexpr std::array iacm_controls{
    ControlOf<Cache>{
        .name = "limit",
        .role = [](const Cache& p) { return has_controller(p) ? ControlRole::output : ControlRole::none; },
        .width = [](const Cache& p) { return warp_count_bits(iacm_params(p).awl); },
        .as_output = "warps that may issue"},
    ControlOf<Cache>{.name = "adi_start",
                     .role = role_in_rounds<Cache>,
                     .as_input = "a round of the adaptive index begins"},
    ControlOf<Cache>{.name = "round_done",
                     .role = role_in_rounds<Cache>,
                     .as_input = "a round of the adaptive index ends, with its flush"},
};
template <class Cache>
inline constexpr std::array iacm_inputs{
    MonitorInputOf<Cache>{.name = "total",
                          .source = InputSource::resident_warps,
                          .wanted = [](const Cache& p) { return has_controller(p); },
                          .width = [](const Cache& p) { return warp_count_bits(iacm_params(p).awl); },
                          .greatest = [](const Cache& p) { return p.limit.warps; },
                          .doc = "warps of the kernel in the limit's scope; counts with kernel_start"},
    MonitorInputOf<Cache>{.name = "issued",
                          .source = InputSource::issued_lanes,
                          .wanted = [](const Cache& p) { return has_controller(p); },
                          .width = [](const Cache& p) { return issued_bits(p.iacm.awl); },
                          .greatest = [](const Cache& p) { return p.iacm.awl.issue_max; },
                          .doc = "thread instructions issued in this cycle"},
};

}  // namespace hw
