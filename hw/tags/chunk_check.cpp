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

ChunkCheck::ChunkCheck(const TagParams& p, rtl::Module& m) : code_(data_code(p)), m_(m) {
  if (corrects()) corrects_ = m.input("corrects", 1, "the chunk read last is being corrected");
  wrong_ = m.output("wrong", 1, "the chunk read last is not as it was written");
  if (corrects()) uncorrectable_ = m.output("uncorrectable", 1, "with too many wrong bits to be corrected");
}

void ChunkCheck::run(const Expr& row, const Expr& read_data) {
  const int k = code_.data_bits, bits = check_bits(code_), width = code_.words * k;
  m_.section("Check.");
  const Expr low = row.slice(width - 1, 0);
  const Expr data = corrects() ? m_.let("row_data", low, "data bits of the chunk") : read_data;
  const Expr check = m_.let("row_check", row.slice(row.width() - 1, width), "check bits of the chunk");
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
