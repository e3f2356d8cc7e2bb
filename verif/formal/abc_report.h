// Reads what ABC prints and writes, strictly: anything unexpected is no proof.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace verif {

// The outcome that `print_status` states: 1 proven, 0 counterexample, -1 open. None when it is missing or
// stands there more than once.
std::optional<int> abc_status(std::string_view output);

// Header of a binary AIGER file.
struct AigerShape {
  int inputs = 0, latches = 0, outputs = 0;
};
std::optional<AigerShape> aiger_shape(std::string_view file);

// The symbols, such as "a[3]", of the real inputs in the text of `write_aiger -map`.
std::set<std::string> map_inputs(std::string_view map);

// The text of `write_cex -n -s` as "cycle 0: a=1f b=0; cycle 1: ...", hexadecimal, limited to `inputs`.
std::string cex_text(std::string_view cex, const std::set<std::string>& inputs);

}  // namespace verif
