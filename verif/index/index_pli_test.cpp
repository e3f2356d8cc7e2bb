// PLI against the thesis: Figure 5, the default polynomials, and long division.
#include "golden/index/index_pli.h"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <utility>

#include "hw/index/index_unit.h"
#include "hw/index/polynomials.h"
#include "hw/require.h"
#include "verif/rtl/thrown.h"

namespace {
constexpr hw::IndexParams at_64_sets{.kind = hw::IndexKind::pli, .sets = 64};
}

TEST(IndexPli, TapsAt64SetsAreFigure5) {
  const std::vector<std::vector<int>> figure_5{
      {7, 13, 18, 19, 23, 25, 28, 29, 30, 31},  {8, 13, 14, 18, 20, 23, 24, 25, 26, 28},
      {9, 14, 15, 19, 21, 24, 25, 26, 27, 29},  {10, 15, 16, 20, 22, 25, 26, 27, 28, 30},
      {11, 16, 17, 21, 23, 26, 27, 28, 29, 31}, {12, 17, 18, 22, 24, 27, 28, 29, 30}};
  EXPECT_EQ(hw::index_unit(at_64_sets, "pli").facts.taps, figure_5);
  std::mt19937_64 draw(1);
  for (int round = 0; round < 10'000; ++round) {
    const std::uint64_t address = draw() & 0xffffffff;
    unsigned set = 0;
    for (int i = 0; i < 6; ++i)
      for (const int tap : figure_5[i]) set ^= static_cast<unsigned>(address >> tap & 1) << i;
    ASSERT_EQ(golden::IndexPli<at_64_sets>::set_of(address >> 7).to_uint(), set);
  }
}

TEST(IndexPli, TablesEqualLongDivision) {
  std::mt19937_64 draw(2);
  for (const std::uint32_t divisor : {0x3u, 0x7u, 0x25u, 0x43u, 0x11bu, 0x1002du}) {
    const golden::ByteTables tables(
        [&](std::uint64_t block) { return golden::long_division_remainder(block, divisor); });
    for (int round = 0; round < 20'000; ++round) {
      const std::uint64_t block = draw();
      ASSERT_EQ(tables.operator()<64>(block), golden::long_division_remainder(block, divisor));
    }
  }
}

TEST(IndexPli, DefaultPolynomialsAreTheSmallestIrreducibleOnes) {
  const auto prime = [](int q) {
    for (int d = 2; d < q; ++d)
      if (q % d == 0) return false;
    return true;
  };
  // Irreducible of degree n: x^(2^n) = x modulo P, and not before at n over its prime factors (Rabin's test).
  const auto times = [](std::uint64_t a, std::uint64_t b, std::uint32_t p, int n) {
    std::uint64_t product = 0;
    for (int i = 0; i < n; ++i)
      if (b >> i & 1) product ^= a << i;
    return golden::long_division_remainder(product, p);
  };
  const auto irreducible = [&](std::uint32_t p, int n) {
    const auto power = [&](int squarings) {
      std::uint64_t x = golden::long_division_remainder(2, p);
      for (int i = 0; i < squarings; ++i) x = times(x, x, p, n);
      return x;
    };
    const auto gcd = [](std::uint64_t a, std::uint64_t b) {
      while (b) a = std::exchange(b, golden::long_division_remainder(a, static_cast<std::uint32_t>(b)));
      return a;
    };
    if (power(n) != golden::long_division_remainder(2, p)) return false;
    for (int q = 2; q <= n; ++q)
      if (n % q == 0 && prime(q) && gcd(p, power(n / q) ^ golden::long_division_remainder(2, p)) != 1)
        return false;
    return true;
  };
  for (int n = 2; n <= 16; ++n) {
    std::uint32_t smallest = 1u << n;
    while (!irreducible(smallest, n)) ++smallest;
    EXPECT_EQ(golden::default_polynomial(n), smallest) << "degree " << n;
    EXPECT_EQ(hw::smallest_irreducible(n), smallest) << "degree " << n;
  }
  EXPECT_EQ(golden::default_polynomial(1), 0b11u);  // parity, not x
  EXPECT_EQ(hw::smallest_irreducible(1), 0b11u);
  EXPECT_EQ(hw::smallest_irreducible(5), 0b100101u);
  EXPECT_EQ(hw::smallest_irreducible(6), 0b1000011u);
}

TEST(IndexPli, AStrideOfTheSetsReachesEverySet) {
  constexpr hw::IndexParams p{.kind = hw::IndexKind::pli};
  for (const std::uint64_t base : {0ull, 1024ull, 7ull * 1024}) {
    std::set<unsigned> reached;
    for (std::uint64_t i = 0; i < 32; ++i)
      reached.insert(golden::IndexPli<p>::set_of(base + 32 * i).to_uint());
    EXPECT_EQ(reached.size(), 32u);
  }
}

TEST(IndexPli, PolynomialsThatAreRefused) {
  const auto refusal = [](hw::IndexParams p) { return verif::thrown([&] { hw::check(p); }); };
  EXPECT_THAT(refusal({.kind = hw::IndexKind::pli, .poly = 0x21}),
              testing::EndsWith("index.poly = 0x21: x^5 + 1 is reducible, it has the factor x + 1; use 0x25, "
                                "or set index.allow_reducible = true"));
  EXPECT_THAT(
      refusal({.kind = hw::IndexKind::pli, .poly = 0x43}),
      testing::EndsWith(
          "index.poly = 0x43: has degree 6, but 32 sets need degree 5; use 0x25, or 0 for the default"));
  EXPECT_EQ(refusal({.kind = hw::IndexKind::pli, .poly = 0x21, .allow_reducible = true}), "nothing thrown");
}
