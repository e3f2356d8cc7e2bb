#include "hw/prim/one_hot.h"

#include <fmt/format.h>

#include <algorithm>

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit;

Expr join_known(const std::vector<Expr>& parts) {
  std::vector<Expr> known;
  std::ranges::copy_if(parts, std::back_inserter(known), [](const Expr& e) { return e.known(); });
  return known.empty() ? Expr{} : rtl::cat(known);
}

Expr number_of(const Expr& one_hot) {
  const int n = one_hot.width();
  std::vector<Expr> bits;  // most significant first
  for (int k = bits_to_number(n) - 1; k >= 0; --k) {
    std::vector<std::uint64_t> with((static_cast<std::size_t>(n) + 63) / 64);
    for (int i = 0; i < n; ++i)
      if (i >> k & 1) with[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
    bits.push_back(rtl::any(one_hot & rtl::wide_lit(n, with)));
  }
  return join_known(bits);
}

// Compared with each number rather than shifted: that is one gate deep, and simulates only when asked.
Expr one_hot_of(rtl::Module& m, const std::string& name, const Expr& when, const Expr& number, int n,
                const std::string& doc) {
  if (n == 1) return m.let(name, when.known() ? when : lit(1, 1), doc);
  const Expr bits = m.wire(name, n, doc);
  const auto compare = [&] {
    m.loop(name + "_at", n,
           [&](const Expr& i) { m.set(bits.at(i), number == i.slice(number.width() - 1, 0)); });
  };
  m.comb(fmt::format("The bit of {}.", name), [&] {
    if (!when.known()) return compare();
    m.set(bits, lit(n, 0));
    m.when(when, compare);
  });
  return bits;
}

// In steps of doubled reach: a borrow through `bits & -bits` would take a gate a bit.
Expr lowest_of(rtl::Module& m, const std::string& name, const Expr& bits, const std::string& doc) {
  const int n = bits.width() - 1;  // nobody stands above the last bit
  if (n == 0) return m.let(name, bits, doc);
  Expr reach = bits;
  for (int by = 1; by < n; by *= 2)
    reach = m.let(fmt::format("{}_within{}", name, 2 * by),
                  reach.slice(n - 1, 0) | cat({reach.slice(n - 1 - by, 0), lit(by, 0)}),
                  fmt::format("a bit is set here or up to {} below", 2 * by - 1));
  return m.let(name, bits & ~cat({reach.slice(n - 1, 0), lit(1, 0)}), doc);
}

Expr numbered(const Expr& vector, const Expr& number, int part_width) {
  return number.known() ? vector.part_below(number, part_width) : vector;
}

Expr ones_of(rtl::Module& m, const std::string& name, const Expr& bits, const std::string& doc) {
  const int n = bits.width(), width = rtl::clog2(static_cast<std::uint64_t>(n) + 1);
  if (n == 1) return m.let(name, bits, doc);
  const Expr sum = m.wire(name, width, doc);
  m.comb(fmt::format("Add the bits of {}.", name), [&] {
    m.set(sum, lit(width, 0));
    m.loop(name + "_bit", n, [&](const Expr& i) { m.set(sum, sum + rtl::zext(bits.at(i), width)); });
  });
  return sum;
}

rtl::Expr one_alone(const rtl::Expr& bits) {
  return rtl::any(bits) & ~rtl::any(bits & (bits - rtl::lit(bits.width(), 1)));
}

rtl::Expr scaled_number(const rtl::Expr& one_hot, int scale, int width) {
  rtl::Expr number = rtl::lit(width, 0);
  for (int i = 1; i < one_hot.width(); ++i)
    number = number | (rtl::replicate(width, one_hot.bit(i)) &
                       rtl::lit(width, static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(scale)));
  return number;
}

}  // namespace hw
