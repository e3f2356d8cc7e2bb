// A Verilog wrapper that brings the inner nets of a unit out as ports, by hierarchical names, for waveforms.
#pragma once
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

struct Probe {
  std::string scope;  // "dut", or "dut.instance" for nets of a child
  std::string net;
  int width = 1;
  std::string port;  // of the wrapper
};

struct ProbedTop {
  std::string module;  // name of the wrapper
  std::string verilog;
  std::vector<Probe> probes;
};

// Without `inner` the ports alone. `state` is brought out beside them, under its own port names.
ProbedTop probed(const rtl::Module& top, bool inner = true, const std::vector<Probe>& state = {});

}  // namespace gen
