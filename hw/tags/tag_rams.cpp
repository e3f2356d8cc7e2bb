#include "hw/tags/tag_rams.h"

#include <fmt/format.h>

#include "hw/ecc/secded.h"
#include "hw/prim/sram.h"

namespace hw {

using rtl::Expr;

namespace {

// Check bits of the tag that enters, and the check of the stored ones.
struct TagCheck {
  TagCheck(rtl::Module& module, const SecdedParams& of, int ways)
      : m(module),
        code(of),
        bits(check_bits(of)),
        enter(m.wire("enter_check", bits, "check bits of the next request's tag")),
        stored(m.wire("stored_checks", ways * bits, "stored check bits of each tag")),
        expected(m.wire("expected_checks", ways * bits, "check bits that each stored tag should have")),
        strange(m.wire("tag_strange", ways, "ways whose stored tag is no word of the code")) {}

  void encode(const Expr& tag) const {
    m.instance(code_encoder(code), "enter_code", {{"data", tag}, {"check", enter}}, "The next request's.");
  }
  // In the loop over the ways.
  void check(const std::string& stem, const Expr& way, const Expr& tag) const {
    const Expr right = expected.part(way, bits);
    m.instance(code_encoder(code), stem + "_code", {{"data", tag}, {"check", right}},
               "Check bits for what is stored.");
    m.assign(strange.at(way), rtl::any(right ^ stored.part(way, bits)));
  }

  rtl::Module& m;
  const SecdedParams code;
  const int bits;
  const Expr enter, stored, expected, strange;
};

}  // namespace

std::optional<SecdedParams> tag_code(Protection tags, int tag_bits) {
  if (tags == Protection::none) return {};
  return SecdedParams{.code = tags == Protection::parity ? EccCode::parity : EccCode::secded,
                      .data_bits = tag_bits};
}

int check_bits_of_tag(Protection tags, int tag_bits) {
  const auto code = tag_code(tags, tag_bits);
  return code ? check_bits(*code) : 0;
}

ComparedTags tag_rams(rtl::Module& m, const std::string& stem, int sets, const TagProbe& probe,
                      const Expr& written, const std::optional<SecdedParams>& code) {
  m.section("Tags. A tag written as the next request reads its row reaches that request beside the RAM.");
  const int ways = written.width(), tag_bits = probe.tag.width();
  std::optional<TagCheck> check;
  if (code) check.emplace(m, *code, ways);
  const int bits = tag_bits + (check ? check->bits : 0);
  const rtl::Module ram = sram_1r1w(sets, bits);
  const Expr bypass_q = m.reg("bypass_q", ways, 0, "tags whose row was written as it was read");
  const Expr bypass_equal = m.data_reg("bypass_equal_q", 1, "the written tag is the probe's");
  // Complemented, as a copy of probe_tag would be merged with it: that one has many other readers.
  const Expr unlike_q = m.data_reg(
      "unlike_q", bits,
      check ? "complement of the probe's tag and its check bits" : "complement of the probe's tag");
  const Expr word = check ? rtl::cat({~unlike_q.slice(bits - 1, tag_bits), probe.tag}) : probe.tag;
  const Expr equal = m.wire("tag_equal", ways, "ways whose tag is the probe's");
  const Expr stored = m.wire("stored_tags", ways * tag_bits, fmt::format("tag of each {}", stem));
  m.repeat(stem + "_tags", ways, "The stored tags.", [&](const Expr& w) {
    const Expr tag = stored.part(w, tag_bits);
    const Expr read = check ? rtl::cat({check->stored.part(w, check->bits), tag}) : tag;
    m.instance(ram, stem + "_row",
               {{"read", probe.enter},
                {"read_row", probe.enter_set},
                {"read_data", read},
                {"write", written.at(w)},
                {"write_row", probe.set},
                {"write_data", word}},
               fmt::format("Tags of the {}.", stem));
    m.assign(equal.at(w), rtl::mux(bypass_q.at(w), bypass_equal, rtl::all(read ^ unlike_q)));
    if (check) check->check(stem, w, tag);
  });
  const Expr set = m.looked_at("set", probe.enter_set.width());
  std::vector<Expr> rows;
  for (int w = ways - 1; w >= 0; --w)
    rows.push_back(m.stored(fmt::format("{0}_tags[{1}].{0}_row", stem, w), set));
  m.observe("tag", rtl::cat(rows), {{stem, ways}});
  m.clocked("Tags to look at beside the RAM.", [&] {
    m.when(probe.enter, [&] { m.set(bypass_q, written & rtl::replicate(ways, probe.same)); });
  });
  if (check) check->encode(probe.enter_tag);
  m.clocked("The tag to compare.", [&] {
    m.when(probe.enter & ~probe.rehashed, [&] {
      m.set(bypass_equal, probe.enter_tag == probe.tag);
      m.set(unlike_q, ~(check ? rtl::cat({check->enter, probe.enter_tag}) : probe.enter_tag));
    });
  });
  if (!check) return {equal};
  return {equal, m.let("tag_wrong", check->strange & ~bypass_q, "ways whose tag is wrong")};
}

}  // namespace hw
