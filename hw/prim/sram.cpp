#include "hw/prim/sram.h"

#include <fmt/format.h>

namespace hw {
namespace {

using rtl::Expr;

constexpr const char* read_doc = "the row read last, from the edge of its read until the next one";

int row_bits_of(int rows) { return rtl::clog2(static_cast<std::uint64_t>(rows)); }

}  // namespace

rtl::Module sram_1rw(int rows, int row_bits) {
  rtl::Module m(fmt::format("sram_1rw_{}x{}_no_change", rows, row_bits),
                fmt::format("{} rows of {} bits, one access a cycle. A macro for it reads "
                            "synchronously, and its output holds while it writes or rests.",
                            rows, row_bits));
  const Expr access = m.input("access", 1, "a row is read or written at this edge");
  const Expr write = m.input("write", 1, "the row is written");
  const Expr row = m.input("row", row_bits_of(rows), "number of the row");
  const Expr write_data = m.input("write_data", row_bits, "new value of the row");
  const Expr read_data = m.output("read_data", row_bits, read_doc);
  const rtl::Mem values = m.mem("rows", rows, row_bits, "unknown until written");
  const Expr q = m.data_reg("read_data_q", row_bits, "the row read last");
  m.assign(read_data, q);
  m.clocked("The port reads or writes.", [&] {
    m.when(access, [&] {
      m.when(write, [&] { m.store(values, row, write_data); }).otherwise([&] {
        m.set(q, m.load(values, row));
      });
    });
  });
  return m;
}

rtl::Module sram_1rw_bytes(int rows, int row_bits) {
  rtl::Module m(fmt::format("sram_1rw_{}x{}_no_change_be", rows, row_bits),
                fmt::format("{} rows of {} bits, one access a cycle, writes by bytes. A macro for it "
                            "reads synchronously, and its output holds while it writes or rests.",
                            rows, row_bits));
  const Expr access = m.input("access", 1, "a row is read or written at this edge");
  const Expr write = m.input("write", 1, "bytes of the row are written");
  const Expr byte_enable = m.input("byte_enable", row_bits / 8, "bytes to be written");
  const Expr row = m.input("row", row_bits_of(rows), "number of the row");
  const Expr write_data = m.input("write_data", row_bits, "new values of those bytes");
  const Expr read_data = m.output("read_data", row_bits, read_doc);
  const rtl::Mem values = m.mem("rows", rows, row_bits, "unknown until written");
  const Expr q = m.data_reg("read_data_q", row_bits, "the row read last");
  m.assign(read_data, q);
  m.clocked("The row read last.", [&] { m.when(access & ~write, [&] { m.set(q, m.load(values, row)); }); });
  m.clocked("Bytes that are written.", [&] {
    m.when(access & write, [&] {
      m.loop("b", row_bits / 8, [&](const Expr& b) {
        m.when(byte_enable.at(b), [&] { m.store_part(values, row, b, write_data.part(b, 8)); });
      });
    });
  });
  return m;
}

rtl::Module sram_1r1w(int rows, int row_bits) {
  rtl::Module m(fmt::format("sram_1r1w_{}x{}_read_old", rows, row_bits),
                fmt::format("{} rows of {} bits, a read and a write a cycle. A macro for it reads "
                            "synchronously, its output holds while it does not read, and a row written in "
                            "the same cycle is read as it was.",
                            rows, row_bits));
  const Expr read = m.input("read", 1, "a row is read at this edge");
  const Expr read_row = m.input("read_row", row_bits_of(rows), "number of the row that is read");
  const Expr read_data = m.output("read_data", row_bits, read_doc);
  const Expr write = m.input("write", 1, "a row is written at this edge");
  const Expr write_row = m.input("write_row", row_bits_of(rows), "number of the row that is written");
  const Expr write_data = m.input("write_data", row_bits, "new value of the row");
  const rtl::Mem values = m.mem("rows", rows, row_bits, "unknown until written");
  const Expr q = m.data_reg("read_data_q", row_bits, "the row read last");
  m.assign(read_data, q);
  m.clocked("Read and write.", [&] {
    m.when(read, [&] { m.set(q, m.load(values, read_row)); });
    m.when(write, [&] { m.store(values, write_row, write_data); });
  });
  return m;
}

}  // namespace hw
