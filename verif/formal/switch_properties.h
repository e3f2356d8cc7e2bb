// Properties of a switch of words, as Verilog around a unit: neighbours that may do all that the handshake
// allows, and scoreboard kept from the ports.
#pragma once
#include <string>
#include <vector>

#include "verif/formal/prove.h"

namespace verif {

// Words of one byte; `buffers`: entries of the queue at each input, 0 without.
struct SwitchShape {
  int inputs, outputs, buffers;
};

enum class SwitchClaim {
  delivery,   // every word leaves once, in order, unchanged, at its output: none is lost, doubled or made
              // up
  one_grant,  // no two outputs show a word of one input, and a source is an input that has a word
  stays,      // a word that waits at an output stays there
  wait,       // the word in front is passed by at most I - 1 others, and its output always has a word
};

// `unit_verilog`: the switch `unit` and what it instantiates. Delivery and wait watch the input `watched`.
Property switch_property(SwitchClaim claim, const SwitchShape& shape, int watched, const std::string& unit,
                         std::vector<std::string> unit_verilog);

}  // namespace verif
