// Storage arrays with a synchronous read, to be swapped for RAM macros by name. Each is a cell of all sizes
// (ROWS, WIDTH), and a module of its own where a macro of one size is to stand.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Cell `sram_1rw`, module `sram_1rw_<rows>x<row_bits>_no_change`: one access a cycle. Ports: `access`,
// `write`, `row`, `write_data` in, `read_data` out, which shows a row from the edge at which it is read until
// the next read: a write or an idle cycle does not change it.
rtl::Module sram_1rw(const rtl::Size& rows, const rtl::Size& row_bits);

// Cell `sram_1rw_be`, module `sram_1rw_<rows>x<row_bits>_no_change_be`: the same with an input `byte_enable`,
// a bit a byte: a write leaves the other bytes of the row as they are. Bytes that have check bits are of more
// than 8 bits, which the names have at their end: `sram_1rw_be9`.
rtl::Module sram_1rw_bytes(const rtl::Size& rows, const rtl::Size& row_bits, int byte_bits = 8);

// Cell `sram_1r1w`, module `sram_1r1w_<rows>x<row_bits>_read_old`: a read and a write a cycle. Ports: `read`,
// `read_row`, `write`, `write_row`, `write_data` in, `read_data` out, which shows a row from the edge at
// which it is read until the next read. A row read and written in one cycle is read as it was.
rtl::Module sram_1r1w(const rtl::Size& rows, const rtl::Size& row_bits);

}  // namespace hw
