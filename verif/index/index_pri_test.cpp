// PRI: primes, fragmentation, and strides (ACI thesis, section 3.2.4).
#include "golden/index/index_pri.h"

#include <gmock/gmock.h>

#include <set>

#include "hw/index/index_unit.h"

TEST(IndexPri, LargestPrimesUpToThePowersOfTwo) {
  const std::vector<unsigned> primes{2,   3,    7,    13,   31,   61,    127,   251,
                                     509, 1021, 2039, 4093, 8191, 16381, 32749, 65521};
  for (int s = 1; s <= 16; ++s) {
    EXPECT_EQ(golden::largest_prime_up_to(1u << s), primes[s - 1]);
    const auto facts =
        hw::index_unit({.kind = hw::IndexKind::pri, .address_bits = 40, .sets = 1 << s}, "pri").facts;
    EXPECT_EQ(facts.prime, static_cast<int>(primes[s - 1]));
    EXPECT_EQ(facts.unused_sets, (1 << s) - static_cast<int>(primes[s - 1]));
  }
}

TEST(IndexPri, TheTagIsOneBitLongerThanOfTheOtherUnits) {
  EXPECT_EQ(hw::index_unit({.kind = hw::IndexKind::pri}, "pri").facts.tag_bits, 21);
}

TEST(IndexPri, EveryStrideButMultiplesOfThePrimeReachesAllSets) {
  constexpr hw::IndexParams p{.kind = hw::IndexKind::pri};
  for (std::uint64_t stride = 1; stride < 100; ++stride) {
    std::set<unsigned> reached;
    for (std::uint64_t i = 0; i < 31; ++i) reached.insert(golden::IndexPri<p>::set_of(stride * i).to_uint());
    EXPECT_EQ(reached.size(), stride % 31 ? 31u : 1u) << "stride " << stride;
  }
}
