#include "hw/tags/way_data.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "hw/ecc/secded.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/tags/chunk_check.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// What is written into a column: a chunk of a fill.
class ColumnFills {
 public:
  ColumnFills(const TagParams& p, rtl::Module m) : p_(p), m_(m) {}
  virtual ~ColumnFills() = default;

  virtual void ports() {
    const int set_bits = bits_to_number(p_.sets), width = 8 * p_.chunk_bytes;
    fill_ = m_.input("fill", 1, "the chunk of a line is written");
    fill_set_ = m_.input("fill_set", set_bits, "set of the line that is written");
    fill_way_ = m_.input("fill_way", p_.ways, "way of the line that is written, one-hot");
    fill_data_ = m_.input("fill_data", width, "new value of the chunk");
  }
  virtual void settle() {
    banks = m_.let("writes", fill_way_ & rtl::replicate(p_.ways, fill_), "banks that are written");
    set = fill_set_;
    data = fill_data_;
  }
  virtual int row_bits() const { return 8 * p_.chunk_bytes; }
  virtual rtl::Module ram() const { return sram_1rw(p_.sets, row_bits()); }

  Expr banks, set, data;
  std::optional<Expr> bytes;  // all, where there is none

 protected:
  const TagParams p_;
  rtl::Module m_;
  Expr fill_, fill_set_, fill_way_, fill_data_;
};

// Or bytes of a store, never both at once.
class ColumnFillsAndStores : public ColumnFills {
 public:
  using ColumnFills::ColumnFills;

  void ports() override {
    ColumnFills::ports();
    store_ = m_.input("store", 1, "bytes of a line are written, and no chunk");
    store_set_ = m_.input("store_set", fill_set_.width(), "set of the line that a store writes");
    store_way_ = m_.input("store_way", p_.ways, "way of that line, one-hot");
    store_byte_enable_ = m_.input("store_byte_enable", p_.chunk_bytes, "bytes of the chunk to be written");
    store_data_ = m_.input("store_data", 8 * p_.chunk_bytes, "new values of the bytes");
  }
  void settle() override {
    banks =
        m_.let("writes",
               (fill_way_ & rtl::replicate(p_.ways, fill_)) | (store_way_ & rtl::replicate(p_.ways, store_)),
               "banks that are written");
    set = m_.let("write_set", mux(fill_, fill_set_, store_set_), "set of the line that is written");
    data = m_.let("write_data", mux(fill_, fill_data_, store_data_), "the data to be written");
    bytes = m_.let("write_bytes", store_byte_enable_ | rtl::replicate(p_.chunk_bytes, fill_),
                   "bytes to be written");
  }
  rtl::Module ram() const override { return sram_1rw_bytes(p_.sets, row_bits()); }

 private:
  Expr store_, store_set_, store_way_, store_byte_enable_, store_data_;
};

// Rows with the check bits of their words above the data.
class ProtectedFills : public ColumnFills {
 public:
  using ColumnFills::ColumnFills;

  int row_bits() const override { return ColumnFills::row_bits() + check_bits_of_chunk(p_); }
  void settle() override {
    ColumnFills::settle();
    data = protected_row(m_, p_, data);
  }
};

// Rows of bytes with check bits of their own, so that a store writes some and reads none.
class ProtectedFillsAndStores : public ColumnFillsAndStores {
 public:
  using ColumnFillsAndStores::ColumnFillsAndStores;

  int row_bits() const override { return ColumnFillsAndStores::row_bits() + check_bits_of_chunk(p_); }
  void settle() override {
    ColumnFillsAndStores::settle();
    data = protected_row(m_, p_, data);
  }
  rtl::Module ram() const override {
    return sram_1rw_bytes(p_.sets, row_bits(), row_bits() / p_.chunk_bytes);
  }
};

std::unique_ptr<ColumnFills> column_writes(const TagParams& p, rtl::Module m) {
  if (has_words_of_bytes(p)) return std::make_unique<ProtectedFillsAndStores>(p, m);
  if (stores_update(p)) return std::make_unique<ColumnFillsAndStores>(p, m);
  if (protects_data(p.ecc)) return std::make_unique<ProtectedFills>(p, m);
  return std::make_unique<ColumnFills>(p, m);
}

// The banks of one chunk position, a way each.
rtl::Module column(const TagParams& p, const std::string& name) {
  const int set_bits = bits_to_number(p.sets), way_bits = bits_to_number(p.ways), width = 8 * p.chunk_bytes;
  rtl::Module m(name, fmt::format("One chunk of every line: a bank of {} bytes a row for each of {} way{}.",
                                  p.chunk_bytes, p.ways, p.ways == 1 ? "" : "s"));
  const auto writes = column_writes(p, m);
  writes->ports();
  const Expr read = m.input("read", 1, "the chunk of a line is read");
  const Expr read_set = m.input("read_set", set_bits, "set of the line that is read");
  const Expr read_way = m.input("read_way", p.ways, "way of the line that is read, one-hot");
  Expr shown;
  if (way_bits)
    shown = p.reads_ahead ? m.input("shown_way", p.ways, "way of the line that is shown, one-hot")
                          : m.input("shown_way", way_bits, "way of the line read last");
  const Expr read_data = m.output("read_data", width, "the chunk of the line read last");
  std::optional<ChunkCheck> check;
  if (protects_data(p.ecc)) check.emplace(p, m);
  const rtl::Module ram = writes->ram();
  const int row_bits = writes->row_bits();
  writes->settle();
  const Expr used = m.let("used", writes->banks | (read_way & rtl::replicate(p.ways, read)),
                          "banks that are written or read");
  std::vector<Expr> data;
  for (int w = 0; w < p.ways; ++w) {
    data.push_back(m.wire(fmt::format("data{}", w), row_bits, fmt::format("chunk of way {} read last", w)));
    const Expr write = writes->banks.bit(w);
    std::vector<std::pair<std::string, Expr>> pins{{"access", used.bit(w)},
                                                   {"write", write},
                                                   {"row", mux(write, writes->set, read_set)},
                                                   {"write_data", writes->data},
                                                   {"read_data", data[w]}};
    if (writes->bytes) pins.emplace_back("byte_enable", *writes->bytes);
    m.instance(ram, fmt::format("bank{}", w), pins, fmt::format("Chunks of way {}.", w));
  }
  if (!way_bits) {
    if (check)
      check->run(data[0], read_data);
    else
      m.assign(read_data, data[0]);
    return m;
  }
  if (p.reads_ahead) {
    m.comb("The chunk of the way that is shown; one-hot, since it is known late.", [&] {
      m.set(read_data, data[0] & rtl::replicate(row_bits, shown.bit(0)));
      for (int w = 1; w < p.ways; ++w)
        m.set(read_data, read_data | (data[w] & rtl::replicate(row_bits, shown.bit(w))));
    });
    return m;
  }
  const Expr chosen = check ? m.wire("row", row_bits, "the row of the way that was read") : read_data;
  m.comb("The chunk of the way that was read.", [&] {
    std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
    for (int w = 0; w + 1 < p.ways; ++w) cases.emplace_back(w, [&, w] { m.set(chosen, data[w]); });
    m.set(chosen, data.back());
    m.pick(shown, cases, [&] { m.set(chosen, data.back()); });
  });
  if (check) check->run(chosen, read_data);
  return m;
}

// What a store writes, and what of it goes to each column.
struct StoresOfLine {
  StoresOfLine(rtl::Module& m, const TagParams& p)
      : chunk_bytes(p.chunk_bytes),
        store(m.input("store", 1, "bytes of a line are written")),
        set(m.input("store_set", bits_to_number(p.sets), "set of that line")),
        way(m.input("store_way", p.ways, "way of that line, one-hot")),
        mask(m.input("store_mask", chunks_of_line(p), "chunks that the store writes")),
        byte_enable(m.input("store_byte_enable", p.line_bytes, "bytes to be written")),
        data(m.input("store_data", 8 * p.line_bytes, "new values of the bytes")),
        stores(m.let("stores", mask & rtl::replicate(mask.width(), store), "columns where a store writes")) {}

  void add(std::vector<std::pair<std::string, Expr>>& pins, const Expr& column) const {
    pins.insert(pins.end(), {{"store", stores.at(column)},
                             {"store_set", set},
                             {"store_way", way},
                             {"store_byte_enable", byte_enable.part(column, chunk_bytes)},
                             {"store_data", data.part(column, 8 * chunk_bytes)}});
  }

  const int chunk_bytes;
  Expr store, set, way, mask, byte_enable, data, stores;
};

}  // namespace

rtl::Module way_data(const TagParams& p, const std::string& name) {
  const int set_bits = bits_to_number(p.sets), way_bits = bits_to_number(p.ways);
  const int chunks = chunks_of_line(p), width = 8 * p.chunk_bytes;
  rtl::Module m(
      name,
      fmt::format("Data of {} sets of {} way{}, in {} chunk{} of {} bytes, a bank per way and "
                  "chunk (baseline of the TSC, ACI and Decoupled-L1D papers).",
                  p.sets, p.ways, p.ways == 1 ? "" : "s", chunks, chunks == 1 ? "" : "s", p.chunk_bytes));
  const Expr fill = m.input("fill", 1, "chunks of a line are written");
  const Expr fill_set = m.input("fill_set", set_bits, "set of the line that is written");
  const Expr fill_way = m.input("fill_way", p.ways, "way of the line that is written, one-hot");
  const Expr fill_mask = m.input("fill_mask", chunks, "chunks of the fill");
  const Expr fill_data = m.input("fill_data", 8 * p.line_bytes, "the line");
  const auto stores = stores_update(p) ? std::optional<StoresOfLine>(std::in_place, m, p) : std::nullopt;
  const Expr read = m.input("read", 1, "chunks of a line are read");
  const Expr read_set = m.input("read_set", set_bits, "set of the line that is read");
  const Expr read_way = m.input("read_way", p.ways, "way of the line that is read, one-hot");
  Expr shows;
  const Expr read_mask = m.input("read_mask", chunks, "chunks that are read");
  if (way_bits) shows = m.input("shows", 1, "the read data, if any, is shown from the next cycle on");
  Expr at_once, hit_way;
  if (way_bits && p.reads_ahead) {
    at_once = m.input("at_once", 1, "the data is shown of a way that is known in this cycle");
    hit_way = m.input("hit_way", p.ways, "that way, one-hot, or 0");
  }
  const Expr read_data = m.output("read_data", 8 * p.line_bytes, "the chunks of the line read last");
  const bool checks = protects_data(p.ecc), corrects = p.ecc.data == Protection::secded;
  Expr correct, wrong, uncorrectable;
  if (corrects) correct = m.input("corrects", 1, "the chunks read last are being corrected");
  if (checks) wrong = m.output("wrong", chunks, "chunks read last that are not as they were written");
  if (corrects)
    uncorrectable = m.output("uncorrectable", chunks, "chunks with too many wrong bits to be corrected");
  const Expr fills = m.let("fills", fill_mask & rtl::replicate(chunks, fill), "columns that are written");
  const Expr reads = m.let("reads", read_mask & rtl::replicate(chunks, read), "columns that are read");
  Expr shown;
  if (way_bits && p.reads_ahead) {
    const Expr way = m.data_reg("shown_way_q", p.ways, "way of the line read last, one-hot");
    m.clocked("The way that is read.", [&] { m.when(shows, [&] { m.set(way, read_way); }); });
    shown = m.let("shown_way", mux(at_once, hit_way, way), "way of the line that is shown, one-hot");
  } else if (way_bits) {
    shown = m.data_reg("shown_way_q", way_bits, "way of the line read last");
    m.clocked("The way that is read.", [&] { m.when(shows, [&] { m.set(shown, number_of(read_way)); }); });
  }
  m.repeat("column", chunks, "The chunks of a line.", [&](const Expr& c) {
    std::vector<std::pair<std::string, Expr>> pins{
        {"fill", fills.at(c)},  {"fill_set", fill_set},
        {"fill_way", fill_way}, {"fill_data", fill_data.part(c, width)},
        {"read", reads.at(c)},  {"read_set", read_set},
        {"read_way", read_way}};
    if (stores) stores->add(pins, c);
    if (way_bits) pins.emplace_back("shown_way", shown);
    pins.emplace_back("read_data", read_data.part(c, width));
    if (checks) pins.emplace_back("wrong", wrong.at(c));
    if (corrects) pins.insert(pins.end(), {{"corrects", correct}, {"uncorrectable", uncorrectable.at(c)}});
    m.instance(column(p, name + "_column"), "banks", pins, "A bank for each way.");
  });
  return m;
}

}  // namespace hw
