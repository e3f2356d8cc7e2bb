// The state of a Verilated unit of any kind against that of its model, by name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "golden/state.h"

namespace verif {

class StateCompare {
 public:
  // Throws std::runtime_error for a name that one side lacks, or that differs in width, rows or parts. Only
  // beside a user's Verilog that shows its ports alone may the model publish more.
  // Both sides stay where they are as long as this one.
  StateCompare(const SeenState& seen, const golden::StateList& published);
  StateCompare(const StateCompare&) = delete;
  StateCompare& operator=(const StateCompare&) = delete;

  // Behind a clock edge: which rows are compared next. The rows that the edge touched; beside them, or where
  // the wrapper shows one row at a time instead of them, any row, one after the other.
  void choose_rows();
  // False at a difference, which found() then holds.
  bool same();
  const Mismatch& found() const { return found_; }

 private:
  // One value, its names resolved.
  struct Check {
    const golden::StateValue* value = nullptr;
    const std::uint8_t* bytes = nullptr;
    unsigned row_bits = 0;  // from one row to the next; 0 where the wrapper shows one
  };
  struct Group {
    golden::StateRows rows = {};                 // of no name: values without rows
    std::function<void(unsigned)> look_at = {};  // where the wrapper shows one row at a time
    std::vector<unsigned> chosen = {0};
    unsigned swept = 0;
    std::vector<Check> checks = {};
  };

  Group& group_of(const std::string& row, const SeenState& seen, const golden::StateList& published);
  bool same(const Check& check, unsigned row);
  bool differ(const Check& check, unsigned row, unsigned bit, std::uint64_t dut, std::uint64_t golden);

  std::vector<golden::StateValue> values_;
  std::vector<Group> groups_;
  std::vector<golden::StateWord> words_;  // of the row that is compared
  Mismatch found_;
};

}  // namespace verif
