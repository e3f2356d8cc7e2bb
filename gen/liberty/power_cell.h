// What a cell's Liberty group says of its function and its energies, in fF, ns, pJ and nW.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gen/liberty/boolean.h"
#include "gen/liberty/liberty_text.h"

namespace gen {

// Values over the transition of an input and the load of an output, or over one of them, or one value.
class LookupTable {
 public:
  enum class Axis { transition, load, other };

  LookupTable() = default;
  // Throws ToolError where the number of values is not that of the axes' points.
  LookupTable(std::vector<Axis> axes, std::vector<std::vector<double>> points, std::vector<double> values);

  bool empty() const { return values_.empty(); }
  // Between points by the straight line through both, outside by that through the nearest two.
  double at(double transition_ns, double load_ff) const;

 private:
  std::vector<Axis> axes_;
  std::vector<std::vector<double>> points_;
  std::vector<double> values_;  // the last axis runs fastest
};

// By the direction of the pin's change.
struct PowerTables {
  int related = -1;                  // pin whose change causes it; none for an input's own energy
  std::optional<Boolean> when = {};  // of pins
  std::string supply = {};           // related_pg_pin: energies of several supplies add up
  LookupTable rise = {}, fall = {};  // pJ

  double at(bool rises, double transition_ns, double load_ff) const {
    return (rises ? rise : fall).at(transition_ns, load_ff);
  }
};

// The transition of an output that a change of another pin causes.
struct TransitionTables {
  enum class Sense { positive, negative, both };
  int related = -1;
  Sense sense = Sense::both;
  bool of_clock = false;             // from the rising or falling edge of a clock
  LookupTable rise = {}, fall = {};  // ns
};

struct PowerPin {
  std::string name;  // "A", or "A[3]" of a bus
  bool is_input = false, is_clock = false;
  double rise_ff = 0, fall_ff = 0;
  std::optional<Boolean> function = {};  // of pins and states
  std::vector<PowerTables> power = {};
  std::vector<TransitionTables> transitions = {};
};

// A flip-flop or a latch. Its state and the complement of it are variables behind those of the pins.
struct StateElement {
  bool is_latch = false;
  Boolean data, clock;  // next_state and clocked_on, or data_in and enable
  std::optional<Boolean> clear = {}, preset = {};
};

struct Leakage {
  std::optional<Boolean> when = {};
  double nw = 0;
};

struct PowerCell {
  std::string name;
  std::vector<PowerPin> pins = {};
  std::optional<StateElement> state = {};
  double leakage_nw = 0;              // where no condition holds
  std::vector<Leakage> leakage = {};  // with a condition
  bool has_power = false;             // any table of internal power

  int pin(const std::string& name) const;  // -1 without
  int state_variable() const { return static_cast<int>(pins.size()); }
};

struct PowerLibrary {
  double volts = 0;  // nominal
  std::map<std::string, PowerCell> cells = {};
};

// The cells with these names. Throws ToolError, beginning with the file, for units or tables that cannot be
// read.
PowerLibrary power_library(const LibertyText& file, const std::set<std::string>& cells);

}  // namespace gen
