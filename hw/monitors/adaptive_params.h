// Parameters of the adaptive index of a cache, shared by the hardware and its reference model.
#pragma once

namespace hw {

// Phases of the adaptive index (ACI thesis, section 3.3); what they mean: hw/monitors/adi_monitor_params.h.
struct AdaptiveParams {
  int period = 1024, counter_bits = 10, idle = 4096;

  bool operator==(const AdaptiveParams&) const = default;
};

}  // namespace hw
