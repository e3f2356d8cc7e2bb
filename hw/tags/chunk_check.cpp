#include "hw/tags/chunk_check.h"

#include "hw/ecc/secded.h"

namespace hw {

using rtl::Expr;

SecdedParams data_code(const TagParams& p) {
  return {.code = p.ecc.data == Protection::parity ? EccCode::parity : EccCode::secded,
          .data_bits = p.ecc.data_bits,
          .words = 8 * p.chunk_bytes / p.ecc.data_bits};
}

int check_bits_of_chunk(const TagParams& p) {
  return protects_data(p.ecc) ? data_code(p).words * check_bits(data_code(p)) : 0;
}

bool has_words_of_bytes(const TagParams& p) { return protects_data(p.ecc) && stores_update(p); }

rtl::Expr protected_row(rtl::Module& m, const TagParams& p, const Expr& data) {
  const SecdedParams code = data_code(p);
  const int bits = check_bits(code), k = code.data_bits;
  const Expr check = m.wire("fill_check", code.words * bits, "check bits of the new value");
  m.repeat("written_word", code.words, "Words of the chunk.", [&](const Expr& w) {
    m.instance(code_encoder(code), "encoder", {{"data", data.part(w, k)}, {"check", check.part(w, bits)}},
               "Encoder of the written word.");
  });
  if (!has_words_of_bytes(p)) return rtl::cat({check, data});
  std::vector<Expr> bytes;
  for (int w = code.words - 1; w >= 0; --w)
    bytes.insert(bytes.end(),
                 {check.slice((w + 1) * bits - 1, w * bits), data.slice((w + 1) * k - 1, w * k)});
  return m.let("write_row", rtl::cat(bytes), "each byte below its check bits");
}

ChunkCheck::ChunkCheck(const TagParams& p, rtl::Module& m)
    : code_(data_code(p)), of_bytes_(has_words_of_bytes(p)), m_(m) {
  if (corrects()) corrects_ = m.input("corrects", 1, "the chunk read last is being corrected");
  wrong_ = m.output("wrong", 1, "the chunk read last is not as it was written");
  if (corrects()) uncorrectable_ = m.output("uncorrectable", 1, "with too many wrong bits to be corrected");
}

Expr ChunkCheck::data_of(const Expr& row) const {
  const int k = code_.data_bits, each = k + check_bits(code_);
  if (!of_bytes_) return row.slice(code_.words * k - 1, 0);
  std::vector<Expr> bytes;
  for (int w = code_.words - 1; w >= 0; --w) bytes.push_back(row.slice(w * each + k - 1, w * each));
  return rtl::cat(bytes);
}

Expr ChunkCheck::check_of(const Expr& row) const {
  const int k = code_.data_bits, each = k + check_bits(code_);
  if (!of_bytes_) return row.slice(row.width() - 1, code_.words * k);
  std::vector<Expr> bits;
  for (int w = code_.words - 1; w >= 0; --w) bits.push_back(row.slice((w + 1) * each - 1, w * each + k));
  return rtl::cat(bits);
}

void ChunkCheck::run(const Expr& row, const Expr& read_data) {
  const int k = code_.data_bits, bits = check_bits(code_);
  m_.section("Check.");
  const Expr low = data_of(row);
  const Expr data = corrects() ? m_.let("row_data", low, "data bits of the chunk") : read_data;
  const Expr check = m_.let("row_check", check_of(row), "check bits of the chunk");
  const Expr words = m_.wire(corrects() ? "syndrome" : "wrong_words", check.width(),
                             corrects() ? "of each word; 0 for none wrong" : "words with a wrong bit");
  m_.repeat("read_word", code_.words, "Words of the chunk.", [&](const Expr& w) {
    m_.instance(corrects() ? code_syndrome(code_) : code_decoder(code_), "decoder",
                {{"data", data.part(w, k)},
                 {"check", check.part(w, bits)},
                 {corrects() ? "syndrome" : "uncorrectable", words.part(w, bits)}},
                "What was read.");
  });
  m_.assign(wrong_, rtl::any(words));
  if (!corrects()) return m_.assign(read_data, low);
  const Expr q = m_.data_reg("syndrome_q", check.width(), "of the words that are corrected; else 0");
  m_.clocked("Errors to correct.", [&] { m_.set(q, words & rtl::replicate(check.width(), corrects_)); });
  const Expr beyond = m_.wire("beyond", code_.words, "words with too many wrong bits");
  m_.repeat("corrected_word", code_.words, "Words of the chunk.", [&](const Expr& w) {
    m_.instance(code_corrector(code_), "corrector",
                {{"data", data.part(w, k)},
                 {"syndrome", q.part(w, bits)},
                 {"checked_data", read_data.part(w, k)},
                 {"uncorrectable", beyond.at(w)}},
                "What was read and is wrong.");
  });
  m_.assign(uncorrectable_, rtl::any(beyond));
}

}  // namespace hw
