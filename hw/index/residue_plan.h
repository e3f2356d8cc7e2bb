// Plan of AB mod p without a divider: named rows of residues, carry-save additions and a short last addition,
// as plain data that a module is built from and that a test evaluates (PRI, ACI thesis, section 3.2.4).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hw {

// One column of a row: a block-address bit, its inverse, or a constant.
struct RowBit {
  int address_bit = -1;  // -1: the constant `one`
  bool inverted = false;
  bool one = false;
};

// Bits high..low of an earlier step, moved `shift` columns up.
struct PlanOperand {
  int step = 0;
  int high = 0, low = 0;
  int shift = 0;
  bool subtracted = false;  // in a sum
};

// One named value. x, y, z are the operands in their order, zero-extended to `width`.
struct PlanStep {
  enum class Kind {
    row,       // the columns `bits`, lowest first
    sum,       // x ^ y ^ z: the sum row of a carry-save adder
    carry,     // majority of x, y, z one column up, modulo 2^width: the carry row
    majority,  // majority of x, y, z in their own columns
    around,    // x one column up, its top bit re-entering at column 0
    add,       // all operands and the constant `value`, modulo 2^width
    bits,      // x
    reaches,   // x >= value
    all_ones,  // every bit of x and of y is 1
    clear,     // x, or 0 when y
    correct,   // x + value when y, x + 2 value when z (if there is one), modulo 2^width
  };
  Kind kind = Kind::row;
  std::string name = {};
  std::string doc = {};
  std::string section = {};  // comment over this step and its followers
  int width = 0;
  std::vector<RowBit> bits = {};
  std::vector<PlanOperand> from = {};
  std::uint64_t value = 0;
  int delay = 0;    // rough, in tenths of a nanosecond of a 180 nm library: only to set pipeline registers
  int arrival = 0;  // `delay` after the last operand
  int stage = 0;    // pipeline stage that makes it
};

struct ResiduePlan {
  int address_bits = 0;              // W
  int index_bits = 0;                // S
  int prime = 0;                     // p
  std::vector<PlanStep> steps = {};  // operands before users; the last one is AB mod p, S bits wide
  int cost = 0;  // estimated gate equivalents times ten; a choice between plans, no promise
};

// The largest prime not above 2^index_bits.
int largest_prime(int index_bits);

// AB mod p of a block address of `address_bits` bits, p the largest prime not above 2^index_bits; all in
// stage 0.
ResiduePlan residue_plan(int address_bits, int index_bits);

}  // namespace hw
