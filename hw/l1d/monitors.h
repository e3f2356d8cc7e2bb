// Monitors inside the L1 data cache: each observes lookup events a cycle late, and drives the set index or
// a control from registers, never on the lookup's path.
#pragma once
#include <memory>
#include <vector>

#include "hw/l1d/cache_ports.h"
#include "hw/l1d/index_socket.h"
#include "hw/l1d/probe_event.h"

namespace hw {

class Monitor {
 public:
  virtual ~Monitor() = default;

  // What it drives: the set index, else a control.
  virtual bool moves_index() const { return false; }

  // Adds the monitor and its registers.
  virtual void watch(rtl::Module& m, ProbeEvent& event) = 0;
};

// What monitors may drive.
struct MonitorSocket {
  const L1dParams& params;
  const ControlPorts& controls;
  const MonitorInputs& inputs;  // from the GPU
  IndexSocket& index;
};

// One that reads inputs from the GPU and drives controls.
class MonitorOfInputs : public Monitor {
 public:
  explicit MonitorOfInputs(const MonitorSocket& socket)
      : params_(socket.params), controls_(socket.controls), inputs_(socket.inputs) {}

 protected:
  const L1dParams& params_;
  const ControlPorts& controls_;
  const MonitorInputs& inputs_;
};

// Throws ParamError when the cache cannot have the monitors that its parameters name.
void check_monitors(const L1dParams& p);

// The monitors that the parameters name, by the table of monitors.
std::vector<std::unique_ptr<Monitor>> monitors_of(const MonitorSocket& socket);

}  // namespace hw
