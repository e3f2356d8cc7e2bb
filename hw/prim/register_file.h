// A small array of flops: one row written a cycle, any row read in the same cycle.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `register_file_<rows>x<row_bits>`; ports: `write`, `write_row`, `write_data` in, `read_row` in,
// `read_data` out. A row that is written reads as before until the next cycle. Rows, a power of two from 2
// on, have no reset.
rtl::Module register_file(const rtl::Size& rows, const rtl::Size& row_bits);

}  // namespace hw
