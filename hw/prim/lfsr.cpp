#include "hw/prim/lfsr.h"

#include <fmt/format.h>

#include <array>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit;

namespace {

// Which bits of a state add up to each bit of the state 16 steps later.
std::vector<std::uint64_t> masks_after_16() {
  std::array<std::uint64_t, 16> masks;
  for (int bit = 0; bit < 16; ++bit) masks[static_cast<std::size_t>(bit)] = std::uint64_t{1} << bit;
  for (int step = 0; step < 16; ++step) {
    const std::uint64_t entering = masks[0] ^ masks[2] ^ masks[3] ^ masks[5];
    for (std::size_t bit = 0; bit < 15; ++bit) masks[bit] = masks[bit + 1];
    masks[15] = entering;
  }
  std::vector<std::uint64_t> words(4);
  for (std::size_t bit = 0; bit < 16; ++bit) words[bit / 4] |= masks[bit] << 16 * (bit % 4);
  return words;
}

}  // namespace

Expr lfsr_next(const Expr& state) {
  return rtl::cat({state.bit(0) ^ state.bit(2) ^ state.bit(3) ^ state.bit(5), state.slice(15, 1)});
}

Expr lfsr_after_16(rtl::Module& m, const std::string& name, const Expr& state) {
  const Expr masks = m.let("masks", rtl::wide_lit(256, masks_after_16()),
                           "bits that each bit is the parity of, 16 steps on");
  const Expr next = m.wire(name, 16, "the LFSR after 16 steps");
  m.comb("Sixteen steps at once.", [&] {
    m.loop("b", 16, [&](const Expr& b) { m.set(next.at(b), rtl::parity(state & masks.part(b, 16))); });
  });
  return next;
}

// A hexadecimal digit's remainder is looked up, with its digit's weight; the four are added modulo n. Factors
// of two of n are low bits of the value and need none of it.
Expr remainder_of(rtl::Module& m, const Expr& value, int n) {
  int low = 0;
  while ((n >> low & 1) == 0) ++low;
  const int odd = n >> low;
  if (odd == 1) return low ? value.slice(low - 1, 0) : Expr{};
  const int bits = bits_to_number(odd);
  const auto name = [&](const std::string& stem) { return fmt::format("{}_mod{}", stem, n); };
  const Expr digits = m.let(name("digits"), rtl::zext(value.slice(15, low), 16),
                            "four hexadecimal digits of the value without its low bits");
  std::vector<Expr> terms;
  for (int d = 0, weight = 1; d < 4; ++d, weight = weight * 16 % odd) {
    std::vector<std::uint64_t> rows((static_cast<std::size_t>(16 * bits) + 63) / 64);
    for (int i = 0; i < 16 * bits; ++i)
      if (i / bits * weight % odd >> i % bits & 1)
        rows[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
    const Expr remainders = m.let(name(fmt::format("remainders{}", d)), rtl::wide_lit(16 * bits, rows),
                                  fmt::format("of each value of digit {} by {}", d, odd));
    const Expr digit = m.let(name(fmt::format("digit{}", d)), digits.slice(4 * d + 3, 4 * d), "digit");
    terms.push_back(
        m.let(name(fmt::format("term{}", d)), remainders.part(digit, bits), "remainder of the digit"));
  }
  const auto add = [&](const std::string& to, const Expr& a, const Expr& b) {
    const Expr sum = m.let(name(to + "_sum"), rtl::zext(a, bits + 1) + rtl::zext(b, bits + 1), "two terms");
    const Expr fits = sum < lit(bits + 1, static_cast<std::uint64_t>(odd));
    const Expr low_sum = sum.slice(bits - 1, 0);
    return m.let(name(to), rtl::mux(fits, low_sum, low_sum - lit(bits, static_cast<std::uint64_t>(odd))),
                 "remainder of the sum");
  };
  const Expr all = add("all", add("low", terms[0], terms[1]), add("high", terms[2], terms[3]));
  return low ? rtl::cat({all, value.slice(low - 1, 0)}) : all;
}

}  // namespace hw
