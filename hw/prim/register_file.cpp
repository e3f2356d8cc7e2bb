#include "hw/prim/register_file.h"

#include <fmt/format.h>

namespace hw {

rtl::Module register_file(const rtl::Size& rows, const rtl::Size& row_bits) {
  rtl::Module m(fmt::format("register_file_{}x{}", rows.value(), row_bits.value()),
                "ROWS rows of WIDTH bits in flops, one written and one read a cycle.");
  m.cell("register_file");
  const rtl::Size depth = m.parameter("ROWS", rows, 8, "at least 2");
  const rtl::Size width = m.parameter("WIDTH", row_bits, 8, "bits of a row");
  const rtl::Size row = rtl::address_bits(depth);
  const auto write = m.input("write", 1, "a row is written");
  const auto write_row = m.input("write_row", row, "number of the row that is written");
  const auto write_data = m.input("write_data", width, "new value of the row, read from the next cycle on");
  const auto read_row = m.input("read_row", row, "number of the row to read");
  const auto read_data = m.output("read_data", width, "value of the row");
  const auto values = m.mem("rows", depth, width, "without reset: the user knows which rows hold something");
  m.assign(read_data, m.load(values, read_row));
  m.clocked("The write port.", [&] { m.when(write, [&] { m.store(values, write_row, write_data); }); });
  return m;
}

}  // namespace hw
