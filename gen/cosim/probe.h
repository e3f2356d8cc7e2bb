// A Verilog wrapper that brings the inside of a unit out as ports, by hierarchical names: all of its nets for
// waveforms, and the state that it shows for lock step. Inputs of a unit with a clock are in registers, which
// an edge of `drive_inputs` loads (cosim/harness/stepped_model.h).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

struct Probe {
  std::string scope;  // "dut", or "dut.instance" for nets of a child
  std::string net;
  int width = 1;
  std::string port;  // of the wrapper

  bool is_port() const { return port == net && scope == "dut"; }  // of the unit itself
};

// A value declared with rtl::Module::observe().
struct ShownValue {
  std::string name;  // "tags.valid": behind the instances that it lies in
  int width = 1;
  std::optional<rtl::Index> look = {};  // what the wrapper asks for, by an input of its own
  std::vector<rtl::Index> parts = {};
  std::string value = {};  // in the wrapper's words
  bool is_port = false;    // of the unit itself
};

// A RAM of the unit, or a register, whose bits a bench may flip.
struct UpsetRam {
  std::string name;         // of the instance, as names of state have it
  std::string rows;         // in the wrapper's words
  int count = 0, bits = 0;  // no rows: a register
};

struct ProbedTop {
  std::string module;  // name of the wrapper
  std::string verilog;
  std::vector<Probe> probes;
  bool steps = false;  // inputs are in registers: ProgramSource::steps
};

// What the unit and its instances show. Those of a generate loop are numbered: "input3.queue1.held".
std::vector<ShownValue> shown_state(const rtl::Module& top);

// Units without a clock are combinational; a wrapper would be no more than a second name for their ports.
bool has_clock(const rtl::Module& top);

// Without `inner` the unit's ports and the values shown alone.
ProbedTop probed(const rtl::Module& top, bool inner, const std::vector<ShownValue>& shown,
                 const std::vector<UpsetRam>& upset = {});

// RAMs below these instances of the unit.
std::vector<UpsetRam> rams_below(const rtl::Module& top, const std::vector<std::string>& instances);

// Registers of the unit, and rows that stand in flip-flops. RAMs, and the registers inside them, are none.
std::vector<UpsetRam> flops_of(const rtl::Module& top);

// C++ statements that give `state`, a verif::SeenState, these ports of the wrapper `dut`; `complete`: they
// are all that the unit shows.
std::string state_text(const std::vector<ShownValue>& shown, bool complete,
                       const std::vector<UpsetRam>& upset = {});

}  // namespace gen
