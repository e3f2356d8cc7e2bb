// A unit as the instance `dut` of a module `property`, which says what never holds of it. Its inputs are the
// property's, any value in each cycle; its outputs, and the named nets from inside, are wires there, under
// their own names.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "hw/rtl/module.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace verif {

class OpenedUnit {
 public:
  explicit OpenedUnit(const rtl::Module& unit, const Fault* fault = nullptr);

  // Brings out nets of the unit itself, or of the module of its instance `part` ("mshr", "mshr.entries").
  void see(const std::vector<std::string>& nets, const std::string& part = "");
  // Drives an input with an expression of any_<input>, which is free instead.
  void drive(const std::string& input, const std::string& expression);
  // `claim`: the rest of the module, which drives the output `bad`. Looked at from any state of all
  // registers.
  Property property(const std::string& claim) const;

  int width(const std::string& net) const;

 private:
  rtl::Module unit_;
  std::map<std::string, std::string> texts_, driven_;
  std::string wires_, pins_;
};

}  // namespace verif
