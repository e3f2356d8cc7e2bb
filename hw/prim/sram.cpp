#include "hw/prim/sram.h"

#include <fmt/format.h>

namespace hw {
namespace {

using rtl::Expr, rtl::Size;

constexpr const char* read_doc = "the row read last, from the edge of its read until the next one";

// A RAM under construction, with its parameters.
struct Ram {
  Ram(const Size& rows, const Size& row_bits, const char* ports, const std::string& mode,
      const std::string& cell, const std::string& doc)
      : m(fmt::format("sram_{}_{}x{}_{}", ports, rows.value(), row_bits.value(), mode), doc) {
    m.cell(cell);
    depth = m.parameter("ROWS", rows, 8, "at least 2");
    width = m.parameter("WIDTH", row_bits, 8, "bits of a row");
  }
  rtl::Module m;
  Size depth = 0, width = 0;
  Expr number(const char* name, const char* doc) { return m.input(name, address_bits(depth), doc); }
  rtl::Mem values() { return m.mem("rows", depth, width, "unknown until written"); }
};

}  // namespace

rtl::Module sram_1rw(const Size& rows, const Size& row_bits) {
  Ram ram(rows, row_bits, "1rw", "no_change", "sram_1rw",
          "ROWS rows of WIDTH bits, one access a cycle. A macro reads synchronously, and its output holds "
          "while it writes or rests.");
  rtl::Module& m = ram.m;
  const Expr access = m.input("access", 1, "a row is read or written at this edge");
  const Expr write = m.input("write", 1, "the row is written");
  const Expr row = ram.number("row", "number of the row");
  const Expr write_data = m.input("write_data", ram.width, "new value of the row");
  const Expr read_data = m.output("read_data", ram.width, read_doc);
  const rtl::Mem values = ram.values();
  const Expr q = m.data_reg("read_data_q", ram.width, "the row read last");
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

rtl::Module sram_1rw_bytes(const Size& rows, const Size& row_bits, int byte_bits) {
  const bool plain = byte_bits == 8;
  const std::string bytes_name = plain ? "be" : fmt::format("be{}", byte_bits);
  Ram ram(rows, row_bits, "1rw", "no_change_" + bytes_name, "sram_1rw_" + bytes_name,
          fmt::format("ROWS rows of WIDTH bits, one access a cycle, writes by bytes{}. A macro for it reads "
                      "synchronously, and its output holds while it writes or rests.",
                      plain ? "" : fmt::format(" of {} bits", byte_bits)));
  rtl::Module& m = ram.m;
  const Size bytes = divided(ram.width, byte_bits);
  const Expr access = m.input("access", 1, "a row is read or written at this edge");
  const Expr write = m.input("write", 1, "bytes of the row are written");
  const Expr byte_enable = m.input("byte_enable", bytes, "bytes to be written");
  const Expr row = ram.number("row", "number of the row");
  const Expr write_data = m.input("write_data", ram.width, "new values of those bytes");
  const Expr read_data = m.output("read_data", ram.width, read_doc);
  const rtl::Mem values = ram.values();
  const Expr q = m.data_reg("read_data_q", ram.width, "the row read last");
  m.assign(read_data, q);
  m.clocked("The row read last.", [&] { m.when(access & ~write, [&] { m.set(q, m.load(values, row)); }); });
  m.clocked("Bytes that are written.", [&] {
    m.when(access & write, [&] {
      m.loop("b", bytes, [&](const Expr& b) {
        m.when(byte_enable.at(b), [&] { m.store_part(values, row, b, write_data.part(b, byte_bits)); });
      });
    });
  });
  return m;
}

rtl::Module sram_1r1w(const Size& rows, const Size& row_bits) {
  Ram ram(rows, row_bits, "1r1w", "read_old", "sram_1r1w",
          "ROWS rows of WIDTH bits, a read and a write a cycle. A macro for it reads synchronously, its "
          "output holds while it does not read, and a row written in the same cycle is read as it was.");
  rtl::Module& m = ram.m;
  const Expr read = m.input("read", 1, "a row is read at this edge");
  const Expr read_row = ram.number("read_row", "number of the row that is read");
  const Expr read_data = m.output("read_data", ram.width, read_doc);
  const Expr write = m.input("write", 1, "a row is written at this edge");
  const Expr write_row = ram.number("write_row", "number of the row that is written");
  const Expr write_data = m.input("write_data", ram.width, "new value of the row");
  const rtl::Mem values = ram.values();
  const Expr q = m.data_reg("read_data_q", ram.width, "the row read last");
  m.assign(read_data, q);
  m.clocked("Read and write.", [&] {
    m.when(read, [&] { m.set(q, m.load(values, read_row)); });
    m.when(write, [&] { m.store(values, write_row, write_data); });
  });
  return m;
}

}  // namespace hw
