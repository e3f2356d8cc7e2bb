// A receiver that goes round its VCs instead of by the arrival of heads, planted into a unit's Verilog: what
// the order of requests does not survive.
#pragma once
#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>

namespace verif {

// The next VC in turn whose packet has begun to arrive, and it alone until its tail.
inline std::string round_of(int vcs) {
  const int bits = vcs == 2 ? 1 : 2;
  std::string text = fmt::format("\n  reg [{}:0] turn_q;\n  reg inside_q;\n", bits - 1), choice;
  for (int n = 0; n + 1 < vcs; ++n)
    choice += fmt::format("holds[turn_q + {0}'d{1}] ? turn_q + {0}'d{1} : ", bits, n);
  text += fmt::format("  assign first = inside_q ? turn_q : {}turn_q + {}'d{};\n", choice, bits, vcs - 1);
  text += fmt::format(
      "  always @(posedge clk)\n    if (rst) begin\n      turn_q <= {0}'d0;\n      inside_q <= 1'd0;\n"
      "    end else if (|taken) begin\n      turn_q <= leaves ? first + {0}'d1 : first;\n"
      "      inside_q <= ~leaves;\n    end\n\n",
      bits);
  return text;
}

// Into every receiver; 2 or 4 VCs.
inline void go_round(std::map<std::string, std::string>& verilog, int vcs) {
  const std::string order = ".out_data(first)", end = "endmodule";
  int planted = 0;
  for (auto& [name, text] : verilog) {
    const std::size_t at = text.find(order);
    if (at == std::string::npos) continue;
    text.replace(at, order.size(), ".out_data()");
    text.insert(text.find(end), round_of(vcs));
    ++planted;
  }
  if (!planted) throw std::runtime_error("no receiver to break");
}

}  // namespace verif
