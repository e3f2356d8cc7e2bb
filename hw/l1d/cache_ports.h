// Ports of the L1 data cache (hw/l1d/l1d.h names them).
#pragma once
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

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
  // Inputs from these sources, by their ports' names.
  rtl::Pins pins_from(std::initializer_list<InputSource> sources) const;

 private:
  std::array<std::optional<rtl::Expr>, monitor_input_slots(false)> singles_;
  struct Port {
    std::string name;
    InputSource source;
    rtl::Expr value;
  };
  std::vector<Port> ports_;
};

struct CachePorts {
  CachePorts(rtl::Module& m, const L1dParams& p);

  rtl::Stream core_request, core_response, memory_request, memory_response;
  rtl::Expr flush_valid, flush_ready;
  ControlPorts controls;  // wires where the cache decides a control itself
  MonitorInputs monitor_inputs;
};

}  // namespace hw
