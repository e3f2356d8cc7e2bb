// A RAM macro of a technology: its shape from the user's TOML file, its area, times and pins from Liberty.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gen/liberty/liberty_text.h"

namespace gen {

// One port that reads or writes, or a port for each.
enum class RamPorts { one_rw, one_r1w };
std::string ports_name(RamPorts ports);  // as users write it: "1rw"

// Which pin of a macro does what; a `!` before the name of a pin says that it works when it is 0.
struct MacroPins {
  std::string clock = "clk";
  std::string access = "access";  // the macro works at all; may be empty
  std::string write = "write", read = "";
  std::string address = "address", write_address = "write_address";  // the second of a 1r1w only
  std::string data_in = "data_in", mask = "mask", data_out = "data_out";
  std::vector<std::string> high = {};  // inputs tied to 1; every other input is tied to 0
};

struct MacroPin {
  std::string name;
  int bits = 1;
  bool is_bus = false, is_input = false;
};

// What Liberty says of a macro's cell.
struct MacroFacts {
  double area = 0;       // um^2
  double access_ns = 0;  // from the clock to the data, at the middle of the tables
  double setup_ns = 0;   // of the input that must come first
  std::vector<MacroPin> pins = {};
  int word_bits = 0, address_bits = 0;  // of its `memory` group; 0 without one
};

struct MacroSize {
  double width = 0, height = 0;  // um
};

struct Macro {
  std::string cell, liberty;
  int words = 0, bits = 0;
  RamPorts ports = RamPorts::one_rw;
  int mask_bits = 0;                   // bits that a bit of the write mask stands for; 0: no mask
  bool reads_old = false;              // of a 1r1w: a row that is written at the same edge is read as it was
  std::optional<MacroSize> size = {};  // of its outline
  MacroFacts facts = {};
  std::optional<MacroPins> pins = {};  // none: areas and times only, no Verilog
};

// None when the file has no such cell.
std::optional<MacroFacts> macro_facts(const LibertyText& file, const std::string& cell);
std::vector<std::string> cell_names(const LibertyText& file);

}  // namespace gen
