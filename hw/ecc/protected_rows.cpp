#include "hw/ecc/protected_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/ecc/secded.h"
#include "hw/prim/sram.h"

namespace hw {
namespace {

using rtl::Expr;

constexpr int most_word_bits = 64, least_word_bits = 4;

// As few words as hold the row, all of one size.
SecdedParams row_words(Protection protection, int row_bits) {
  const int words = (row_bits + most_word_bits - 1) / most_word_bits;
  return {.code = protection == Protection::parity ? EccCode::parity : EccCode::secded,
          .data_bits = std::max(least_word_bits, (row_bits + words - 1) / words),
          .words = words};
}

// Check bits of the row that is written, and the check of the row that was read.
rtl::Module row_code(const SecdedParams& code, int row_bits, const std::string& name) {
  const int bits = check_bits(code), k = code.data_bits, padding = code.words * k - row_bits;
  const bool corrects = code.code == EccCode::secded;
  rtl::Module m(
      name, fmt::format("Protects rows of {} bits as {} word{} of up to {} bits with {} (Hsiao, "
                        "1970).",
                        row_bits, code.words, code.words == 1 ? "" : "s", k, corrects ? "SECDED" : "parity"));
  const Expr write_data = m.input("write_data", row_bits, "the row that is written");
  const Expr write_row = m.output("write_row", row_bits + code.words * bits, "with check bits above it");
  const Expr read_row = m.input("read_row", row_bits + code.words * bits, "as it was read");
  std::optional<Expr> read_data, corrected;
  if (corrects) {
    read_data = m.output("read_data", row_bits, "row with one wrong bit a word corrected");
    corrected = m.output("corrected", 1, "one bit of a word was wrong");
  }
  const Expr wrong = m.output("wrong", 1, "a word of it cannot be corrected");
  const auto padded = [&](const char* of, const Expr& row, const char* doc) {
    return padding ? m.let(of, rtl::zext(row, code.words * k), doc) : row;
  };
  const Expr written = padded("written", write_data, "words that are written");
  const Expr low = m.let("read_bits", read_row.slice(row_bits - 1, 0), "data bits that were read");
  const Expr read = padded("read", low, "words that were read");
  const Expr check =
      m.let("check", read_row.slice(read_row.width() - 1, row_bits), "check bits of the words");
  const Expr write_check = m.wire("write_check", code.words * bits, "check bits to write");
  const Expr beyond = m.wire("beyond", code.words, "words that cannot be corrected");
  std::optional<Expr> checked, ones;
  if (corrects) {
    checked = m.wire("checked", code.words * k, "words, corrected");
    ones = m.wire("corrected_words", code.words, "words of which one bit was wrong");
  }
  m.repeat("word", code.words, "The words of a row.", [&](const Expr& w) {
    m.instance(code_encoder(code), "encoder",
               {{"data", written.part(w, k)}, {"check", write_check.part(w, bits)}},
               "Encoder of the written word.");
    std::vector<std::pair<std::string, Expr>> pins{{"data", read.part(w, k)}, {"check", check.part(w, bits)}};
    if (corrects)
      pins.insert(pins.end(), {{"checked_data", checked->part(w, k)}, {"corrected", ones->at(w)}});
    pins.emplace_back("uncorrectable", beyond.at(w));
    m.instance(code_decoder(code), "decoder", pins, "Decoder of the read word.");
  });
  m.assign(write_row, rtl::cat({write_check, write_data}));
  m.assign(wrong, rtl::any(beyond));
  if (!corrects) return m;
  m.assign(*read_data, checked->slice(row_bits - 1, 0));
  m.assign(*corrected, rtl::any(*ones));
  if (padding)
    m.unused("unused_padding", checked->slice(checked->width() - 1, row_bits), "the last word is shorter");
  return m;
}

}  // namespace

rtl::Module row_check(Protection protection, int row_bits, const std::string& name) {
  const SecdedParams code = row_words(protection, row_bits);
  const int bits = check_bits(code), k = code.data_bits;
  rtl::Module m(name, fmt::format("Notices wrong rows of {} bits, of {} word{} of up to {} bits with {}.",
                                  row_bits, code.words, code.words == 1 ? "" : "s", k,
                                  protection == Protection::parity ? "parity" : "SECDED"));
  const Expr write_data = m.input("write_data", row_bits, "the row that is written");
  const Expr write_row = m.output("write_row", row_bits + code.words * bits, "with check bits above it");
  const Expr read_row = m.input("read_row", row_bits + code.words * bits, "as it was read");
  const Expr read_data = m.output("read_data", row_bits, "without check bits");
  const Expr wrong = m.output("wrong", 1, "a word of it is none of the code");
  const auto check_of = [&](const std::string& name, const Expr& row, const char* doc) {
    const Expr words = code.words * k > row_bits
                           ? m.let(name + "_words", rtl::zext(row, code.words * k), "words of the row")
                           : row;
    const Expr check = m.wire(name + "_check", code.words * bits, doc);
    m.repeat(name + "_word", code.words, "The words of the row.", [&](const Expr& w) {
      m.instance(code_encoder(code), name + "_encoder",
                 {{"data", words.part(w, k)}, {"check", check.part(w, bits)}}, "Check bits of the word.");
    });
    return check;
  };
  m.assign(write_row, rtl::cat({check_of("write", write_data, "check bits to write"), write_data}));
  m.assign(read_data, read_row.slice(row_bits - 1, 0));
  const Expr right = check_of("read", read_data, "check bits that the row should have");
  m.assign(wrong, rtl::any(right ^ read_row.slice(read_row.width() - 1, row_bits)));
  return m;
}

int stored_row_bits(Protection protection, int row_bits) {
  if (protection == Protection::none) return row_bits;
  const SecdedParams code = row_words(protection, row_bits);
  return row_bits + code.words * check_bits(code);
}

RowRead row_read(rtl::Module& m, Protection protection, const Expr& data, const std::string& name) {
  RowRead read;
  read.data = data;
  if (protection == Protection::none) return read;
  if (protection == Protection::secded)
    read.corrected = m.wire(name + "_corrected", 1, "one bit of a word of it was wrong");
  read.wrong = m.wire(name + "_wrong", 1, "a word of it cannot be corrected");
  return read;
}

void protected_ram(rtl::Module& m, Protection protection, const std::string& instance, const std::string& doc,
                   int rows, const RowRead& read, const RowPorts& ports) {
  const int bits = read.data.width();
  Expr written = ports.write_data, stored = read.data;
  if (protection != Protection::none) {
    const int all = stored_row_bits(protection, bits);
    written = m.wire(instance + "_written", all, "row that is written, with its check bits");
    stored = m.wire(instance + "_stored", all, "row as it was read");
  }
  m.instance(sram_1r1w(rows, stored.width()), instance,
             {{"read", ports.read},
              {"read_row", ports.read_row},
              {"read_data", stored},
              {"write", ports.write},
              {"write_row", ports.write_row},
              {"write_data", written}},
             doc);
  if (protection == Protection::none) return;
  std::vector<std::pair<std::string, Expr>> pins{
      {"write_data", ports.write_data}, {"write_row", written}, {"read_row", stored}};
  if (protection == Protection::secded)
    pins.insert(pins.end(), {{"read_data", read.data}, {"corrected", read.corrected.when()}});
  else
    m.assign(read.data, stored.slice(bits - 1, 0));
  pins.emplace_back("wrong", read.wrong.when());
  m.instance(row_code(row_words(protection, bits), bits, m.name() + "_" + instance + "_code"),
             instance + "_code", pins, "Check bits of its rows.");
}

}  // namespace hw
