// Proves that the one-bit output of a property module is never 1, for all inputs and all time, by yosys and
// ABC.
#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace verif {

struct Property {
  std::string top;                   // the property module
  std::vector<std::string> verilog;  // texts that hold it and all modules below it
  std::string output = "bad";        // the only output of the top
  // For pipelines without feedback: cycles after which no register remembers the start. The property is then
  // checked up to there, and after as many cycles from any state at all: sound for every unit, and far faster
  // than the general engine, but without an answer for one that remembers longer. -1 = the general engine.
  int flush_cycles = -1;
  // For what no engine decides: looks at so many cycles from the start alone. 0 = does not.
  int bounded_cycles = 0;
  // For designs with indexed part-selects: yosys reads x beyond the vector's end, which
  // then is any value, a new one in each cycle.
  bool undefined_is_free = false;
  std::chrono::seconds timeout{60};  // for each engine
};

enum class Outcome { proven, counterexample, inconclusive };

struct ProofResult {
  Outcome outcome = Outcome::inconclusive;
  std::string engine;  // what decided, or what was tried last
  std::string
      message;  // one line: the inputs, cycle by cycle, that make the output 1; or why there is no answer
  double seconds = 0;

  bool proven() const { return outcome == Outcome::proven; }
};

// Throws gen::ToolError when a tool is missing or refuses the Verilog (also for undriven or doubly driven
// nets).
ProofResult prove(const Property& property);

}  // namespace verif
