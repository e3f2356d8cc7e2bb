// Ports of the L1 data cache (hw/l1d/l1d.h names them).
#pragma once
#include <array>
#include <optional>

#include "hw/l1d/l1d_ports.h"
#include "hw/l1d/monitor_inputs_params.h"
#include "hw/rtl/stream.h"

namespace hw {

// The inputs of the cache's own monitors that the parameters ask for.
class MonitorInputs {
 public:
  MonitorInputs(rtl::Module& m, const L1dParams& p);

  // One that has no number.
  const rtl::Expr& operator[](MonitorInput input) const { return singles_[input.slot()].value(); }
  // All of them, by their ports' names.
  const rtl::Pins& pins() const { return pins_; }

 private:
  std::array<std::optional<rtl::Expr>, monitor_input_slots(false)> singles_;
  rtl::Pins pins_;
};

struct CachePorts {
  CachePorts(rtl::Module& m, const L1dParams& p);

  rtl::Stream core_request, core_response, memory_request, memory_response;
  rtl::Expr flush_valid, flush_ready;
  ControlPorts controls;  // wires where the cache decides a control itself
  MonitorInputs monitor_inputs;
};

}  // namespace hw
