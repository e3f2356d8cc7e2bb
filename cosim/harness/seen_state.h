// The state that a co-simulation's wrapper brings out of a Verilated unit, by the names of its declarations.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "golden/state.h"

namespace verif {

// `bytes` are the value's, the lowest first, and 64 bits or more follow behind it.
struct SeenValue {
  std::string name;
  int width = 0;                                 // of a part
  std::vector<golden::StateIndex> indices = {};  // the outermost first
  const std::uint8_t* bytes = nullptr;
};

// Rows of which the wrapper shows one: that of the number last given to look_at.
struct SeenRows {
  golden::StateIndex index;
  std::function<void(unsigned)> look_at;
};

// A RAM whose bits the wrapper flips: in the row, of these numbers. Or a register, which is one row.
struct SeenRam {
  std::string name;
  unsigned rows = 1, row_bits = 0;
  std::function<void(unsigned row, const std::vector<unsigned>& bits)> flip;
};

class SeenState {
 public:
  // `port` is a member of the Verilated class.
  template <class Port>
  void shows(std::string name, int width, std::vector<golden::StateIndex> indices, const Port& port) {
    values_.push_back(
        {std::move(name), width, std::move(indices), reinterpret_cast<const std::uint8_t*>(&port)});
  }
  template <class Port>
  void looks_at(std::string row, unsigned count, Port& port) {
    rows_.push_back(
        {{std::move(row), count}, [&port](unsigned number) { port = static_cast<Port>(number); }});
  }

  template <class Dut>
  void flips(std::string name, unsigned number, unsigned rows, unsigned row_bits, Dut& dut) {
    rams_.push_back(
        {std::move(name), rows, row_bits, [&dut, number](unsigned row, const std::vector<unsigned>& bits) {
           auto* const bytes = reinterpret_cast<std::uint8_t*>(&dut.upset_bits);
           std::memset(bytes, 0, sizeof dut.upset_bits);
           for (const unsigned b : bits) bytes[b / 8] |= static_cast<std::uint8_t>(1u << b % 8);
           dut.eval();  // the clock's edge is over before the flip
           dut.upset_ram = number;
           dut.upset_row = row;
           dut.upset = 1;
           dut.eval();
           dut.upset = 0;
           dut.eval();
         }});
  }

  // RAMs of a part alone, by their names in it.
  SeenState rams_below(const std::string& path) const {
    SeenState part;
    for (const SeenRam& ram : rams_)
      if (ram.name.starts_with(path)) {
        part.rams_.push_back(ram);
        part.rams_.back().name.erase(0, path.size());
      }
    return part;
  }

  // The Verilog is a user's and lacks nets of the state: what the ports show is all there is.
  void ports_alone() { complete_ = false; }

  bool complete() const { return complete_; }
  const std::vector<SeenValue>& values() const { return values_; }
  const std::vector<SeenRows>& rows() const { return rows_; }
  const std::vector<SeenRam>& rams() const { return rams_; }

 private:
  std::vector<SeenValue> values_;
  std::vector<SeenRows> rows_;
  std::vector<SeenRam> rams_;
  bool complete_ = true;
};

}  // namespace verif
