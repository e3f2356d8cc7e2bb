// Proofs about the set-index units, for all block addresses: linear ones equal a reference in another form,
// and no two blocks share set and tag. Each proof is broken by a planted fault.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "gen/print_verilog.h"
#include "hw/index/index_unit.h"
#include "verif/formal/index_properties.h"
#include "verif/index/sample.h"

namespace {

using hw::IndexKind, hw::IndexParams;
using verif::equals_reference, verif::names_one_block, verif::Outcome;

std::string text_of(const IndexParams& p) { return gen::verilog(hw::index_unit(p, "unit").module); }

// Replaces the first `from` behind the port list; a fault that changes nothing is a mistake of the test.
std::string broken(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from, text.find(");"));
  if (at == std::string::npos) throw std::runtime_error(fmt::format("no '{}' to break in\n{}", from, text));
  return text.replace(at, from.size(), to);
}

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

// A tap moved, an OR for an XOR, a stage too few, a stage too many: the reference sees each of them.
TEST_P(LinearUnits, DifferFromTheReferenceWhenBroken) {
  for (IndexParams p : {IndexParams{.kind = GetParam()}, IndexParams{.kind = GetParam(), .latency = 2}}) {
    if (p.kind == IndexKind::lin) p = lin(p);
    const std::string text = text_of(p);
    expect_broken(equals_reference(p, "unit", broken(text, "block_address[1", "block_address[2")), p);
    if (p.kind == IndexKind::cvi || p.latency == 0) continue;
    expect_broken(equals_reference(p, "unit", broken(text, " ^ ", " | ")), p);
    IndexParams late = p, early = p;
    ++late.latency;
    --early.latency;
    expect_broken(equals_reference(p, "unit", text_of(late)), p);
    expect_broken(equals_reference(p, "unit", text_of(early)), p);
    expect_broken(
        equals_reference(p, "unit", broken(text, "assign tag = tag_s2_q;", "assign tag = tag_s1_q;")), p);
  }
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
    const int low = hw::block_address_bits(p) - verif::reference_tag_bits(p);
    const std::string tag = fmt::format("block_address[{}:{}]", hw::block_address_bits(p) - 1, low);
    const std::string less =
        fmt::format("{{block_address[{}:{}], 1'b0}}", hw::block_address_bits(p) - 1, low + 1);
    std::string text = text_of(p);
    const std::size_t at = text.rfind(tag);
    ASSERT_NE(at, text.npos) << text;
    expect_broken(names_one_block(p, "unit", text.replace(at, tag.size(), less)), p);
  }
}

TEST(PrimeModuloUnit, NamesTwoBlocksWhenItsSumIsBroken) {
  for (const int sets : {32, 64, 128}) {
    const IndexParams p{.kind = IndexKind::pri, .sets = sets};
    expect_broken(names_one_block(p, "unit", broken(text_of(p), " ^ ", " | ")), p);
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
