// Storage arrays with a synchronous read, one module a shape, to be swapped for a RAM macro by name.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `sram_1rw_<rows>x<row_bits>_no_change`: one access a cycle. Ports: `access`, `write`, `row`,
// `write_data` in, `read_data` out, which shows a row from the edge at which it is read until the next read:
// a write or an idle cycle does not change it.
rtl::Module sram_1rw(int rows, int row_bits);

// Module `sram_1rw_<rows>x<row_bits>_no_change_be`: the same with an input `byte_enable`, a bit a byte: a
// write leaves the other bytes of the row as they are.
rtl::Module sram_1rw_bytes(int rows, int row_bits);

// Module `sram_1r1w_<rows>x<row_bits>_read_old`: a read and a write a cycle. Ports: `read`, `read_row`,
// `write`, `write_row`, `write_data` in, `read_data` out, which shows a row from the edge at which it is read
// until the next read. A row read and written in one cycle is read as it was.
rtl::Module sram_1r1w(int rows, int row_bits);

}  // namespace hw
