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
        strange(m.wire("tag_strange", ways, "ways whose stored tag is no word of the code")) {}

  void encode(const Expr& tag) const {
    m.instance(code_encoder(code), "enter_code", {{"data", tag}, {"check", enter}}, "The next request's.");
  }
  void check(const std::string& stem, int w, const Expr& stored) const {
    const int data = code.data_bits;
    const Expr expected =
        m.wire(fmt::format("expected{}", w), bits, fmt::format("check bits for the tag of {} {}", stem, w));
    m.instance(code_encoder(code), fmt::format("{}{}_code", stem, w),
               {{"data", stored.slice(data - 1, 0)}, {"check", expected}},
               fmt::format("The stored tag of {} {}.", stem, w));
    m.assign(strange.bit(w), rtl::any(expected ^ stored.slice(data + bits - 1, data)));
  }

  rtl::Module& m;
  const SecdedParams code;
  const int bits;
  const Expr enter, strange;
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
  for (int w = 0; w < ways; ++w) {
    const Expr stored = m.wire(fmt::format("stored{}", w), bits, fmt::format("tag of {} {}", stem, w));
    m.instance(ram, fmt::format("{}{}", stem, w),
               {{"read", probe.enter},
                {"read_row", probe.enter_set},
                {"read_data", stored},
                {"write", written.bit(w)},
                {"write_row", probe.set},
                {"write_data", word}},
               fmt::format("Tags of {} {}.", stem, w));
    m.assign(equal.bit(w), rtl::mux(bypass_q.bit(w), bypass_equal, rtl::all(stored ^ unlike_q)));
    if (check) check->check(stem, w, stored);
  }
  const Expr set = m.looked_at("set", probe.enter_set.width());
  std::vector<Expr> rows;
  for (int w = ways - 1; w >= 0; --w) rows.push_back(m.stored(fmt::format("{}{}", stem, w), set));
  m.observe("tag", rtl::cat(rows), {{stem, ways}});
  m.clocked("Tags to look at beside the RAM.", [&] {
    m.when(probe.enter, [&] { m.set(bypass_q, written & rtl::replicate(ways, probe.same)); });
  });
  if (check) check->encode(probe.enter_tag);
  m.clocked("The tag to compare.", [&] {
    m.when(probe.enter & ~probe.anew, [&] {
      m.set(bypass_equal, probe.enter_tag == probe.tag);
      m.set(unlike_q, ~(check ? rtl::cat({check->enter, probe.enter_tag}) : probe.enter_tag));
    });
  });
  if (!check) return {equal};
  return {equal, m.let("tag_wrong", check->strange & ~bypass_q, "ways whose tag is wrong")};
}

}  // namespace hw
