// The inputs of caches' own monitors in a cycle, from the SMs in front of them and the memory below: each as
// its row says who drives it.
#pragma once
#include <algorithm>
#include <vector>

#include "golden/cache/monitor_inputs.h"
#include "golden/gpu/sm.h"

namespace golden {

// The inputs that a cache reads, and who drives each.
class MonitorSources {
 public:
  explicit MonitorSources(const hw::L1dParams& p)
      : scope_(p.limit.scope), watched_sm_(hw::has_own_unit(p.bypass) ? hw::watched_sm(p.bypass) : 0) {
    hw::each_monitor_input(p, [&](hw::MonitorInput input, const hw::MonitorInputRow& row, int ports) {
      list_.push_back({input, row.source, ports, row.greatest(p)});
    });
  }

  void drive_kernel_start(MonitorInputs& inputs, bool kernel_starts) const {
    for (const Input& input : list_)
      if (input.source == hw::InputSource::kernel_start) inputs[input.port] = kernel_starts;
  }

  // What the cache's own SM drives. `Core` is an Sm, or what can say as much of one.
  template <class Core>
  void drive_own_sm(MonitorInputs& inputs, const Core& sm) const {
    const auto number = [](int value) { return static_cast<std::uint16_t>(value); };
    for (const Input& input : list_) {
      if (input.source == hw::InputSource::resident_warps)
        inputs[input.port] = number(std::clamp(sm.resident(scope_), 1, input.greatest));
      if (input.source == hw::InputSource::issued_lanes)
        inputs[input.port] = number(std::min(static_cast<int>(sm.issued_lanes()), input.greatest));
    }
  }

  // What all SMs drive, to the unit of a policy; a single one stands for the SM that it watches.
  // `lanes_of(sm)` are those of an SM.
  template <class LanesOf>
  void drive_sms(MonitorInputs& inputs, int sms, const LanesOf& lanes_of) const {
    for (const Input& input : list_) {
      if (input.source != hw::InputSource::lanes_of_sms) continue;
      const auto ports = inputs.from(input.port);
      const auto lanes = [&](int sm) {
        return static_cast<std::uint8_t>(std::min(static_cast<int>(lanes_of(sm)), input.greatest));
      };
      if (sms == 1) ports[static_cast<std::size_t>(watched_sm_)] = lanes(0);
      for (int sm = 0; sms > 1 && sm < std::min(sms, input.ports); ++sm)
        ports[static_cast<std::size_t>(sm)] = lanes(sm);
    }
  }

  // What the memory below drives.
  template <class Memory>
  void drive_memory(MonitorInputs& inputs, const Memory& memory) const {
    for (const Input& input : list_)
      if (input.source == hw::InputSource::memory_buffers)
        memory.occupancy(inputs.from(input.port).first(static_cast<std::size_t>(input.ports)),
                         static_cast<unsigned>(input.greatest));
  }

  // All of them, to the cache of a single SM.
  template <class Core, class Memory>
  void drive(MonitorInputs& inputs, const Core& sm, const Memory& memory, bool kernel_starts) const {
    const auto lanes = [&](int) { return sm.issued_lanes(); };
    drive_kernel_start(inputs, kernel_starts);
    drive_own_sm(inputs, sm);
    drive_sms(inputs, 1, lanes);
    drive_memory(inputs, memory);
  }

 private:
  struct Input {
    hw::MonitorInput port;
    hw::InputSource source;
    int ports, greatest;
  };

  const hw::LimitScope scope_;
  const int watched_sm_;
  std::vector<Input> list_;
};

}  // namespace golden
