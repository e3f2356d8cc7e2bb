#include "hw/tags/split_data.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "hw/ecc/secded.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/rtl/optional.h"
#include "hw/tags/chunk_check.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

// One-hot, since a multiplexer by number takes half as many gates again.
rtl::Module chunk_of_slots(const TagParams& p, int width, const std::string& name) {
  const int slots = slots_of(p);
  rtl::Module m(name, fmt::format("A chunk from one of {} slots.", slots));
  const Expr at = m.input("at", slots, "the slot, one-hot");
  const Expr rows = m.input("rows", slots * width, "the row of each slot");
  const Expr out = m.output("data", 8 * p.chunk_bytes, "the chunk");
  std::optional<ChunkCheck> check;
  if (protects_data(p.ecc)) check.emplace(p, m);
  const Expr data = check ? m.wire("row", width, "the row of the slot") : out;
  m.comb("The row of the slot.", [&] {
    m.set(data, rtl::lit(width, 0));
    m.loop("s", slots, [&](const Expr& s) {
      m.set(data, data | (rows.part(s, width) & rtl::replicate(width, at.at(s))));
    });
  });
  if (check) check->run(data, out);
  return m;
}

// What is written into slots: chunks of a fill.
class SlotFills {
 public:
  SlotFills(const TagParams& p, rtl::Module m)
      : p_(p), m_(m), chunks_(chunks_of_line(p)), width_(8 * p.chunk_bytes) {}
  virtual ~SlotFills() = default;

  virtual void ports() {
    const int number = slots_of(p_);
    set_ = m_.input("fill_set", bits_to_number(p_.sets), "set of a fill");
    slots = m_.input("fill_slots", number, "slots that it writes");
    at_ = m_.input("fill_at", chunks_ * number, "slot of each chunk, one-hot a chunk");
    data_ = m_.input("fill_data", 8 * p_.line_bytes, "the line");
  }
  // Which slot takes the chunk, one-hot, and what the chunk is.
  virtual Expr slot_of(int c) {
    return m_.let(fmt::format("fill_at{}", c), slots_of_chunk(at_, c, slots_of(p_)),
                  fmt::format("slot of chunk {}", c));
  }
  virtual Expr chunk(int c) { return part_of(data_, c, width_); }
  virtual std::optional<Expr> bytes_of_chunk(int) { return {}; }  // all, where there is none
  virtual Expr set_of_slot(int) const { return set_; }
  virtual int row_bits() const { return width_; }
  virtual rtl::Module ram() const { return sram_1rw(p_.sets, row_bits()); }

  Expr slots;  // that are written

 protected:
  static Expr part_of(const Expr& line, int c, int width) {
    return line.slice((c + 1) * width - 1, c * width);
  }

  const TagParams p_;
  rtl::Module m_;
  const int chunks_, width_;
  Expr set_, at_, data_;
};

// And bytes of a store: of other chunks, and in other slots.
class SlotFillsAndStores : public SlotFills {
 public:
  using SlotFills::SlotFills;

  void ports() override {
    SlotFills::ports();
    const int number = slots_of(p_);
    const Expr store = m_.input("store", 1, "bytes of a line are written");
    store_set_ = m_.input("store_set", set_.width(), "set of that line");
    const Expr mask = m_.input("store_mask", chunks_, "chunks that the store writes");
    const Expr found = m_.input("store_at", chunks_ * number, "where its chunks lie, one-hot a chunk");
    byte_enable_ = m_.input("store_byte_enable", p_.line_bytes, "bytes to be written");
    store_data_ = m_.input("store_data", 8 * p_.line_bytes, "new values of the bytes");
    stored_ = m_.let("stored", mask & replicate(chunks_, store), "chunks that a store writes");
    store_at_ = m_.wire("stored_at", chunks_ * number, "where it writes them");
    m_.comb("Where a store writes.", [&] {
      m_.loop("stored_chunk", chunks_, [&](const Expr& c) {
        m_.set(store_at_.part(c, number), found.part(c, number) & replicate(number, stored_.at(c)));
      });
    });
    store_slots_ = slots_together(m_, "stored_slots", store_at_, chunks_, "slots that a store writes");
    slots = m_.let("written_slots", slots | store_slots_, "slots that are written");
  }
  Expr slot_of(int c) override {
    const int number = slots_of(p_);
    return m_.let(fmt::format("fill_at{}", c),
                  slots_of_chunk(at_, c, number) | slots_of_chunk(store_at_, c, number),
                  fmt::format("slot of chunk {}", c));
  }
  Expr chunk(int c) override {
    return m_.let(fmt::format("chunk{}", c),
                  mux(stored_.bit(c), part_of(store_data_, c, width_), SlotFills::chunk(c)),
                  fmt::format("chunk {}, of the store or of the fill", c));
  }
  std::optional<Expr> bytes_of_chunk(int c) override {
    return m_.let(fmt::format("bytes{}", c),
                  part_of(byte_enable_, c, p_.chunk_bytes) | replicate(p_.chunk_bytes, ~stored_.bit(c)),
                  fmt::format("bytes of chunk {} that are written", c));
  }
  Expr set_of_slot(int s) const override { return mux(store_slots_.bit(s), store_set_, set_); }
  rtl::Module ram() const override { return sram_1rw_bytes(p_.sets, width_); }

 private:
  Expr store_set_, byte_enable_, store_data_, stored_, store_at_, store_slots_;
};

// Rows with the check bits of their words above the data.
class ProtectedSlotFills : public SlotFills {
 public:
  ProtectedSlotFills(const TagParams& p, rtl::Module m) : SlotFills(p, m), code_(data_code(p)) {}

  int row_bits() const override { return width_ + check_bits_of_chunk(p_); }
  void ports() override {
    SlotFills::ports();
    const int bits = check_bits(code_), words = chunks_ * code_.words;
    check_ = m_.wire("fill_check", words * bits, "check bits of the fill");
    m_.repeat("written_word", words, "Words of the line.", [&](const Expr& w) {
      m_.instance(code_encoder(code_), "encoder",
                  {{"data", data_.part(w, code_.data_bits)}, {"check", check_.part(w, bits)}},
                  "Encoder of the written word.");
    });
  }
  Expr chunk(int c) override {
    return rtl::cat({part_of(check_, c, check_bits_of_chunk(p_)), SlotFills::chunk(c)});
  }

 private:
  const SecdedParams code_;
  Expr check_;
};

std::unique_ptr<SlotFills> slot_writes(const TagParams& p, rtl::Module m) {
  if (stores_update(p)) return std::make_unique<SlotFillsAndStores>(p, m);
  if (protects_data(p.ecc)) return std::make_unique<ProtectedSlotFills>(p, m);
  return std::make_unique<SlotFills>(p, m);
}

// Each slot takes a part of `width` bits from the chunk that goes there.
void to_slots(rtl::Module& m, const Expr& written, int slots, int width, const std::vector<Expr>& slot_of,
              const std::vector<Expr>& parts, const std::string& doc) {
  m.comb(doc, [&] {
    m.loop("s", slots, [&](const Expr& s) {
      rtl::Optional sum;
      for (std::size_t c = 0; c < parts.size(); ++c) sum |= parts[c] & replicate(width, slot_of[c].at(s));
      m.set(written.part(s, width), *sum);
    });
  });
}

}  // namespace

rtl::Module split_data(const TagParams& p, const std::string& name) {
  const int set_bits = bits_to_number(p.sets), slots = slots_of(p), chunks = chunks_of_line(p);
  rtl::Module m(name,
                fmt::format("Data of {} sets of {} slots of {} bytes, a bank a slot, any chunk of a line "
                            "in any of them (TSC paper, section 3).",
                            p.sets, slots, p.chunk_bytes));
  const auto writes = slot_writes(p, m);
  writes->ports();
  const int width = writes->row_bits(), data_width = 8 * p.chunk_bytes;
  const Expr read = m.input("read", 1, "chunks of a line are read");
  const Expr read_set = m.input("read_set", set_bits, "set of the line that is read");
  const Expr read_slots = m.input("read_slots", slots, "slots that are read");
  const Expr read_at = m.input("read_at", chunks * slots, "where each chunk lies, one-hot a chunk");
  const Expr read_data = m.output("read_data", 8 * p.line_bytes, "the chunks of the line read last");
  const bool checks = protects_data(p.ecc), corrects = p.ecc.data == Protection::secded;
  Expr correct, wrong, uncorrectable;
  if (corrects) correct = m.input("corrects", 1, "the chunks read last are being corrected");
  if (checks) wrong = m.output("wrong", chunks, "chunks read last that are not as they were written");
  if (corrects)
    uncorrectable = m.output("uncorrectable", chunks, "chunks with too many wrong bits to be corrected");

  m.section("From chunks to slots.");
  std::vector<Expr> slot_of, chunk_data, chunk_bytes;
  for (int c = 0; c < chunks; ++c) {
    slot_of.push_back(writes->slot_of(c));
    chunk_data.push_back(writes->chunk(c));
    if (const auto bytes = writes->bytes_of_chunk(c)) chunk_bytes.push_back(*bytes);
  }
  const Expr written = m.wire("written", slots * width, "the new value of each slot");
  to_slots(m, written, slots, width, slot_of, chunk_data, "Chunks of the slots.");
  std::optional<Expr> bytes;
  if (!chunk_bytes.empty()) {
    bytes = m.wire("written_bytes", slots * p.chunk_bytes, "of which these bytes count");
    to_slots(m, *bytes, slots, p.chunk_bytes, slot_of, chunk_bytes, "Byte enables of the slots.");
  }

  m.section("Banks.");
  const Expr rows = m.wire("rows", slots * width, "the row of each slot read last");
  const Expr used = m.let("used", writes->slots | (read_slots & rtl::replicate(slots, read)),
                          "banks that are written or read");
  const rtl::Module ram = writes->ram();
  for (int s = 0; s < slots; ++s) {
    const Expr write = writes->slots.bit(s);
    std::vector<std::pair<std::string, Expr>> pins{
        {"access", used.bit(s)},
        {"write", write},
        {"row", mux(write, writes->set_of_slot(s), read_set)},
        {"write_data", written.slice((s + 1) * width - 1, s * width)},
        {"read_data", rows.slice((s + 1) * width - 1, s * width)}};
    if (bytes) pins.emplace_back("byte_enable", bytes->slice((s + 1) * p.chunk_bytes - 1, s * p.chunk_bytes));
    m.instance(ram, fmt::format("bank{}", s), pins, fmt::format("Slot {}.", s));
  }

  m.section("From slots to chunks.");
  const Expr shown =
      m.data_reg("shown_q", chunks * slots, "slot of each chunk of the line read last, one-hot");
  m.clocked("The slots that are read.", [&] { m.when(read, [&] { m.set(shown, read_at); }); });
  const rtl::Module one = chunk_of_slots(p, width, name + "_chunk");
  m.repeat("chunk", chunks, "A chunk each.", [&](const Expr& c) {
    std::vector<std::pair<std::string, Expr>> pins{
        {"at", shown.part(c, slots)}, {"rows", rows}, {"data", read_data.part(c, data_width)}};
    if (checks) pins.emplace_back("wrong", wrong.at(c));
    if (corrects) pins.insert(pins.end(), {{"corrects", correct}, {"uncorrectable", uncorrectable.at(c)}});
    m.instance(one, "selected", pins, "The chunk, from the slot that has it.");
  });
  return m;
}

}  // namespace hw
