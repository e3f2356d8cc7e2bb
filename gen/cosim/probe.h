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

// A port of the wrapper's own, for a harness that looks inside: an input, or an output of this value.
struct ViewPort {
  std::string name;
  int width = 1;
  std::string value = {};  // an expression over hierarchical names below `dut`; empty: an input
};

// Without `inner` the unit's ports and those of the view alone.
ProbedTop probed(const rtl::Module& top, bool inner = true, const std::vector<ViewPort>& view = {});

}  // namespace gen
