// The index of run time against the templates, for every kind: set numbers and stored tags.
#include <gmock/gmock.h>

#include "golden/index/index_unit.h"
#include "golden/index/run_time_index.h"
#include "verif/parameters/golden_parameters.h"

namespace {

using enum hw::IndexKind;

template <hw::IndexParams P>
void compare() {
  using Unit = golden::IndexUnit<P>;
  const golden::RunTimeIndex index(P);
  ASSERT_EQ(index.block_bits(), Unit::Core::block);
  verif::Draw draw(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t address = draw.bits() >> draw.below(64);  // short ones too
    const std::uint64_t block = index.block_of(address);
    const auto expected = Unit::map(typename Unit::Block(block));
    ASSERT_EQ(index.set_of(block), expected.set_index.to_uint()) << std::hex << block;
    ASSERT_EQ(index.tag_of(block), expected.tag.to_uint64()) << std::hex << block;
    ASSERT_EQ(index.block_of(index.address_of(block) + address % P.line_bytes), block);
  }
}

TEST(GoldenRunTimeIndex, Cvi) {
  compare<hw::IndexParams{}>();
  compare<hw::IndexParams{.kind = cvi, .address_bits = 64, .line_bytes = 32, .sets = 2}>();
}

TEST(GoldenRunTimeIndex, Bxi) {
  compare<hw::IndexParams{.kind = bxi}>();
  compare<hw::IndexParams{.kind = bxi, .address_bits = 20, .sets = 1024}>();
  compare<hw::IndexParams{.kind = bxi, .address_bits = 57, .line_bytes = 256, .sets = 512}>();
}

TEST(GoldenRunTimeIndex, Rxi) {
  compare<hw::IndexParams{.kind = rxi}>();
  compare<hw::IndexParams{.kind = rxi, .address_bits = 49}>();
}

TEST(GoldenRunTimeIndex, Lin) {
  compare<hw::IndexParams{.kind = lin,
                          .sets = 8,
                          .taps = {1u << 7 | 1u << 31, 1u << 8 | 1u << 12 | 1u << 20, 1u << 9 | 1u << 7}}>();
  compare<hw::IndexParams{.kind = lin,
                          .address_bits = 64,
                          .sets = 4,
                          .taps = {1ull << 7 | 1ull << 63, 1ull << 8 | 1ull << 40}}>();
}

TEST(GoldenRunTimeIndex, Pli) {
  compare<hw::IndexParams{.kind = pli}>();
  compare<hw::IndexParams{.kind = pli, .sets = 2}>();
  compare<hw::IndexParams{.kind = pli, .sets = 64, .poly = 0x61}>();
  compare<hw::IndexParams{.kind = pli, .address_bits = 64, .line_bytes = 32, .sets = 1024}>();
}

TEST(GoldenRunTimeIndex, Pri) {
  compare<hw::IndexParams{.kind = pri}>();
  compare<hw::IndexParams{.kind = pri, .sets = 2}>();
  compare<hw::IndexParams{.kind = pri, .address_bits = 39, .sets = 256}>();
  compare<hw::IndexParams{.kind = pri, .address_bits = 64, .sets = 64}>();
}

TEST(GoldenRunTimeIndex, SetAndTagNameOneBlock) {
  verif::Draw draw(2);
  for (int round = 0; round < 60; ++round) {
    hw::IndexParams p{.address_bits = 20, .line_bytes = 32 << draw.below(4), .sets = 2 << draw.below(7)};
    p = verif::random_index(p, draw);
    const golden::RunTimeIndex index(p);
    const std::uint64_t blocks = std::uint64_t{1} << index.block_bits();
    std::vector<bool> seen(blocks * 4);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const std::uint64_t name = index.tag_of(block) * static_cast<unsigned>(p.sets) + index.set_of(block);
      ASSERT_FALSE(seen.at(name)) << "kind " << static_cast<int>(p.kind) << " sets " << p.sets;
      seen[name] = true;
    }
  }
}

}  // namespace
