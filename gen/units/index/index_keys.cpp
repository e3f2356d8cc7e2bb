#include "gen/units/index/index_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "gen/units/index/index.h"
#include "gen/units/l1d/geometry_keys.h"
#include "hw/index/index_unit.h"
#include "hw/index/polynomials.h"
#include "hw/require.h"

namespace gen {
namespace {

using hw::IndexKind;
using hw::IndexParams;

int log2_of(int power) { return std::bit_width(static_cast<unsigned>(power)) - 1; }

// The index parameters of a configuration, wherever its struct keeps them.
const IndexParams& index_of(const IndexParams& p) { return p; }
IndexParams& index_of(IndexParams& p) { return p; }
const IndexParams& index_of(const hw::L1dParams& p) { return p.index; }
IndexParams& index_of(hw::L1dParams& p) { return p.index; }

template <class Owner>
struct Table {
  std::vector<Key> keys = {};

  template <class Member>
  void add(KeyInfo info, Member member) {
    keys.push_back(field<Owner>(
        std::move(info), [member](auto& p) -> auto& { return index_of(p).*member; }));
  }
};

template <class Owner>
void add_kind(Table<Owner>& table) {
  table.add(
      {.key = "index.kind",
       .type = KeyType::choice,
       .choices = {"cvi", "bxi", "rxi", "lin", "pli", "pri", "adi"},
       .meaning =
           "Function from the block address to the set: conventional, bitwise XOR, reverse-engineered XOR, "
           "any linear one, polynomial modulus, prime modulo, or adaptive, which needs a cache around it.",
       .source = "ACI thesis, sections 3.2 and 3.3",
       .suffix = ""},
      &IndexParams::kind);
}

template <class Owner>
void add_details(Table<Owner>& table) {
  table.add(
      {.key = "index.poly",
       .type = KeyType::integer,
       .min = 2,
       .max = (2 << hw::max_index_bits) - 1,
       .zero = "the smallest irreducible polynomial of degree S",
       .depends = true,
       .meaning = "P(x) of degree S as a number, top term included; bit i is the coefficient of x^i, 0x25 is "
                  "x^5 + x^2 + 1.",
       .source = "ACI thesis, section 3.2.3",
       .suffix = "p",
       .only_with = {"index.kind", {"pli"}}},
      &IndexParams::poly);
  table.add({.key = "index.allow_reducible",
             .type = KeyType::boolean,
             .meaning = "Accept a P(x) that has factors, which spreads fewer strides.",
             .source = "ACI thesis, section 3.2.3",
             .only_with = {"index.kind", {"pli"}}},
            &IndexParams::allow_reducible);
  table.keys.push_back(masks<Owner>(
      {.key = "index.taps",
       .type = KeyType::bit_lists,
       .min = 5,
       .max = 63,
       .max_lists = hw::max_index_bits,
       .unit = "bit numbers of the byte address",
       .meaning = "Per index bit, bit 0 first, the block-address bits that are XORed, numbered as in "
                  "the byte address (B to N-1); a bit named twice cancels; [] stands for the XOR "
                  "fold, in which index bit i takes every block-address bit k with k mod S = i.",
       .source = "the general form of ACI thesis, sections 3.2.1 to 3.2.3",
       .suffix = "t",
       .only_with = {"index.kind", {"lin"}}},
      [](auto& p) -> auto& { return index_of(p).taps; }));
  table.add({.key = "index.latency",
             .type = KeyType::integer,
             .min = 0,
             .max = 4,
             .unit = "clock cycles",
             .meaning = "Pipeline stages between the block address and the set.",
             .source = "ACI thesis, section 3.4.4",
             .suffix = "l"},
            &IndexParams::latency);
}

std::vector<Key> make_keys() {
  Table<IndexParams> table;
  table.add(address_bits_key(), &IndexParams::address_bits);
  table.add(line_bytes_key(), &IndexParams::line_bytes);
  add_kind(table);
  table.add(sets_key(1 << hw::max_index_bits), &IndexParams::sets);
  add_details(table);
  return std::move(table.keys);
}

}  // namespace

std::vector<Key> index_keys_of_l1d() {
  Table<hw::L1dParams> table;
  add_kind(table);
  add_details(table);
  return std::move(table.keys);
}

void settle_index(IndexParams& p) {
  const bool no_taps = p.taps == IndexParams{}.taps;
  if (p.kind == IndexKind::lin && no_taps) fold_taps(p);
  if (p.kind == IndexKind::pli && p.poly == 0) p.poly = hw::smallest_irreducible(log2_of(p.sets));
}

namespace {

// The address bit nearest to `bit` that makes a legal matrix in its place; any where none does.
std::string nearest_tap(BitLists lists, int list, int bit, IndexParams p) {
  const int low = log2_of(p.line_bytes), high = p.address_bits - 1;
  auto& taps = lists.at(static_cast<std::size_t>(list));
  int& tap = *std::ranges::find(taps, bit);
  const int step = bit < low ? 1 : -1;
  for (tap = step > 0 ? low : high; tap >= low && tap <= high; tap += step) {
    p.taps = {};
    for (std::size_t i = 0; i < lists.size(); ++i)
      for (const int b : lists[i]) p.taps[i] ^= std::uint64_t{1} << b;
    try {
      hw::check(p);
      return fmt::format("the nearest is {}", tap);
    } catch (const hw::ParamError&) {
    }
  }
  return "use one of these";
}

}  // namespace

void check_given_taps(const Values& given, const IndexParams& p) {
  const auto taps = given.find("index.taps");
  if (p.kind != IndexKind::lin || taps == given.end()) return;
  const auto& lists = std::get<BitLists>(taps->second);
  if (lists.empty()) return;
  const int index_bits = log2_of(p.sets);
  const int count = static_cast<int>(lists.size());
  hw::require(count == index_bits, "index.taps", fmt::format("{} list{}", count, count == 1 ? "" : "s"),
              "must have one list of address bits per index bit",
              fmt::format("index.sets = {} has {} index bits", p.sets, index_bits));
  const int low = log2_of(p.line_bytes), high = p.address_bits - 1;
  for (int i = 0; i < count; ++i) {
    std::uint64_t mask = 0;
    for (int j = 0; const int bit : lists.at(i)) {
      const std::string place = fmt::format("index.taps[{}][{}]", i, j++);
      if (bit < low || bit > high)
        hw::require(false, place, bit, fmt::format("must be a block-address bit, from {} to {}", low, high),
                    nearest_tap(lists, i, bit, p));
      mask ^= std::uint64_t{1} << bit;
    }
    hw::require(mask != 0, fmt::format("index.taps[{}]", i), nlohmann::json(lists.at(i)).dump(),
                "must leave a tap, or the index bit is constant", "a bit named twice cancels");
  }
}

void fold_taps(hw::IndexParams& params) {
  const int index_bits = log2_of(params.sets);
  const int low = log2_of(params.line_bytes);
  params.taps = {};
  for (int bit = low; bit < params.address_bits; ++bit)
    params.taps[static_cast<std::size_t>((bit - low) % index_bits)] |= std::uint64_t{1} << bit;
}

const Family& index_family() {
  static const Family family{
      .name = "set-index unit",
      .doc = "maps a block address to a set number and the tag to store",
      .defaults = IndexParams{},
      .unit = index_unit_kind,
      .keys = make_keys(),
      .settle = [](Params& p) { settle_index(std::get<IndexParams>(p)); },
      .check_given = [](const Values& given,
                        const Params& p) { check_given_taps(given, std::get<IndexParams>(p)); }};
  return family;
}

}  // namespace gen
