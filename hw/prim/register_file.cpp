#include "hw/prim/register_file.h"

#include <fmt/format.h>

namespace hw {

rtl::Module register_file(int rows, int row_bits) {
  rtl::Module m(
      fmt::format("register_file_{}x{}", rows, row_bits),
      fmt::format("{} rows of {} bits in flops, one written and one read a cycle.", rows, row_bits));
  const int row = rtl::clog2(static_cast<std::uint64_t>(rows));
  const auto write = m.input("write", 1, "a row is written");
  const auto write_row = m.input("write_row", row, "number of the row that is written");
  const auto write_data =
      m.input("write_data", row_bits, "new value of the row, read from the next cycle on");
  const auto read_row = m.input("read_row", row, "number of the row to read");
  const auto read_data = m.output("read_data", row_bits, "value of the row");
  const auto values =
      m.mem("rows", rows, row_bits, "without reset: the user knows which rows hold something");
  m.assign(read_data, m.load(values, read_row));
  m.clocked("The write port.", [&] { m.when(write, [&] { m.store(values, write_row, write_data); }); });
  return m;
}

}  // namespace hw
