#include "hw/ecc/secded.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>
#include <bit>

#include "hw/ecc/secded_ranges.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

std::string name_of(EccCode code) { return code == EccCode::parity ? "parity" : "SECDED"; }

// Among 2^(r-1) columns of odd weight are those of the check bits, of weight 1.
int hsiao_bits(int data_bits) {
  int bits = 2;
  while ((1 << (bits - 1)) < data_bits + bits) ++bits;
  return bits;
}

std::vector<unsigned> columns_of_weight(int bits, int weight) {
  std::vector<unsigned> all;
  for (unsigned c = 0; c < 1u << bits; ++c)
    if (std::popcount(c) == weight) all.push_back(c);
  return all;
}

// Rows that cover equally many data bits make equally deep trees of gates.
std::vector<std::uint64_t> hsiao_rows(int data_bits) {
  const int bits = hsiao_bits(data_bits);
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(bits));
  const auto load = [&](unsigned column) {
    int covered = 0;
    for (unsigned left = column; left; left &= left - 1)
      covered += std::popcount(rows[static_cast<std::size_t>(std::countr_zero(left))]);
    return covered;
  };
  int placed = 0;
  for (int weight = 3; placed < data_bits; weight += 2)
    for (auto free = columns_of_weight(bits, weight); !free.empty() && placed < data_bits; ++placed) {
      const auto best = std::ranges::min_element(free, {}, load);
      for (unsigned left = *best; left; left &= left - 1)
        rows[static_cast<std::size_t>(std::countr_zero(left))] |= std::uint64_t{1} << placed;
      free.erase(best);
    }
  return rows;
}

// A data bit is wrong if its column, of the rows, is the syndrome.
Expr flipped(const SecdedParams& p, rtl::Module& m, const Expr& syndrome) {
  const Expr differs = m.wire("differs", p.data_bits, "data bits whose column is not the syndrome");
  m.comb("Row by row: a bit of the column against one of the syndrome.", [&] {
    m.set(differs, lit(p.data_bits, 0));
    int j = 0;
    for (const std::uint64_t row : check_rows(p)) {
      const Expr here = lit(p.data_bits, row) ^ rtl::replicate(p.data_bits, syndrome.bit(j++));
      m.set(differs, differs | here);
    }
  });
  return m.let("flipped", ~differs, "the data bit that is wrong, one-hot, or 0");
}

std::string module_name(const SecdedParams& p, const char* part) {
  return fmt::format("{}_{}_{}", p.code == EccCode::parity ? "parity" : "secded", part, p.data_bits);
}

void check_parity(rtl::Module& m, const Expr& syndrome) {
  const Expr uncorrectable = m.output("uncorrectable", 1, "a bit of the word is wrong");
  m.assign(uncorrectable, syndrome);
}

void correct(const SecdedParams& p, rtl::Module& m, const Expr& data, const Expr& syndrome,
             bool reports_corrected = true) {
  const Expr checked = m.output("checked_data", p.data_bits, "the data with a wrong bit corrected");
  Expr corrected;
  if (reports_corrected) corrected = m.output("corrected", 1, "one bit of the word was wrong");
  const Expr uncorrectable = m.output("uncorrectable", 1, "more were, and the data is not to be used");
  const Expr flips = flipped(p, m, syndrome);
  const Expr wrong = m.let("wrong", rtl::any(syndrome), "the word is not one of the code");
  const Expr others = syndrome & (syndrome - lit(syndrome.width(), 1));
  const Expr of_check = m.let("check_flipped", wrong & ~rtl::any(others), "one check bit is wrong");
  m.assign(checked, data ^ flips);
  if (reports_corrected) m.assign(corrected, of_check | rtl::any(flips));
  m.assign(uncorrectable, wrong & ~(reports_corrected ? corrected : of_check | rtl::any(flips)));
}

}  // namespace

void check(const SecdedParams& p) {
  require_in(SecdedRanges::data_bits, "ecc.data_bits", p.data_bits,
             "use 64, or 8 where bytes are written alone");
  require_in(SecdedRanges::words, "ecc.words", p.words, "use 4, a sector of 32 bytes in words of 64 bits");
}

int check_bits(const SecdedParams& p) { return p.code == EccCode::parity ? 1 : hsiao_bits(p.data_bits); }

std::vector<std::uint64_t> check_rows(const SecdedParams& p) {
  if (p.code == EccCode::parity) return {~std::uint64_t{0} >> (64 - p.data_bits)};
  return hsiao_rows(p.data_bits);
}

rtl::Module code_encoder(const SecdedParams& p) {
  rtl::Module m(module_name(p, "encode"),
                fmt::format("Check bits of {} for a word of {} data bits.", name_of(p.code), p.data_bits));
  const Expr data = m.input("data", p.data_bits, "the word");
  const Expr check = m.output("check", check_bits(p), "check bits of the word");
  if (p.code == EccCode::parity) {
    m.assign(check, rtl::parity(data));
    return m;
  }
  m.comb("Even parity of what each check bit covers.", [&] {
    int j = 0;
    for (const std::uint64_t row : check_rows(p))
      m.set(check.bit(j++), rtl::parity(data & lit(p.data_bits, row)));
  });
  return m;
}

rtl::Module code_decoder(const SecdedParams& p) {
  rtl::Module m(module_name(p, "decode"),
                fmt::format("Checks a word of {} data bits with {}.", p.data_bits, name_of(p.code)));
  const Expr data = m.input("data", p.data_bits, "data bits as they were read");
  const Expr check = m.input("check", check_bits(p), "check bits as they were read");
  const Expr expected = m.wire("expected", check_bits(p), "check bits of that data");
  const Expr syndrome = m.let("syndrome", expected ^ check, "0 for a word of the code");
  if (p.code == EccCode::parity)
    check_parity(m, syndrome);
  else
    correct(p, m, data, syndrome);
  m.instance(code_encoder(p), "encoder", {{"data", data}, {"check", expected}}, "Encoder.");
  return m;
}

rtl::Module code_syndrome(const SecdedParams& p) {
  rtl::Module m(module_name(p, "syndrome"),
                fmt::format("Whether a word of {} data bits is one of {}, and which error it has.",
                            p.data_bits, name_of(p.code)));
  const Expr data = m.input("data", p.data_bits, "data bits as they were read");
  const Expr check = m.input("check", check_bits(p), "check bits as they were read");
  const Expr syndrome = m.output("syndrome", check_bits(p), "0 for a word of the code");
  const Expr expected = m.wire("expected", check_bits(p), "check bits of that data");
  m.assign(syndrome, expected ^ check);
  m.instance(code_encoder(p), "encoder", {{"data", data}, {"check", expected}}, "Encoder.");
  return m;
}

rtl::Module code_corrector(const SecdedParams& p) {
  rtl::Module m(module_name(p, "corrector"),
                fmt::format("Corrects a word of {} data bits with {}.", p.data_bits, name_of(p.code)));
  const Expr data = m.input("data", p.data_bits, "data bits as they were read");
  const Expr syndrome = m.input("syndrome", check_bits(p), "error of the word; 0 for none");
  correct(p, m, data, syndrome, false);
  return m;
}

rtl::Module secded(const SecdedParams& p, const std::string& name) {
  check(p);
  const int bits = check_bits(p), data_bits = p.words * p.data_bits;
  rtl::Module m(name, fmt::format("Protects rows of {} word{} of {} data bits with {}: {} check bit{} a word "
                                  "(Hsiao, 1970).",
                                  p.words, p.words == 1 ? "" : "s", p.data_bits, name_of(p.code), bits,
                                  bits == 1 ? "" : "s"));
  const Expr write_data = m.input("write_data", data_bits, "the row that is written");
  const Expr write_check = m.output("write_check", p.words * bits, "check bits to write with it");
  const Expr read_data = m.input("read_data", data_bits, "the row that was read");
  const Expr read_check = m.input("read_check", p.words * bits, "check bits that were read with it");
  std::optional<Expr> checked_data, corrected;
  if (p.code == EccCode::secded) {
    checked_data = m.output("checked_data", data_bits, "that row with one wrong bit a word corrected");
    corrected = m.output("corrected", p.words, "words of which one bit was wrong");
  }
  const Expr uncorrectable =
      m.output("uncorrectable", p.words, "words whose data is wrong and not to be used");
  m.repeat("word", p.words, "The words of a row.", [&](const Expr& w) {
    m.instance(code_encoder(p), "encoder",
               {{"data", write_data.part(w, p.data_bits)}, {"check", write_check.part(w, bits)}},
               "Encoder of the written word.");
    std::vector<std::pair<std::string, Expr>> pins{{"data", read_data.part(w, p.data_bits)},
                                                   {"check", read_check.part(w, bits)}};
    if (corrected)
      pins.insert(pins.end(),
                  {{"checked_data", checked_data->part(w, p.data_bits)}, {"corrected", corrected->at(w)}});
    pins.emplace_back("uncorrectable", uncorrectable.at(w));
    m.instance(code_decoder(p), "decoder", pins, "Decoder of the read word.");
  });
  return m;
}

}  // namespace hw
