// A RAM of two ports whose rows exist nowhere else. Where it is protected, a row has check bits, and a wrong
// bit is corrected as the row is read (docs/contracts/l1d-ecc.md, "Waiting loads and queued requests").
#pragma once
#include <string>

#include "hw/ecc/ecc_params.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits of a row in the RAM: those of the row, and above them the check bits of its words.
int stored_row_bits(Protection protection, int row_bits);

struct RowErrors {
  rtl::Condition corrected = {};  // one bit of a word was wrong
  rtl::Condition wrong = {};      // a word cannot be corrected
};

struct RowRead : RowErrors {
  rtl::Expr data;  // row read last; corrected where that is possible
};

struct RowPorts {
  rtl::Expr read, read_row, write, write_row, write_data;
};

// Of what the RAM will drive: `data`, with the wires `name`_corrected and `name`_wrong beside it.
RowRead row_read(rtl::Module& m, Protection protection, const rtl::Expr& data, const std::string& name);

// Adds the RAM as an instance, and drives `read`.
void protected_ram(rtl::Module& m, Protection protection, const std::string& instance, const std::string& doc,
                   int rows, const RowRead& read, const RowPorts& ports);

// Module of the check bits of rows that exist elsewhere too: a wrong row is noticed, and not corrected.
// `write_data` in, `write_row` out with its check bits; `read_row` in, `read_data` out without, and `wrong`.
rtl::Module row_check(Protection protection, int row_bits, const std::string& name);

}  // namespace hw
