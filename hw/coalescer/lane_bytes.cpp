#include "hw/coalescer/lane_bytes.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::mux, rtl::zext;

namespace {

// Bit s, also of a vector of one.
Expr bit_of(const Expr& bits, int s) { return bits.width() == 1 ? bits : bits.bit(s); }

// Bytes of `bytes` whose number has bit s.
Expr with_bit(int bytes, int s) {
  std::uint64_t with = 0;
  for (int b = 0; b < bytes; ++b) with |= static_cast<std::uint64_t>(b >> s & 1) << b;
  return rtl::lit(bytes, with);
}

}  // namespace

rtl::Module lane_to_word(int bytes) {
  rtl::Module m(fmt::format("lane_to_word_b{}", bytes),
                fmt::format("Puts a lane's bytes into a word of {}.", bytes));
  const int sizes = bits_to_number(bytes);
  const Expr wide = m.input("wide", sizes, "bit s: the lane has more than 2^s bytes");
  const Expr low = m.input("low", sizes, "the lane's position in the word");
  const Expr data = m.input("data", 8 * bytes, "the lane's value");
  const Expr own = m.output("bytes", bytes, "the lane's bytes of the word");
  const Expr word = m.output("word", 8 * bytes, "the value at every position that it can have");
  Expr at = rtl::ones(bytes), value = data.slice(7, 0);
  for (int s = 0; s < sizes; ++s) {
    const Expr high = rtl::replicate(bytes, bit_of(low, s));
    const Expr half = m.let(fmt::format("in_half{}", s),
                            rtl::replicate(bytes, bit_of(wide, s)) | ~(high ^ with_bit(bytes, s)),
                            fmt::format("bytes on the lane's side of bit {}, or all", s));
    at = s == 0 ? half : at & half;
    const int bits = 8 << s;
    value = m.let(fmt::format("value{}", s + 1),
                  cat({mux(bit_of(wide, s), data.slice(2 * bits - 1, bits), value), value}),
                  fmt::format("the value in {} bytes", 2 << s));
  }
  m.assign(own, at);
  m.assign(word, value);
  return m;
}

rtl::Module word_to_lane(int bytes) {
  rtl::Module m(fmt::format("word_to_lane_b{}", bytes),
                fmt::format("Takes a lane's bytes out of a word of {}.", bytes));
  const int sizes = bits_to_number(bytes);
  const Expr wide = m.input("wide", sizes, "bit s: the lane has more than 2^s bytes");
  const Expr low = m.input("low", sizes, "the lane's position in the word");
  const Expr word = m.input("word", 8 * bytes, "the word");
  const Expr data = m.output("data", 8 * bytes, "the lane's value, zero-extended");
  Expr value = word;
  for (int s = sizes - 1; s >= 0; --s) {
    const int bits = 8 << s;
    const Expr half = mux(bit_of(low, s), value.slice(2 * bits - 1, bits), value.slice(bits - 1, 0));
    value = m.let(fmt::format("value{}", s), mux(bit_of(wide, s), value, zext(half, 8 * bytes)),
                  fmt::format("the value, of {} byte{} if the lane has no more", 1 << s, s ? "s" : ""));
  }
  m.assign(data, value);
  return m;
}

}  // namespace hw
