// Proofs about the set-index units, for all block addresses: linear ones equal a reference in another form,
// and no two blocks share set and tag. Each proof is broken by an injected fault.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "hw/index/index_unit.h"
#include "verif/formal/index_properties.h"
#include "verif/index/sample.h"
#include "verif/mutate/injected_faults.h"

namespace {

using hw::IndexKind, hw::IndexParams;
using verif::equals_reference, verif::Fault, verif::names_one_block, verif::Nets, verif::Outcome;

std::string text_of(const IndexParams& p, const Fault* fault = nullptr) {
  return verif::texts_of(hw::index_unit(p, "unit").module, fault).at("unit");
}

rtl::Expr or_for_xor(const rtl::Expr& sum, const Nets&) {
  return sum.node().args.at(0) | sum.node().args.at(1);
}

rtl::Expr without_lowest_bit(const rtl::Expr& tag, const Nets&) { return tag & ~rtl::lit(tag.width(), 1); }

const Fault index_bit_twice{"index_bit_twice", "", "set_index", "index_0", verif::other("index_1")};
const Fault tap_moved{"tap_moved", "", "index_0", "block_address[0]",
                      [](const rtl::Expr&, const Nets& net) { return net("block_address").bit(2); }};
const Fault or_in_a_sum{"or_in_a_sum", "", "index_0", "", or_for_xor};
const Fault or_in_a_digit_sum{"or_in_a_digit_sum", "", "sum_1", "", or_for_xor};
const Fault tag_a_stage_early{"tag_a_stage_early", "", "tag", "", verif::other("tag_s1_q")};
const Fault tag_bit_dropped{"tag_bit_dropped", "", "tag", "", without_lowest_bit};

std::string describe(const IndexParams& p) {
  return fmt::format("kind {} address_bits {} line_bytes {} sets {} latency {} poly {:#x}",
                     static_cast<int>(p.kind), p.address_bits, p.line_bytes, p.sets, p.latency, p.poly);
}

// Index bit i sums its own address bit, each S-th one above and some others: the square part stays regular.
IndexParams lin(IndexParams p) {
  const int offset = hw::offset_bits(p), sets = hw::index_bits(p);
  for (int bit = offset; bit < p.address_bits; ++bit) {
    p.taps[(bit - offset) % sets] |= std::uint64_t{1} << bit;
    if (bit >= offset + sets) p.taps[bit * 5 % sets] ^= std::uint64_t{1} << bit;
  }
  return p;
}

// The defaults, odd geometries, one to four stages.
std::vector<IndexParams> shapes(IndexKind kind) {
  std::vector<IndexParams> list;
  if (kind == IndexKind::rxi)
    list = {
        {.kind = kind}, {.kind = kind, .address_bits = 20}, {.kind = kind, .address_bits = 47, .latency = 1}};
  else
    list = {{.kind = kind},
            {.kind = kind, .address_bits = 20, .line_bytes = 32, .sets = 2},
            {.kind = kind, .address_bits = 33, .line_bytes = 64, .sets = 128, .latency = 3},
            {.kind = kind, .address_bits = 31, .line_bytes = 256, .sets = 512, .latency = 1},
            {.kind = kind, .address_bits = 32, .sets = 64, .latency = 4}};
  if (kind == IndexKind::lin)
    for (IndexParams& p : list) p = lin(p);
  return list;
}

void expect_proven(const verif::Property& property, const IndexParams& p) {
  const verif::ProofResult r = verif::prove(property);
  EXPECT_TRUE(r.proven()) << property.top << " of " << describe(p) << ": " << r.engine << ": " << r.message;
}

void expect_broken(const verif::Property& property, const IndexParams& p) {
  const verif::ProofResult r = verif::prove(property);
  EXPECT_EQ(r.outcome, Outcome::counterexample) << property.top << " of " << describe(p) << ": " << r.message;
}

class LinearUnits : public testing::TestWithParam<IndexKind> {};
INSTANTIATE_TEST_SUITE_P(Index, LinearUnits,
                         testing::Values(IndexKind::cvi, IndexKind::bxi, IndexKind::rxi, IndexKind::lin,
                                         IndexKind::pli));

TEST_P(LinearUnits, EqualTheReference) {
  for (const IndexParams& p : shapes(GetParam())) expect_proven(equals_reference(p, "unit", text_of(p)), p);
}

TEST(LinearUnit, EqualsTheReferenceAtTheLargestSize) {
  for (IndexKind kind : {IndexKind::cvi, IndexKind::bxi, IndexKind::lin}) {
    IndexParams p{.kind = kind, .address_bits = 64, .line_bytes = 32, .sets = 65536};
    if (kind == IndexKind::lin) p = lin(p);
    expect_proven(equals_reference(p, "unit", text_of(p)), p);
  }
  const IndexParams pli{
      .kind = IndexKind::pli, .address_bits = 64, .line_bytes = 256, .sets = 4096, .latency = 2};
  expect_proven(equals_reference(pli, "unit", text_of(pli)), pli);
}

// An index bit used twice, a tap moved, an OR for an XOR: the reference sees each of them.
TEST_P(LinearUnits, DifferFromTheReferenceWhenBroken) {
  IndexParams p{.kind = GetParam()};
  if (p.kind == IndexKind::lin) p = lin(p);
  expect_broken(equals_reference(p, "unit", text_of(p, &index_bit_twice)), p);
  expect_broken(equals_reference(p, "unit", text_of(p, &tap_moved)), p);
  if (p.kind != IndexKind::cvi) expect_broken(equals_reference(p, "unit", text_of(p, &or_in_a_sum)), p);
}

// The same of a stage too few, a stage too many, and a tag a stage ahead.
TEST_P(LinearUnits, DifferFromTheReferenceInTime) {
  IndexParams p{.kind = GetParam(), .latency = 2};
  if (p.kind == IndexKind::lin) p = lin(p);
  IndexParams late = p, early = p;
  ++late.latency;
  --early.latency;
  for (const std::string& text :
       {text_of(late), text_of(early), text_of(p, &tag_a_stage_early), text_of(p, &index_bit_twice)})
    expect_broken(equals_reference(p, "unit", text), p);
}

TEST(LinearUnit, OtherPolynomialDiffersFromTheReference) {
  const IndexParams p{.kind = IndexKind::pli}, other{.kind = IndexKind::pli, .poly = 0x3d};
  expect_broken(equals_reference(p, "unit", text_of(other)), p);
  expect_proven(equals_reference(other, "unit", text_of(other)), other);
}

class AllUnits : public testing::TestWithParam<IndexKind> {};
INSTANTIATE_TEST_SUITE_P(Index, AllUnits,
                         testing::Values(IndexKind::cvi, IndexKind::bxi, IndexKind::rxi, IndexKind::lin,
                                         IndexKind::pli, IndexKind::pri));

TEST_P(AllUnits, NameOneBlock) {
  for (const IndexParams& p : shapes(GetParam())) expect_proven(names_one_block(p, "unit", text_of(p)), p);
  IndexParams p{.kind = GetParam(), .sets = 64};
  if (p.kind == IndexKind::rxi) return;
  if (p.kind == IndexKind::lin) p = lin(p);
  expect_proven(names_one_block(p, "unit", text_of(p)), p);
}

// Without its lowest bit the tag leaves twice as many blocks as there are sets.
TEST_P(AllUnits, NameTwoBlocksWithoutATagBit) {
  for (IndexParams p : {IndexParams{.kind = GetParam()}, IndexParams{.kind = GetParam(), .latency = 2}}) {
    if (p.kind == IndexKind::lin) p = lin(p);
    expect_broken(names_one_block(p, "unit", text_of(p, &tag_bit_dropped)), p);
  }
}

TEST(PrimeModuloUnit, NamesTwoBlocksWhenItsSumIsBroken) {
  for (const int sets : {32, 64, 128}) {
    const IndexParams p{.kind = IndexKind::pri, .sets = sets};
    expect_broken(names_one_block(p, "unit", text_of(p, &or_in_a_digit_sum)), p);
  }
}

TEST(RandomUnits, HoldToBothProperties) {
  std::mt19937_64 draw(20240611);
  for (int count = 0; count < 12;) {
    const IndexParams p = verif::sample_index(draw, 40);
    if (p.sets > 1024 || p.kind == IndexKind::pri) continue;
    ++count;
    expect_proven(equals_reference(p, "unit", text_of(p)), p);
    expect_proven(names_one_block(p, "unit", text_of(p)), p);
  }
}

}  // namespace
